// Unpredictable bytes.
#ifdef __wasm__

#include <wasi/api.h>

// Swift's hashing seeds itself with this. wasi-libc's links a cipher and `printf`.
void arc4random_buf(void *buffer, size_t count) {
  (void)__wasi_random_get(buffer, (__wasi_size_t)count);
}

#endif
