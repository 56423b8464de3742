// Whole files: read, replaced, removed, listed. What the system has for it is in FileSystem.h.

#include "FileSystem.h"

#include <string.h>

static int32_t copy_path(file_path *to, const uint8_t *path, int32_t count) {
  if ((size_t)count >= sizeof to->bytes) return SHARING_NAME_TOO_LONG;
  memcpy(to->bytes, path, (size_t)count);
  to->bytes[count] = 0;
  to->count = count;
  return 0;
}

int32_t sharing_file_get(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity) {
  file_path name;
  int32_t code = copy_path(&name, path, path_count);
  if (code < 0) return code;
  int32_t file = file_open(&name, FOR_READING);
  if (file < 0) return file;
  int32_t result = file_size(file);
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

// The count of bytes before the last `/` of a path.
static int32_t folder_count(const file_path *path) {
  int32_t count = path->count;
  while (count > 0 && path->bytes[count] != '/') count--;
  return count;
}

// Makes every folder on the way to a file. What fails here fails again, and tells, when the file is
// opened.
static void make_folder_of(file_path *path) {
  int32_t whole = path->count;
  for (int32_t i = 1; i < whole; i++) {
    if (path->bytes[i] != '/') continue;
    path->bytes[path->count = i] = 0;
    (void)folder_make(path);
    path->bytes[i] = '/';
  }
  path->count = whole;
}

// The rename itself must survive a crash too.
static void sync_folder_of(file_path *path) {
  int32_t count = folder_count(path);
  if (count == 0) return;
  path->bytes[path->count = count] = 0;
  folder_sync(path);
}

// How a temporary file's name ends: `.xxxxxxxx.tmp`, with a name of its own for every write, since two
// processes may write the same file at once.
enum { RANDOM_COUNT = 8, TEMPORARY_COUNT = 1 + RANDOM_COUNT + 4 };

static int32_t temporary_path(file_path *to, const uint8_t *path, int32_t path_count) {
  int32_t code = copy_path(to, path, path_count);
  if (code == 0 && path_count + TEMPORARY_COUNT >= PATH_MAX) code = SHARING_NAME_TOO_LONG;
  uint8_t random[RANDOM_COUNT];
  if (code == 0) code = random_fill(random, RANDOM_COUNT);
  if (code < 0) return code;
  char *end = to->bytes + path_count;
  *end++ = '.';
  for (int32_t i = 0; i < RANDOM_COUNT; i++) *end++ = "0123456789abcdef"[random[i] & 15];
  memcpy(end, ".tmp", 5);
  to->count += TEMPORARY_COUNT;
  return 0;
}

int32_t sharing_file_set(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count) {
  file_path name, temporary;
  int32_t code = copy_path(&name, path, path_count);
  if (code == 0) code = temporary_path(&temporary, path, path_count);
  if (code < 0) return code;
  int32_t file = file_open(&temporary, FOR_NEW);
  if (file == SHARING_MISSING) {
    make_folder_of(&temporary);
    file = file_open(&temporary, FOR_NEW);
  }
  if (file < 0) return file;
  file_keep_mode(file, &name);
  code = write_all(file, bytes, byte_count);
  if (code == 0) code = file_sync(file);
  int32_t closed = file_close(file);
  if (code == 0) code = closed;
  if (code == 0) code = file_rename(&temporary, &name);
  if (code == 0) {
    sync_folder_of(&name);
  } else {
    (void)file_unlink(&temporary);
  }
  return code;
}

int32_t sharing_file_remove(const uint8_t *path, int32_t path_count) {
  file_path name;
  int32_t code = copy_path(&name, path, path_count);
  if (code == 0) code = file_unlink(&name);
  return code == SHARING_MISSING ? 0 : code;
}

// MARK: Folders

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

// MARK: What crashed writers have left

// A live writer is done within seconds. One that was stopped for longer finds its file gone, says
// that it could not write, and is asked again.
enum { LEFTOVER_AGE = 600 };

typedef struct {
  file_path path;
  int32_t folder_count;
  const uint8_t *name;
  int32_t name_count;
  int32_t removed;
} cleaning;

// Whether this is the name of a temporary file: of the file `name`, or of any where that is empty.
static bool is_leftover(const cleaning *at, const char *name, int32_t count) {
  int32_t stem = count - TEMPORARY_COUNT;
  if (stem <= 0 || name[stem] != '.' || memcmp(name + count - 4, ".tmp", 4) != 0) return false;
  if (at->name_count == 0) return true;
  return at->name_count == stem && memcmp(name, at->name, (size_t)stem) == 0;
}

static void clean_name(void *context, const char *name, int32_t count) {
  cleaning *at = context;
  if (!is_leftover(at, name, count) || at->folder_count + 1 + count >= PATH_MAX) return;
  char *end = at->path.bytes + at->folder_count;
  *end++ = '/';
  memcpy(end, name, (size_t)count);
  end[count] = 0;
  at->path.count = at->folder_count + 1 + count;
  if (file_age(&at->path) > LEFTOVER_AGE && file_unlink(&at->path) == 0) at->removed++;
}

void sharing_folder_clean(
  const uint8_t *path, int32_t path_count, const uint8_t *name, int32_t name_count) {
  cleaning at = {.folder_count = path_count, .name = name, .name_count = name_count};
  file_path folder;
  if (copy_path(&folder, path, path_count) < 0 || copy_path(&at.path, path, path_count) < 0) return;
  // A runtime may number the names anew for each piece of the list: then removals hide some.
  do at.removed = 0;
  while (folder_visit(&folder, clean_name, &at) == 0 && at.removed > 0);
}
