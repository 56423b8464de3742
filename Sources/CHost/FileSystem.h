// The few calls of a file system that Files.c makes whole-file operations of: POSIX's (Posix.c), in
// wasm WASI's own (Wasi.c). The C library's way to the latter, through tables of preopened folders
// and a working folder, is more code than all of Files.c.
//
// A negative result is a code of CHost.h. An open file is a number that is not negative.

#ifndef FILE_SYSTEM_H
#define FILE_SYSTEM_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "CHost.h"

// A path of counted bytes with a NUL behind them.
typedef struct {
  int32_t count;
  char bytes[PATH_MAX];
} file_path;

// The code for an error number; those of WASI are the C library's.
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
    case ENXIO:  // natively, of a socket
      return SHARING_NO_FILE;
    default:
      return SHARING_FAILED;
  }
}

// Opens a file for reading. What is none is a code, and nothing to wait for.
int32_t file_open(const file_path *path);
// Opens a new file for writing, with the owner and the permissions of the one that it shall replace.
int32_t file_make(const file_path *path, const file_path *old);
int32_t file_size(int32_t file);
// The count of bytes that were read or written, which may be fewer than were asked for.
int32_t file_read(int32_t file, uint8_t *buffer, int32_t count);
int32_t file_write(int32_t file, const uint8_t *bytes, int32_t count);
int32_t file_sync(int32_t file);
int32_t file_close(int32_t file);
int32_t file_rename(const file_path *from, const file_path *to);
int32_t file_unlink(const file_path *path);
// The count of bytes of the path to which a symbolic link leads; 0 of what is no link.
int32_t link_read(const file_path *path, char target[PATH_MAX]);
// How long ago the file was changed, in seconds.
int64_t file_age(const file_path *path);

// What is there already fails too.
int32_t folder_make(const file_path *path);
// Makes the names in a folder survive a crash; not every file system lets that be done.
void folder_sync(const file_path *path);
// Calls back with the name of everything in a folder, in any order.
int32_t folder_visit(
  const file_path *path, void (*visit)(void *context, const char *name, int32_t count),
  void *context);

// Writes to a standard stream as `file_write` does to a file.
int32_t stream_write(int32_t stream, const uint8_t *bytes, int32_t count);
// Natively: has the numbers of standard streams that are closed taken by what cannot be used.
void hold_streams(void);

// Fills memory with unpredictable bytes.
int32_t random_fill(uint8_t *bytes, int32_t count);

#endif
