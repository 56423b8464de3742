#include "SharingTestingStart.h"

void sharing_testing_start(void);

__attribute__((constructor)) static void start(void) {
  sharing_testing_start();
}
