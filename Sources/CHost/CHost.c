#include "CHost.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The paths that reach the C library end in a NUL; those of this contract are counted.
typedef struct {
  char bytes[PATH_MAX];
} path_buffer;

static int32_t code_of(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return SHARING_MISSING;
    case EACCES:
    case EPERM:
    case EROFS:
#ifdef ENOTCAPABLE
    case ENOTCAPABLE:
#endif
      return SHARING_DENIED;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return SHARING_QUOTA;
    case ENAMETOOLONG:
      return SHARING_NAME_TOO_LONG;
    default:
      return SHARING_FAILED;
  }
}

static int32_t copy_path(path_buffer *to, const uint8_t *path, int32_t count, const char *suffix) {
  size_t suffix_count = strlen(suffix);
  if ((size_t)count + suffix_count >= sizeof to->bytes) return SHARING_NAME_TOO_LONG;
  memcpy(to->bytes, path, (size_t)count);
  memcpy(to->bytes + count, suffix, suffix_count + 1);
  return 0;
}

int32_t sharing_file_get(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity) {
  path_buffer name;
  int32_t code = copy_path(&name, path, path_count, "");
  if (code < 0) return code;
  int file = open(name.bytes, O_RDONLY | O_CLOEXEC);
  if (file < 0) return code_of(errno);
  off_t size = lseek(file, 0, SEEK_END);
  int32_t result = size > INT32_MAX ? SHARING_FAILED : (int32_t)size;
  if (size < 0 || lseek(file, 0, SEEK_SET) < 0) result = code_of(errno);
  for (int32_t done = 0; result >= 0 && result <= capacity && done < result;) {
    ssize_t got = read(file, buffer + done, (size_t)(result - done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) result = code_of(errno);
    if (got == 0) result = done;  // somebody has truncated it: what there is
    if (got > 0) done += (int32_t)got;
  }
  close(file);
  return result;
}

static bool write_all(int file, const uint8_t *bytes, int32_t count) {
  for (int32_t done = 0; done < count;) {
    ssize_t wrote = write(file, bytes + done, (size_t)(count - done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    done += (int32_t)wrote;
  }
  return true;
}

// What fails here fails again, and tells, when the file is opened.
static void make_folder_of(path_buffer *path) {
  for (char *end = path->bytes + 1; *end; end++) {
    if (*end != '/') continue;
    *end = 0;
    (void)mkdir(path->bytes, 0777);
    *end = '/';
  }
}

// The rename itself must survive a crash too; not every file system lets a folder be opened.
static void sync_folder_of(path_buffer *path) {
  size_t count = 0;
  for (size_t i = 0; path->bytes[i]; i++)
    if (path->bytes[i] == '/') count = i;
  if (count == 0) return;
  path->bytes[count] = 0;
  int file = open(path->bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  path->bytes[count] = '/';
  if (file < 0) return;
  fsync(file);
  close(file);
}

// A name of its own for every write: two processes may write the same file at once.
static int32_t temporary_path(path_buffer *to, const uint8_t *path, int32_t path_count) {
  uint8_t random[8];
  if (getentropy(random, sizeof random) != 0) return SHARING_FAILED;
  char suffix[] = ".xxxxxxxx.tmp";
  for (size_t i = 0; i < sizeof random; i++) suffix[i + 1] = "0123456789abcdef"[random[i] & 15];
  return copy_path(to, path, path_count, suffix);
}

// A file that was private stays so.
static void keep_mode(const char *path, int file) {
#ifndef __wasm__
  struct stat old;
  if (stat(path, &old) == 0) (void)fchmod(file, old.st_mode & 07777);
#endif
}

int32_t sharing_file_set(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count) {
  path_buffer name, temporary;
  int32_t code = copy_path(&name, path, path_count, "");
  if (code == 0) code = temporary_path(&temporary, path, path_count);
  if (code < 0) return code;
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  int file = open(temporary.bytes, flags, 0666);
  if (file < 0 && errno == ENOENT) {
    make_folder_of(&temporary);
    file = open(temporary.bytes, flags, 0666);
  }
  if (file < 0) return code_of(errno);
  keep_mode(name.bytes, file);
  bool is_written = write_all(file, bytes, byte_count) && fsync(file) == 0;
  int error = errno;
  bool is_closed = close(file) == 0;
  if (is_written && is_closed && rename(temporary.bytes, name.bytes) == 0) {
    sync_folder_of(&name);
    return 0;
  }
  if (is_written) error = errno;
  unlink(temporary.bytes);
  return code_of(error);
}

int32_t sharing_file_remove(const uint8_t *path, int32_t path_count) {
  path_buffer name;
  int32_t code = copy_path(&name, path, path_count, "");
  if (code < 0) return code;
  if (unlink(name.bytes) == 0 || errno == ENOENT) return 0;
  return code_of(errno);
}

int32_t sharing_folder_list(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity) {
  path_buffer name;
  int32_t code = copy_path(&name, path, path_count, "");
  if (code < 0) return code;
  DIR *folder = opendir(name.bytes);
  if (!folder) return code_of(errno);
  size_t total = 0;
  for (struct dirent *entry; (errno = 0, entry = readdir(folder));) {
    size_t count = strlen(entry->d_name) + 1;
    if (total + count <= (size_t)capacity) memcpy(buffer + total, entry->d_name, count);
    total += count;
  }
  int32_t result = errno ? code_of(errno) : total > INT32_MAX ? SHARING_FAILED : (int32_t)total;
  closedir(folder);
  return result;
}

void sharing_stream_write(int32_t stream, const uint8_t *bytes, int32_t byte_count) {
  (void)write_all(stream, bytes, byte_count);
}

static int32_t hand_over(const char *text, uint8_t *buffer, int32_t capacity) {
  int32_t count = (int32_t)strlen(text);
  if (count <= capacity) memcpy(buffer, text, (size_t)count);
  return count;
}

// Embedded Swift has no `CommandLine`.
static int argument_count;
static char **arguments;

int32_t sharing_argument(int32_t index, uint8_t *buffer, int32_t capacity) {
  if (index < 0 || index >= argument_count) return SHARING_MISSING;
  return hand_over(arguments[index], buffer, capacity);
}

#ifdef __wasm__

#include <wasi/api.h>

int32_t sharing_file_root(uint8_t *buffer, int32_t capacity) {
  __wasi_prestat_t preopened;
  const __wasi_fd_t first = 3;  // 0 to 2 are the standard streams
  if (__wasi_fd_prestat_get(first, &preopened) != 0) return SHARING_MISSING;
  path_buffer name = {{0}};
  size_t count = preopened.u.dir.pr_name_len;
  if (count >= sizeof name.bytes) return SHARING_NAME_TOO_LONG;
  if (__wasi_fd_prestat_dir_name(first, (uint8_t *)name.bytes, count) != 0) return SHARING_MISSING;
  return hand_over(name.bytes, buffer, capacity);
}

// Not `exit`, which links stdio to flush what is never used here.
void sharing_exit(int32_t status) { __wasi_proc_exit((__wasi_exitcode_t)status); }

// Swift's hashing seeds itself with this. wasi-libc's own links a cipher and `printf`: 6 kB gzip.
void arc4random_buf(void *buffer, size_t count) {
  for (size_t done = 0; done < count; done += 256)
    (void)getentropy((char *)buffer + done, count - done < 256 ? count - done : 256);
}

// MARK: Command

// crt1-reactor.o makes the module a reactor, whose `_initialize` a page calls. With `_start` it is a
// command too, and a WASI runtime runs the very bytes that the page loads.
void _initialize(void);
void __wasm_call_dtors(void);
int __main_argc_argv(int argc, char **argv);

__attribute__((export_name("_start"))) void sharing_command(void) {
  _initialize();
  size_t count = 0, byte_count = 0;
  if (__wasi_args_sizes_get(&count, &byte_count) != 0) __wasi_proc_exit(71);
  arguments = malloc((count + 1) * sizeof *arguments);
  uint8_t *bytes = malloc(byte_count + 1);
  if (!arguments || !bytes || __wasi_args_get((uint8_t **)arguments, bytes) != 0)
    __wasi_proc_exit(71);
  argument_count = (int)count;
  int status = __main_argc_argv(argument_count, arguments);
  __wasm_call_dtors();
  if (status != 0) __wasi_proc_exit((__wasi_exitcode_t)status);
}

#else

void sharing_exit(int32_t status) { exit(status); }

// The C libraries of Linux and macOS hand the arguments to constructors.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int32_t sharing_file_root(uint8_t *buffer, int32_t capacity) {
  const char *chosen = getenv("SHARING_DIR");
  return hand_over(chosen && *chosen ? chosen : ".sharing", buffer, capacity);
}

// MARK: Stand-ins for the host's functions, where there is no such host

int32_t sharing_host_version(void) { return 0; }
int32_t sharing_storage_probe(int32_t area) { return 0; }

int32_t sharing_storage_get(
  int32_t area, const uint8_t *key, int32_t key_count, uint8_t *buffer, int32_t capacity) {
  return SHARING_FAILED;
}

int32_t sharing_storage_set(
  int32_t area, const uint8_t *key, int32_t key_count, const uint8_t *text, int32_t text_count) {
  return SHARING_FAILED;
}

int32_t sharing_storage_remove(int32_t area, const uint8_t *key, int32_t key_count) {
  return SHARING_FAILED;
}

int32_t sharing_storage_key(int32_t area, int32_t index, uint8_t *buffer, int32_t capacity) {
  return SHARING_FAILED;
}

int32_t sharing_page_set(
  const uint8_t *name, int32_t name_count, const uint8_t *text, int32_t text_count) {
  return SHARING_FAILED;
}

int32_t sharing_console_write(int32_t level, const uint8_t *text, int32_t text_count) {
  return SHARING_FAILED;
}

#endif
