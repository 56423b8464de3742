// The program's arguments, streams and end; natively also the replacements of the host's functions.

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "FileSystem.h"

int32_t sharing_stream_write(int32_t stream, const uint8_t *bytes, int32_t byte_count) {
  for (int32_t done = 0; done < byte_count;) {
    int32_t count = stream_write(stream, bytes + done, byte_count - done);
    if (count <= 0) return count < 0 ? count : SHARING_FAILED;
    done += count;
  }
  return 0;
}

int32_t sharing_day_today(void) {
  time_t now = (time_t)(sharing_time_now() / 1000);
  struct tm date;
#ifdef __wasm__
  now += 60 * sharing_time_zone();
  if (!gmtime_r(&now, &date)) return 0;
#else
  tzset();
  if (!localtime_r(&now, &date)) return 0;
#endif
  return (date.tm_year + 1900) * 10000 + (date.tm_mon + 1) * 100 + date.tm_mday;
}

static int32_t hand_over(const char *text, uint8_t *buffer, int32_t capacity) {
  int32_t count = (int32_t)strlen(text);
  if (count <= capacity) memcpy(buffer, text, (size_t)count);
  return count;
}

#ifdef __wasm__

#include <wasi/api.h>

// Asks WASI each time: `_start`, which could keep them, is the program's and not this library's.
int32_t sharing_argument(int32_t index, uint8_t *buffer, int32_t capacity) {
  __wasi_size_t count, byte_count;
  if (__wasi_args_sizes_get(&count, &byte_count) != 0) return SHARING_MISSING;
  char **arguments = malloc(count * sizeof *arguments + byte_count);
  int32_t result = SHARING_MISSING;
  if (arguments && (__wasi_size_t)index < count &&
      __wasi_args_get((uint8_t **)arguments, (uint8_t *)(arguments + count)) == 0)
    result = hand_over(arguments[index], buffer, capacity);
  free(arguments);
  return result;
}

int32_t sharing_file_root(bool is_test, uint8_t *buffer, int32_t capacity) {
  __wasi_prestat_t preopened;
  const __wasi_fd_t first = 3;  // 0 to 2 are the standard streams
  if (__wasi_fd_prestat_get(first, &preopened) != 0) return SHARING_MISSING;
  __wasi_size_t count = preopened.u.dir.pr_name_len;
  if (count > (__wasi_size_t)capacity) return (int32_t)count;
  if (__wasi_fd_prestat_dir_name(first, buffer, count) != 0) return SHARING_MISSING;
  return (int32_t)count;
}

int32_t sharing_document_root(uint8_t *buffer, int32_t capacity) {
  return sharing_file_root(false, buffer, capacity);
}

// The bounds of the stack, which grows down. Weak, so that a linker without these symbols still
// links; then there always seems to be room.
extern char __stack_low __attribute__((weak)), __stack_high __attribute__((weak));

bool sharing_stack_has_room(void) {
  uintptr_t low = (uintptr_t)&__stack_low, high = (uintptr_t)&__stack_high;
  return (uintptr_t)__builtin_frame_address(0) - low >= (high - low) / 8;
}

// Not `exit`: it links stdio, to flush streams that are never used here.
void sharing_exit(int32_t status) { __wasi_proc_exit((__wasi_exitcode_t)status); }

#else

void sharing_exit(int32_t status) { exit(status); }

bool sharing_stack_has_room(void) { return true; }

static int argument_count;
static char **arguments;

// The C libraries of Linux and macOS hand the arguments to constructors.
__attribute__((constructor)) static void begin(int count, char **values) {
  argument_count = count;
  arguments = values;
  hold_streams();
}

int32_t sharing_argument(int32_t index, uint8_t *buffer, int32_t capacity) {
  if (index < 0 || index >= argument_count) return SHARING_MISSING;
  return hand_over(arguments[index], buffer, capacity);
}

int32_t sharing_file_root(bool is_test, uint8_t *buffer, int32_t capacity) {
  const char *chosen = getenv("SHARING_DIR");
  if (chosen && *chosen) return hand_over(chosen, buffer, capacity);
  return is_test ? SHARING_MISSING : hand_over(".sharing", buffer, capacity);
}

int32_t sharing_document_root(uint8_t *buffer, int32_t capacity) {
  return hand_over(".", buffer, capacity);
}

// MARK: Stand-ins for the host's functions, where there is no such host

int32_t sharing_host_version(void) { return 0; }
int32_t sharing_storage_probe(int32_t area) { return 0; }

int32_t sharing_storage_item(int32_t area, const uint8_t *key, int32_t key_count) {
  return SHARING_FAILED;
}

int32_t sharing_storage_stamp(int32_t item) { return SHARING_FAILED; }

int32_t sharing_storage_get(int32_t item, uint8_t *buffer, int32_t capacity) {
  return SHARING_FAILED;
}

int32_t sharing_storage_set(int32_t item, const uint8_t *text, int32_t text_count) {
  return SHARING_FAILED;
}

int32_t sharing_storage_key(int32_t area, int32_t index, uint8_t *buffer, int32_t capacity) {
  return SHARING_FAILED;
}

int32_t sharing_app_name(uint8_t *buffer, int32_t capacity) { return SHARING_MISSING; }

int32_t sharing_engine_indexeddb(const uint8_t *name, int32_t name_count) { return 0; }

int32_t sharing_engine_find(const uint8_t *name, int32_t name_count) { return 0; }
int32_t sharing_engine_send(const uint8_t *message, int32_t message_count) { return 0; }
int32_t sharing_timer_set(int32_t number, int32_t milliseconds) { return 0; }
int32_t sharing_time_zone(void) { return 0; }

int32_t sharing_page_set(
  const uint8_t *name, int32_t name_count, const uint8_t *text, int32_t text_count) {
  return SHARING_FAILED;
}

int32_t sharing_console_write(int32_t level, const uint8_t *text, int32_t text_count) {
  return SHARING_FAILED;
}

#endif
