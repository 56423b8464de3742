// The file system calls that Files.c builds whole-file operations from, over POSIX (Posix.c) or, in
// wasm, over WASI (Wasi.c). WASI is called directly, because wasi-libc's way to it, with tables of
// preopened folders and a working folder, is more code than all of Files.c.
//
// A negative result is a code of CHost.h; a file descriptor is never negative.

#ifndef FILE_SYSTEM_H
#define FILE_SYSTEM_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "CHost.h"

// The bytes of a path, NUL-terminated.
typedef struct {
  int32_t count;
  char bytes[PATH_MAX];
} file_path;

// The code for an error number. wasi-libc's are those of WASI.
static inline int32_t code_of(int error) {
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
    case EBUSY:
    case EXDEV:  // of a mount point, on some systems
      return SHARING_BUSY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return SHARING_QUOTA;
    case ENAMETOOLONG:
      return SHARING_NAME_TOO_LONG;
    case EILSEQ:
      return SHARING_NAME_INVALID;
    case EISDIR:
      return SHARING_FOLDER;
    case ELOOP:
    case ENXIO:  // natively, when a socket is opened
      return SHARING_NO_FILE;
    default:
      return SHARING_FAILED;
  }
}

// Opens a file for reading. For anything but a file the result is a code, without waiting.
int32_t file_open(const file_path *path);
// Creates a file for writing, with the owner and the permissions of the file `old`. If that is NULL
// or missing, only the owner of a private file may use it, and the others as the umask says.
int32_t file_make(const file_path *path, const file_path *old, bool is_private);
int32_t file_size(int32_t file);
// Whether there is memory for an array of so many bytes.
bool memory_has(int32_t count);
// The number of bytes that were read or written, which may be less than `count`.
int32_t file_read(int32_t file, uint8_t *buffer, int32_t count);
int32_t file_write(int32_t file, const uint8_t *bytes, int32_t count);
int32_t file_sync(int32_t file);
int32_t file_close(int32_t file);
int32_t file_rename(const file_path *from, const file_path *to);
int32_t file_unlink(const file_path *path);
// The number of bytes of a symbolic link's target; 0 if the path is not a link.
int32_t link_read(const file_path *path, char target[PATH_MAX]);
// The time since the file's last change, in seconds.
int64_t file_age(const file_path *path);

// Creates a folder. Fails also if the path exists.
int32_t folder_make(const file_path *path);
// Removes a folder that is empty.
int32_t folder_remove(const file_path *path);
// Makes the names in a folder survive a crash, where the file system supports that.
void folder_sync(const file_path *path);
// Calls `visit` with the name of every entry of a folder, in any order.
int32_t folder_visit(
  const file_path *path, void (*visit)(void *context, const char *name, int32_t count),
  void *context);

// Writes to a standard stream as `file_write` does to a file.
int32_t stream_write(int32_t stream, const uint8_t *bytes, int32_t count);
// Natively: opens /dev/null in place of standard streams that are closed, so that no file gets
// their descriptors.
void hold_streams(void);

// Fills memory with unpredictable bytes.
int32_t random_fill(uint8_t *bytes, int32_t count);

#endif
