#include "CHeap.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

int64_t bench_heap_size(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
#else
int64_t bench_heap_size(void) { return -1; }
#endif
