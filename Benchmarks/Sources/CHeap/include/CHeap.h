// The heap of the C library, which Swift's modules do not show.

#ifndef CHEAP_H
#define CHEAP_H

#include <stdint.h>

/// The bytes that malloc has given out, its headers and rounding included, and with them large
/// blocks, which it gets from the system one by one. -1 where the C library is not glibc.
int64_t bench_heap_size(void);

#endif
