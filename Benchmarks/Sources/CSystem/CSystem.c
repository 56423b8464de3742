#define _GNU_SOURCE
#include "CSystem.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>

int64_t bench_heap_size(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
#else
int64_t bench_heap_size(void) { return 0; }
#endif

#ifdef __linux__
#include <sched.h>

void bench_stay_on_processor(int32_t number) {
  cpu_set_t allowed, chosen;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  CPU_ZERO(&chosen);
  for (int processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &allowed) || number-- > 0) continue;
    CPU_SET(processor, &chosen);
    (void)sched_setaffinity(0, sizeof chosen, &chosen);
    return;
  }
}
#else
void bench_stay_on_processor(int32_t number) {}
#endif
