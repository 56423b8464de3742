// A small `malloc`. Blocks come in size classes, two to an octave. A freed block goes to the list
// of its class and is reused for that class only. So the heap is at most the sum of the classes'
// peaks, and a program whose needs repeat does not grow.
#ifdef __wasm__

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern unsigned char __heap_base;

enum {
  // In front of what the caller gets, whose address is a multiple of 16.
  HEADER = 4,
  SMALLEST = 16,  // an object with one reference, and its header
  CLASSES = 56,
  PAGE = 65536,
};

// A block in a list of free ones; a block in use has its class in the same place.
typedef struct block {
  union {
    uint32_t class;
    struct block *next;
  };
} block;

static block *available[CLASSES];
static uintptr_t fresh, fresh_end;

// 16, 32, 48, 64, 96, 128, 192 … bytes: of those that are no multiple of 16 there are no blocks.
static inline size_t size_of(uint32_t class) {
  return (size_t)(SMALLEST + (class & 1) * (SMALLEST / 2)) << (class >> 1);
}

static inline __attribute__((always_inline)) uint32_t class_for(size_t size) {
  if (size <= 2 * SMALLEST) return size > SMALLEST ? 2 : 0;
  uint32_t octave = 27 - (uint32_t)__builtin_clz((uint32_t)size - 1);  // 33…64 bytes: 1
  return 2 * octave + (size > ((size_t)SMALLEST + SMALLEST / 2) << octave ? 2 : 1);
}

// A block of fresh memory; NULL when the host has no more. Growing memory waits for whatever else
// the browser does with its address space, such as compiling, so half as much again is requested at
// once, if the host grants that. Pages take no physical memory until they are used.
static block *carve(size_t size) {
  if (fresh == 0) fresh = fresh_end = ((uintptr_t)&__heap_base + 15) / 16 * 16 + 16 - HEADER;
  if (size > fresh_end - fresh) {
    size_t needed = (size - (fresh_end - fresh)) / PAGE + 1;
    size_t pages = needed + __builtin_wasm_memory_size(0) / 2;
    size_t old = __builtin_wasm_memory_grow(0, pages);
    if (old == SIZE_MAX) old = __builtin_wasm_memory_grow(0, pages = needed);
    if (old == SIZE_MAX) return NULL;
    fresh_end = (old + pages) * PAGE - HEADER;
  }
  block *made = (block *)fresh;
  fresh += size;
  return made;
}

// Inlined into `malloc` and `posix_memalign`: a browser calls them often before it optimizes them.
static inline __attribute__((always_inline)) void *allocate(size_t count) {
  if (count > INT32_MAX) return NULL;
  uint32_t class = class_for(count + HEADER);
  block *found = available[class];
  if (found) {
    available[class] = found->next;
  } else if (!(found = carve(size_of(class)))) {
    return NULL;
  }
  found->class = class;
  return (char *)found + HEADER;
}

void *malloc(size_t count) { return allocate(count); }

void free(void *address) {
  if (!address) return;
  block *freed = (block *)((char *)address - HEADER);
  uint32_t class = freed->class;
  freed->next = available[class];
  available[class] = freed;
}

void *calloc(size_t count, size_t size) {
  size_t total;
  void *address = __builtin_mul_overflow(count, size, &total) ? NULL : malloc(total);
  return address ? __builtin_memset(address, 0, total) : NULL;
}

void *realloc(void *address, size_t count) {
  if (!address) return malloc(count);
  size_t capacity = size_of(((block *)((char *)address - HEADER))->class) - HEADER;
  if (count <= capacity) return address;
  void *moved = malloc(count);
  if (!moved) return NULL;
  __builtin_memcpy(moved, address, capacity);
  free(address);
  return moved;
}

// Swift's allocations call this; none of its own types needs an alignment of more than 16.
int posix_memalign(void **result, size_t alignment, size_t count) {
  if (alignment > 16) return EINVAL;
  *result = allocate(count);
  return *result ? 0 : ENOMEM;
}

#endif
