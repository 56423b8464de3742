// The calls of FileSystem.h natively, in POSIX.

#ifndef __wasm__

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "FileSystem.h"

static int32_t checked(int result) { return result < 0 ? code_of(errno) : result; }

// Returns the code for a path that is no file; 0 for a file.
static int32_t code_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return 0;
  return S_ISDIR(mode) ? SHARING_FOLDER : SHARING_NO_FILE;
}

// Without O_NONBLOCK, opening a pipe would wait for a writer.
int32_t file_open(const file_path *path) {
  return checked(open(path->bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

// If a file cannot keep the old group, another group must not get the old group's permissions.
static void keep_permissions(int file, const struct stat *old) {
  mode_t mode = old->st_mode & 0777, everybody = mode & mode >> 3 & 07;
  if (fchown(file, old->st_uid, old->st_gid) < 0 && fchown(file, (uid_t)-1, old->st_gid) < 0)
    mode = (mode & 0700) | everybody << 3 | everybody;
  (void)fchmod(file, mode);
}

int32_t file_make(const file_path *path, const file_path *old, bool is_private) {
  struct stat status;
  bool is_there = old && stat(old->bytes, &status) == 0;
  int32_t code = is_there ? code_of_mode(status.st_mode) : 0;
  if (code < 0) return code;
  // A process that could open the file now could read later writes to it.
  mode_t mode = is_there || is_private ? 0600 : 0666;
  int file = open(path->bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file >= 0 && is_there) keep_permissions(file, &status);
  return checked(file);
}

int32_t file_size(int32_t file) {
  struct stat status;
  if (fstat(file, &status) < 0) return code_of(errno);
  int32_t code = code_of_mode(status.st_mode);
  if (code < 0) return code;
  return status.st_size > INT32_MAX ? SHARING_TOO_LARGE : (int32_t)status.st_size;
}

// A system that lets a program have more memory than there is cannot be asked.
bool memory_has(int32_t count) {
  (void)count;
  return true;
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

int32_t link_read(const file_path *path, char target[PATH_MAX]) {
  ssize_t count = readlink(path->bytes, target, PATH_MAX);
  return count < 0 ? 0 : (int32_t)count;  // what else is wrong, the file's opening will tell
}

int64_t file_age(const file_path *path) {
  struct stat status;
  if (stat(path->bytes, &status) < 0) return 0;
  return (int64_t)time(NULL) - (int64_t)status.st_mtime;
}

int32_t folder_make(const file_path *path) { return checked(mkdir(path->bytes, 0777)); }

int32_t folder_remove(const file_path *path) { return checked(rmdir(path->bytes)); }

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

// The reader of a pipe may end first. SIGPIPE would then end the program in the middle of its work;
// the result of `write` says the same.
static ssize_t write_unsignaled(int stream, const uint8_t *bytes, size_t count) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  ssize_t result = write(stream, bytes, count);
  int error = errno, taken;
  if (result < 0 && error == EPIPE && sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE))
    sigwait(&broken, &taken);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return result;
}

int32_t stream_write(int32_t stream, const uint8_t *bytes, int32_t count) {
  ssize_t result;
  while ((result = write_unsignaled(stream, bytes, (size_t)count)) < 0) {
    struct pollfd room = {stream, POLLOUT, 0};
    if (errno == EAGAIN) (void)poll(&room, 1, -1);  // others may have set the pipe to not wait
    else if (errno != EINTR) break;
  }
  return checked((int)result);
}

// The next file would be one of them, and get what is meant for the stream.
void hold_streams(void) {
  for (int stream = 0; stream <= 2; stream++)
    if (fcntl(stream, F_GETFD) < 0) (void)open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

int32_t random_fill(uint8_t *bytes, int32_t count) {
  return checked(getentropy(bytes, (size_t)count));
}

#endif
