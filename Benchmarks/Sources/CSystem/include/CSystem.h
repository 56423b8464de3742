// What the system tells and does, and Swift's modules do not show.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The bytes that malloc has given out, its headers and rounding included, and with them large
/// blocks, which it gets from the system one by one. 0 where the C library is not glibc.
int64_t bench_heap_size(void);

/// Has the calling thread run on one processor only, the `number`-th of those that the program may
/// use. Does nothing where there are fewer, or where the system is not Linux.
void bench_stay_on_processor(int32_t number);

/// Makes the folder `by-hand` in the current one, with the state 0 in it.
bool bench_folder_make(void);

/// Replaces the state of that number by the next one, unless another program was first: writes the
/// bytes to a file of its own, renames the state's file, which is empty, and removes the old
/// bytes.
bool bench_state_replace(int32_t number, const char *bytes, size_t count);

#endif
