// System calls that Swift's modules do not export.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Returns the bytes that malloc has allocated, including its headers and rounding, and large
/// blocks, which it gets from the system one by one. Returns 0 if the C library is not glibc.
int64_t bench_heap_size(void);

/// Pins the calling thread to one processor, the `number`-th of those that the program may use.
/// Does nothing if there are fewer, or if the system is not Linux.
void bench_stay_on_processor(int32_t number);

/// Makes the folder `by-hand` in the current one, with the state 0 in it.
bool bench_folder_make(void);

/// Replaces the state of this number by the next one, unless another program was first: writes the
/// bytes to a new file, renames the state's file, which is empty, and removes the old bytes.
bool bench_state_replace(int32_t number, const char *bytes, size_t count);

#endif
