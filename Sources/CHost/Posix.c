// The calls of FileSystem.h natively, in POSIX.

#ifndef __wasm__

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "FileSystem.h"

static int32_t checked(int result) { return result < 0 ? code_of(errno) : result; }

int32_t file_open(const file_path *path, file_use use) {
  const int flags = use == FOR_NEW ? O_WRONLY | O_CREAT | O_EXCL : O_RDONLY;
  return checked(open(path->bytes, flags | O_CLOEXEC, 0666));
}

int32_t file_size(int32_t file) {
  off_t size = lseek(file, 0, SEEK_END);
  if (size < 0 || lseek(file, 0, SEEK_SET) < 0) return code_of(errno);
  return size > INT32_MAX ? SHARING_FAILED : (int32_t)size;
}

int32_t file_read(int32_t file, uint8_t *buffer, int32_t count) {
  ssize_t result;
  do result = read(file, buffer, (size_t)count);
  while (result < 0 && errno == EINTR);
  return checked((int)result);
}

int32_t file_write(int32_t file, const uint8_t *bytes, int32_t count) {
  ssize_t result;
  do result = write(file, bytes, (size_t)count);
  while (result < 0 && errno == EINTR);
  return checked((int)result);
}

int32_t file_sync(int32_t file) { return checked(fsync(file)); }

int32_t file_close(int32_t file) { return checked(close(file)); }

int32_t file_rename(const file_path *from, const file_path *to) {
  return checked(rename(from->bytes, to->bytes));
}

int32_t file_unlink(const file_path *path) { return checked(unlink(path->bytes)); }

void file_keep_mode(int32_t file, const file_path *old) {
  struct stat status;
  if (stat(old->bytes, &status) == 0) (void)fchmod(file, status.st_mode & 07777);
}

int64_t file_age(const file_path *path) {
  struct stat status;
  if (stat(path->bytes, &status) < 0) return 0;
  return (int64_t)time(NULL) - (int64_t)status.st_mtime;
}

int32_t folder_make(const file_path *path) { return checked(mkdir(path->bytes, 0777)); }

void folder_sync(const file_path *path) {
  int file = open(path->bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

int32_t folder_visit(
  const file_path *path, void (*visit)(void *context, const char *name, int32_t count),
  void *context) {
  DIR *folder = opendir(path->bytes);
  if (!folder) return code_of(errno);
  for (struct dirent *entry; (errno = 0, entry = readdir(folder));)
    visit(context, entry->d_name, (int32_t)strlen(entry->d_name));
  int32_t code = errno == 0 ? 0 : code_of(errno);
  closedir(folder);
  return code;
}

int64_t sharing_time_now(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return 0;
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int32_t random_fill(uint8_t *bytes, int32_t count) {
  return checked(getentropy(bytes, (size_t)count));
}

#endif
