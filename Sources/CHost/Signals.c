// The signals that ask a program to end, natively.

#ifndef __wasm__

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "CHost.h"

// The numbers of received signals, a byte each.
static int received[2];
static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
enum { NUMBER_COUNT = sizeof numbers / sizeof *numbers };
static volatile sig_atomic_t is_ours[NUMBER_COUNT];

// Only async-signal-safe functions may be called here. The next signal ends the program.
static void receive(int number) {
  int error = errno;
  uint8_t byte = (uint8_t)number;
  for (int i = 0; i < NUMBER_COUNT; i++)
    if (is_ours[i]) (void)signal(numbers[i], SIG_DFL);
  (void)!write(received[1], &byte, 1);
  errno = error;
}

bool sharing_signals_receive(void) {
  if (pipe(received) < 0) return false;
  for (int i = 0; i < 2; i++) (void)fcntl(received[i], F_SETFD, FD_CLOEXEC);
  for (int i = 0; i < NUMBER_COUNT; i++) {
    struct sigaction old, new = {.sa_flags = SA_RESTART};
    new.sa_handler = receive;
    if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
      is_ours[i] = sigaction(numbers[i], &new, NULL) == 0;
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
