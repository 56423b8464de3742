// Whole files: read, replaced, removed, listed. What the system has for it is in FileSystem.h.

#include "FileSystem.h"

#include <string.h>

static int32_t copy_path(file_path *to, const uint8_t *path, int32_t count) {
  if ((size_t)count >= sizeof to->bytes) return SHARING_NAME_TOO_LONG;
  memcpy(to->bytes, path, (size_t)count);
  to->bytes[count] = 0;
  to->count = count;
  return strlen(to->bytes) == (size_t)count ? 0 : SHARING_NAME_INVALID;
}

int32_t sharing_file_get(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity) {
  file_path name;
  int32_t code = copy_path(&name, path, path_count);
  if (code < 0) return code;
  int32_t file = file_open(&name);
  if (file < 0) return file;
  int32_t result = file_size(file);
  if (result > capacity && !memory_has(result)) result = SHARING_TOO_LARGE;
  for (int32_t done = 0; result <= capacity && done < result;) {
    int32_t count = file_read(file, buffer + done, result - done);
    if (count > 0) {
      done += count;
    } else {
      result = count < 0 ? count : done;  // somebody has truncated it: what there is
    }
  }
  file_close(file);
  return result;
}

static int32_t write_all(int32_t file, const uint8_t *bytes, int32_t count) {
  for (int32_t done = 0; done < count;) {
    int32_t wrote = file_write(file, bytes + done, count - done);
    if (wrote < 0) return wrote;
    done += wrote;
  }
  return 0;
}

// The count of bytes in front of a file's own name.
static int32_t folder_count(const file_path *path) {
  int32_t count = path->count;
  while (count > 0 && path->bytes[count - 1] != '/') count--;
  return count;
}

// Makes a file's path that of its folder.
static void leave_file(file_path *path) {
  int32_t count = folder_count(path);
  if (count == 0) path->bytes[count++] = '.';
  if (count > 1) count--;
  path->bytes[path->count = count] = 0;
}

// Makes every folder on the way to a file: 0, or perhaps why one of them could not be made.
static int32_t make_folder_of(file_path *path) {
  int32_t whole = path->count, code = 0;
  for (int32_t i = 1; i < whole; i++) {
    if (path->bytes[i] != '/') continue;
    path->bytes[path->count = i] = 0;
    int32_t made = folder_make(path);
    // Ignore an existing folder, and errors that follow from an earlier one.
    if (made != SHARING_FAILED && made != SHARING_MISSING) code = made;
    path->bytes[i] = '/';
  }
  path->count = whole;
  return code;
}

// Makes a file that does not exist yet, and its folder where that is missing.
static int32_t make_file(file_path *path, const file_path *old, bool is_private) {
  int32_t file = file_make(path, old, is_private);
  if (file != SHARING_MISSING) return file;
  int32_t code = make_folder_of(path);
  file = file_make(path, old, is_private);
  return file == SHARING_MISSING && code < 0 ? code : file;
}

// Replaces the path of a symbolic link by that of its target, whether or not that exists: the link
// is the user's choice of where the file is.
static int32_t follow_links(file_path *path) {
  enum { LIMIT = 40 };  // Linux's
  char target[PATH_MAX];
  for (int32_t links = 0; links < LIMIT; links++) {
    int32_t count = link_read(path, target);
    if (count <= 0) return count;
    int32_t start = *target == '/' ? 0 : folder_count(path);
    if (start + count >= PATH_MAX) return SHARING_NAME_TOO_LONG;
    memcpy(path->bytes + start, target, (size_t)count);
    path->bytes[path->count = start + count] = 0;
  }
  return SHARING_NO_FILE;
}

// The end of a temporary file's name. Each write has its own, since two processes may write one
// file at once. No other program's files end in it.
static const char SUFFIX[] = ".xxxxxxxx.sharing-tmp";
enum { SUFFIX_COUNT = sizeof SUFFIX - 1, RANDOM_COUNT = 8, MARK_COUNT = 1 + RANDOM_COUNT };

static int32_t temporary_path(file_path *to, const file_path *path) {
  uint8_t random[RANDOM_COUNT];
  int32_t code = random_fill(random, RANDOM_COUNT);
  if (code < 0) return code;
  *to = *path;
  // A name for which there is room as it is, but not with the suffix, is left out.
  int32_t start = folder_count(path);
  if (to->count - start + SUFFIX_COUNT > NAME_MAX) to->count = start;
  if (to->count + SUFFIX_COUNT >= PATH_MAX) return SHARING_NAME_TOO_LONG;
  char *end = to->bytes + to->count;
  memcpy(end, SUFFIX, sizeof SUFFIX);
  for (int32_t i = 0; i < RANDOM_COUNT; i++) end[1 + i] = "0123456789abcdef"[random[i] & 15];
  to->count += SUFFIX_COUNT;
  return 0;
}

// A live writer finishes within seconds. One that was stopped for longer finds its file gone,
// reports a failed write, and writes again later.
enum { LEFTOVER_AGE = 600, WRITES_BETWEEN_CLEANINGS = 256 };

// Removes a name from the folder whose path is the context, if a crashed writer has left it there.
static void clean_name(void *context, const char *name, int32_t count) {
  file_path leftover = *(const file_path *)context;
  const char *mark = SUFFIX + MARK_COUNT;
  int32_t rest = count - (SUFFIX_COUNT - MARK_COUNT);
  if (rest < 0 || memcmp(name + rest, mark, SUFFIX_COUNT - MARK_COUNT) != 0) return;
  if (leftover.count + 1 + count >= PATH_MAX) return;
  leftover.bytes[leftover.count++] = '/';
  memcpy(leftover.bytes + leftover.count, name, (size_t)count);
  leftover.bytes[leftover.count += count] = 0;
  if (file_age(&leftover) > LEFTOVER_AGE) (void)file_unlink(&leftover);
}

// With the first write of a program, and now and then after it.
static void clean_sometimes(const file_path *folder) {
  static _Atomic uint32_t writes;
  if (writes++ % WRITES_BETWEEN_CLEANINGS == 0)
    (void)folder_visit(folder, clean_name, (void *)folder);
}

int32_t sharing_file_set(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count,
  bool is_private) {
  file_path name, temporary;
  int32_t code = copy_path(&name, path, path_count);
  if (code == 0) code = follow_links(&name);
  if (code == 0) code = temporary_path(&temporary, &name);
  if (code < 0) return code;
  int32_t file = make_file(&temporary, &name, is_private);
  if (file < 0) return file;
  code = write_all(file, bytes, byte_count);
  if (code == 0) code = file_sync(file);
  int32_t closed = file_close(file);
  if (code == 0) code = closed;
  if (code == 0) code = file_rename(&temporary, &name);
  if (code < 0) {
    (void)file_unlink(&temporary);
    return code;
  }
  leave_file(&name);
  folder_sync(&name);  // the rename itself must survive a crash too
  clean_sometimes(&name);
  return 0;
}

int32_t sharing_file_remove(const uint8_t *path, int32_t path_count) {
  file_path name;
  int32_t code = copy_path(&name, path, path_count);
  if (code == 0) code = file_unlink(&name);
  return code == SHARING_MISSING ? 0 : code;
}

int32_t sharing_file_add(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count) {
  file_path name;
  int32_t code = copy_path(&name, path, path_count);
  if (code < 0) return code;
  int32_t file = make_file(&name, NULL, false);
  if (file < 0) return file;
  code = write_all(file, bytes, byte_count);
  if (code == 0 && byte_count > 0) code = file_sync(file);
  int32_t closed = file_close(file);
  if (code == 0) code = closed;
  if (code < 0) (void)file_unlink(&name);
  return code;
}

int32_t sharing_file_move(
  const uint8_t *from, int32_t from_count, const uint8_t *to, int32_t to_count) {
  file_path old, new;
  int32_t code = copy_path(&old, from, from_count);
  if (code == 0) code = copy_path(&new, to, to_count);
  if (code == 0) code = file_rename(&old, &new);
  if (code < 0) return code;
  leave_file(&new);
  folder_sync(&new);  // the new name must survive a crash before the caller removes old files
  return 0;
}

// MARK: Folders

int32_t sharing_folder_remove(const uint8_t *path, int32_t path_count) {
  file_path name;
  int32_t code = copy_path(&name, path, path_count);
  return code == 0 ? folder_remove(&name) : code;
}

typedef struct {
  uint8_t *buffer;
  int32_t capacity;
  int64_t count;
} name_list;

static void list_name(void *context, const char *name, int32_t count) {
  name_list *list = context;
  if (list->count + count < list->capacity) {
    memcpy(list->buffer + list->count, name, (size_t)count);
    list->buffer[list->count + count] = 0;
  }
  list->count += count + 1;
}

int32_t sharing_folder_list(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity) {
  file_path name;
  name_list list = {buffer, capacity, 0};
  int32_t code = copy_path(&name, path, path_count);
  if (code == 0) code = folder_visit(&name, list_name, &list);
  if (code < 0) return code;
  return list.count > INT32_MAX ? SHARING_FAILED : (int32_t)list.count;
}
