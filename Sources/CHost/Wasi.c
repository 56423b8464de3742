// The calls of FileSystem.h in wasm, in WASI's own (preview 1).

#ifdef __wasm__

#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

#include "FileSystem.h"

// Where a path leads: it is seen from a folder that the host has opened.
typedef struct {
  __wasi_fd_t folder;
  const char *path;
} place;

static int32_t checked(__wasi_errno_t error) { return error == 0 ? 0 : code_of(error); }

// The host names its folders; the one with the longest name that the path begins with has it. A
// path below none of them is the first one's, where only a relative one is let through.
static place place_of(const file_path *path) {
  const __wasi_fd_t first = 3;  // 0 to 2 are the standard streams
  place found = {first, path->bytes};
  size_t longest = 0;
  __wasi_prestat_t folder;
  for (__wasi_fd_t fd = first; __wasi_fd_prestat_get(fd, &folder) == 0; fd++) {
    char name[PATH_MAX];
    size_t count = folder.u.dir.pr_name_len;
    if (count > (size_t)path->count || count < longest) continue;
    if (__wasi_fd_prestat_dir_name(fd, (uint8_t *)name, count) != 0) continue;
    if (memcmp(name, path->bytes, count) != 0) continue;
    const char *rest = path->bytes + count;
    if (count > 0 && *rest != 0 && *rest != '/' && rest[-1] != '/') continue;
    while (*rest == '/') rest++;
    longest = count;
    found = (place){fd, *rest ? rest : "."};
  }
  return found;
}

static int32_t open_place(const file_path *path, __wasi_oflags_t how, __wasi_rights_t rights) {
  place at = place_of(path);
  __wasi_fd_t file;
  __wasi_errno_t error = __wasi_path_open(
    at.folder, __WASI_LOOKUPFLAGS_SYMLINK_FOLLOW, at.path, how, rights, 0, 0, &file);
  return error == 0 ? (int32_t)file : code_of(error);
}

// Returns the code for a type that is no file; 0 for a file.
static int32_t code_of_type(__wasi_filetype_t type) {
  if (type == __WASI_FILETYPE_REGULAR_FILE) return 0;
  return type == __WASI_FILETYPE_DIRECTORY ? SHARING_FOLDER : SHARING_NO_FILE;
}

// Checks the type of the path's target before it is opened: opening a pipe would wait for a writer,
// even if wasmtime is told not to wait.
static int32_t code_of_path(const file_path *path) {
  place at = place_of(path);
  __wasi_filestat_t status;
  __wasi_errno_t error = __wasi_path_filestat_get(
    at.folder, __WASI_LOOKUPFLAGS_SYMLINK_FOLLOW, at.path, &status);
  return error == 0 ? code_of_type(status.filetype) : code_of(error);
}

int32_t file_open(const file_path *path) {
  int32_t code = code_of_path(path);
  if (code < 0) return code;
  return open_place(path, 0, __WASI_RIGHTS_FD_READ | __WASI_RIGHTS_FD_FILESTAT_GET);
}

// WASI has neither owners nor permissions.
int32_t file_make(const file_path *path, const file_path *old, bool is_private) {
  (void)is_private;
  int32_t code = old ? code_of_path(old) : 0;
  if (code < 0 && code != SHARING_MISSING) return code;
  return open_place(
    path, __WASI_OFLAGS_CREAT | __WASI_OFLAGS_EXCL, __WASI_RIGHTS_FD_WRITE | __WASI_RIGHTS_FD_SYNC);
}

int32_t file_size(int32_t file) {
  __wasi_filestat_t status;
  __wasi_errno_t error = __wasi_fd_filestat_get((__wasi_fd_t)file, &status);
  int32_t code = error == 0 ? code_of_type(status.filetype) : code_of(error);
  if (code < 0) return code;
  return status.size > INT32_MAX ? SHARING_TOO_LARGE : (int32_t)status.size;
}

// Swift traps where there is none, and where the array's own fields make the size overflow.
bool memory_has(int32_t count) {
  const int32_t fields = 64;
  if (count > INT32_MAX - fields) return false;
  // Volatile, since compilers remove what is only allocated and freed, as if it never failed.
  void *volatile memory = malloc((size_t)(count + fields));
  free(memory);
  return memory != NULL;
}

int32_t file_read(int32_t file, uint8_t *buffer, int32_t count) {
  __wasi_iovec_t span = {buffer, (__wasi_size_t)count};
  __wasi_size_t done;
  __wasi_errno_t error = __wasi_fd_read((__wasi_fd_t)file, &span, 1, &done);
  return error == 0 ? (int32_t)done : code_of(error);
}

int32_t file_write(int32_t file, const uint8_t *bytes, int32_t count) {
  __wasi_ciovec_t span = {bytes, (__wasi_size_t)count};
  __wasi_size_t done;
  __wasi_errno_t error = __wasi_fd_write((__wasi_fd_t)file, &span, 1, &done);
  return error == 0 ? (int32_t)done : code_of(error);
}

int32_t file_sync(int32_t file) { return checked(__wasi_fd_sync((__wasi_fd_t)file)); }

int32_t file_close(int32_t file) { return checked(__wasi_fd_close((__wasi_fd_t)file)); }

int32_t file_rename(const file_path *from, const file_path *to) {
  place old = place_of(from), new = place_of(to);
  return checked(__wasi_path_rename(old.folder, old.path, new.folder, new.path));
}

int32_t file_unlink(const file_path *path) {
  place at = place_of(path);
  return checked(__wasi_path_unlink_file(at.folder, at.path));
}

int32_t link_read(const file_path *path, char target[PATH_MAX]) {
  place at = place_of(path);
  __wasi_size_t count;
  __wasi_errno_t error =
    __wasi_path_readlink(at.folder, at.path, (uint8_t *)target, PATH_MAX, &count);
  // Where the host has no such path, it is not to be confused with one of the program's.
  if (error == 0) return *target == '/' ? SHARING_DENIED : (int32_t)count;
  return error == EPERM || error == ENOTCAPABLE ? SHARING_DENIED : 0;
}

int64_t file_age(const file_path *path) {
  place at = place_of(path);
  __wasi_filestat_t status;
  __wasi_timestamp_t now;
  if (__wasi_path_filestat_get(at.folder, 0, at.path, &status) != 0) return 0;
  if (__wasi_clock_time_get(__WASI_CLOCKID_REALTIME, 0, &now) != 0) return 0;
  return ((int64_t)now - (int64_t)status.mtim) / 1000000000;
}

int32_t folder_make(const file_path *path) {
  place at = place_of(path);
  return checked(__wasi_path_create_directory(at.folder, at.path));
}

int32_t folder_remove(const file_path *path) {
  place at = place_of(path);
  return checked(__wasi_path_remove_directory(at.folder, at.path));
}

void folder_sync(const file_path *path) {
  int32_t file = open_place(path, __WASI_OFLAGS_DIRECTORY, __WASI_RIGHTS_FD_SYNC);
  if (file < 0) return;
  (void)file_sync(file);
  (void)file_close(file);
}

int32_t folder_visit(
  const file_path *path, void (*visit)(void *context, const char *name, int32_t count),
  void *context) {
  int32_t folder = open_place(path, __WASI_OFLAGS_DIRECTORY, __WASI_RIGHTS_FD_READDIR);
  if (folder < 0) return folder;
  // Room for one entry with the longest name at the least; the last one in it may be cut off.
  uint8_t buffer[4096];
  __wasi_dircookie_t next = 0;
  __wasi_size_t count;
  __wasi_errno_t error;
  do {
    error = __wasi_fd_readdir((__wasi_fd_t)folder, buffer, sizeof buffer, next, &count);
    if (error != 0) break;
    for (size_t at = 0; at + sizeof(__wasi_dirent_t) <= count;) {
      __wasi_dirent_t entry;
      memcpy(&entry, buffer + at, sizeof entry);
      at += sizeof entry + entry.d_namlen;
      if (at > count) break;
      next = entry.d_next;
      visit(context, (const char *)buffer + at - entry.d_namlen, (int32_t)entry.d_namlen);
    }
  } while (count == sizeof buffer);
  (void)file_close(folder);
  return checked(error);
}

// A page's clock counts whole milliseconds, and loses some nanoseconds on the way here.
int64_t sharing_time_now(void) {
  __wasi_timestamp_t now;
  if (__wasi_clock_time_get(__WASI_CLOCKID_REALTIME, 0, &now) != 0) return 0;
  return ((int64_t)now + 500000) / 1000000;
}

int32_t stream_write(int32_t stream, const uint8_t *bytes, int32_t count) {
  return file_write(stream, bytes, count);
}

int32_t random_fill(uint8_t *bytes, int32_t count) {
  return checked(__wasi_random_get(bytes, (__wasi_size_t)count));
}

#endif
