// The signals that ask a program to end, natively.

#ifndef __wasm__

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "CHost.h"

// The numbers of received signals, a byte each.
static int received[2];

// Only async-signal-safe functions may be called here.
static void receive(int number) {
  int error = errno;
  uint8_t byte = (uint8_t)number;
  (void)!write(received[1], &byte, 1);
  errno = error;
}

bool sharing_signals_receive(void) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
  if (pipe(received) < 0) return false;
  for (int i = 0; i < 2; i++) (void)fcntl(received[i], F_SETFD, FD_CLOEXEC);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction old, new = {.sa_flags = SA_RESTART | SA_RESETHAND};
    new.sa_handler = receive;
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      (void)sigaction(numbers[i], &new, NULL);
  }
  return true;
}

int32_t sharing_signal_await(void) {
  uint8_t byte;
  ssize_t count;
  do count = read(received[0], &byte, 1);
  while (count < 0 && errno == EINTR);
  return count == 1 ? byte : SHARING_FAILED;
}

void sharing_signal_end(int32_t number) {
  (void)signal(number, SIG_DFL);
  (void)kill(getpid(), number);
}

#endif
