// Smaller replacements for functions of wasi-libc, in wasm only. A program opts in by depending on
// this target and imports nothing: the linker takes these definitions in place of libc's. A library
// must not depend on it, since libc's symbols are the program's to replace, once.
//
//   Allocator.c  malloc, calloc, realloc, posix_memalign, free
//   Memory.c     memcpy, memmove, memset, strlen
//   Random.c     arc4random_buf
//
// What it saves (gzip): 11.0 kB of the demo's 100.0, mostly for arc4random_buf and the allocator,
// and 3.8 kB of a counter's 34.8.
//
// What it costs:
// - The allocator does not coalesce. A freed block serves later requests of its own size class
//   only, so a program that first needs many small blocks and then many large ones has room for
//   both.
// - It is not thread-safe. Do not link it into a program that shares its memory between threads.
// - Alignments beyond 16 bytes are refused, and there is no aligned_alloc and no
//   malloc_usable_size: a program that calls one of them gets libc's allocator as well, and the
//   linker then reports duplicate symbols.
// - arc4random_buf asks the host each time, instead of a cipher that the host seeds once. If the
//   host has no randomness, the buffer keeps what was in it.
