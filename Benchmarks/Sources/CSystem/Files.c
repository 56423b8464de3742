// Replaces a state as a whole with calls of C and POSIX, as in a handwritten program.

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "CSystem.h"

enum { PATH_SIZE = 64 };

static int make_file(const char *path) { return open(path, O_WRONLY | O_CREAT | O_EXCL, 0666); }

bool bench_folder_make(void) {
  if (mkdir("by-hand", 0777) != 0) return false;
  int file = make_file("by-hand/state@0");
  return file >= 0 && close(file) == 0;
}

bool bench_state_replace(int32_t number, const char *bytes, size_t count) {
  char old_data[PATH_SIZE], new_data[PATH_SIZE], old_state[PATH_SIZE], new_state[PATH_SIZE];
  snprintf(old_data, PATH_SIZE, "by-hand/data.%d", (int)number);
  snprintf(new_data, PATH_SIZE, "by-hand/data.%d", (int)number + 1);
  snprintf(old_state, PATH_SIZE, "by-hand/state@%d", (int)number);
  snprintf(new_state, PATH_SIZE, "by-hand/state@%d", (int)number + 1);
  int file = make_file(new_data);
  if (file < 0) return false;
  bool is_written = write(file, bytes, count) == (ssize_t)count && fsync(file) == 0;
  if (close(file) != 0 || !is_written || rename(old_state, new_state) != 0) {
    unlink(new_data);
    return false;
  }
  return number == 0 || unlink(old_data) == 0;
}
