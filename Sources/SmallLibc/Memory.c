// Bytes in memory: copied, filled and counted.
#ifdef __wasm__

#include <stddef.h>

// One instruction each, where wasi-libc has loops: for speed, since it saves only 60 bytes (gzip).
// Every engine of the last five years has them (bulk memory operations, part of WebAssembly 2.0).
void *memmove(void *to, const void *from, size_t count) {
  __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.copy 0, 0"
          :
          : "r"(to), "r"(from), "r"(count)
          : "memory");
  return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  return memmove(to, from, count);
}

void *memset(void *to, int byte, size_t count) {
  __asm__("local.get %0\nlocal.get %1\nlocal.get %2\nmemory.fill 0"
          :
          : "r"(to), "r"(byte), "r"(count)
          : "memory");
  return to;
}

// Names are short; wasi-libc's reads words.
__attribute__((no_builtin("strlen"))) size_t strlen(const char *text) {
  const char *end = text;
  while (*end) end++;
  return (size_t)(end - text);
}

#endif
