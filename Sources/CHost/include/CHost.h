// The boundary between the Swift modules and whatever runs them.
//
// 1. Host imports: functions of the import module "sharing" that an embedder (web/sharing.js) may
//    provide. Nobody has to: under a WASI runtime that answers 0 to unknown imports, and natively,
//    `sharing_host_version`, `sharing_storage_probe` and `sharing_timer_set` read 0, which means
//    "no such host", and nothing else is called.
// 2. System glue: whole-file operations over WASI or POSIX, arguments, streams.
//
// 3. Exports, which the embedder calls (Swift's side is in Exports.swift of WasiStorage and
//    WasmDemo): `_initialize` and then `sharing_abi_version`, once; `sharing_start`, once; after
//    that `sharing_inbox(byte_count)`, a buffer for the text of the call that follows, and
//    `sharing_storage_changed(area, key_count)`, `sharing_page_event(name_count, value_count)`,
//    `sharing_page_shown(persisted)`, `sharing_page_hidden()`, `sharing_timer_fired(number)`. A
//    count of -1 is "none". `_start` runs the program as a command instead.
//
// Text crosses as (UTF-8 bytes, byte count). A stored text that has no UTF-8, since there is half a
// surrogate pair in it, crosses as the byte 255 and its JSON string, in both directions: no program
// takes that for its own, and what it sets aside is the very text. Results >= 0 are lengths or
// success, negative ones are the codes below. The import module's name for `sharing_area_verb` is `area_verb`.

#ifndef CHOST_H
#define CHOST_H

#include <stdbool.h>
#include <stdint.h>

/// The version of this contract. The host's answer to `sharing_host_version` and the program's
/// answer to the export `sharing_abi_version` must both be this number.
#define SHARING_ABI_VERSION 2

/// What a negative result means.
enum {
  SHARING_MISSING = -1,        ///< There is no such item or file.
  SHARING_DENIED = -2,         ///< The host refuses: SecurityError, no permission, read-only.
  SHARING_QUOTA = -3,          ///< There is no room: QuotaExceededError, disk full.
  SHARING_FAILED = -4,         ///< Anything else.
  SHARING_NAME_TOO_LONG = -5,  ///< The file name is longer than the file system takes.
  SHARING_NAME_INVALID = -6,   ///< No file can have that name: it has a NUL, say.
  SHARING_FOLDER = -7,         ///< A folder has that name.
  SHARING_NO_FILE = -8,        ///< So has a pipe, a socket, a device, or a circle of links.
};

/// The storage areas of a browser tab, and what is served like one.
enum {
  SHARING_AREA_LOCAL = 0,    ///< `localStorage`: shared by all tabs of an origin, kept.
  SHARING_AREA_SESSION = 1,  ///< `sessionStorage`: one tab's, kept until it closes.
  /// The part of the page's address behind `#`, as it stands there: one item, whatever the key,
  /// that is missing while there is none.
  SHARING_AREA_LOCATION = 2,
};

/// How much a console line matters.
enum {
  SHARING_LEVEL_NOTE = 0,   ///< Information.
  SHARING_LEVEL_ISSUE = 1,  ///< Misuse that the program survives.
  SHARING_LEVEL_FATAL = 2,  ///< The last words before a trap.
};

#ifdef __wasm__
#define SHARING_IMPORT(name) __attribute__((import_module("sharing"), import_name(#name)))
#else
#define SHARING_IMPORT(name)
#endif

// MARK: Host imports

/// The host's SHARING_ABI_VERSION, or 0 where there is no such host.
SHARING_IMPORT(host_version) int32_t sharing_host_version(void);

/// Whether an area can be read: 1 when it can, SHARING_DENIED when the host has it but refuses, 0
/// where there is no such host.
SHARING_IMPORT(storage_probe) int32_t sharing_storage_probe(int32_t area);

/// A number for the item of a key, whether it is there or not: what the calls that follow take. The
/// same key has the same number for as long as the page is there.
SHARING_IMPORT(storage_item)
int32_t sharing_storage_item(int32_t area, const uint8_t *key, int32_t key_count);

/// Looks at an item: a positive number for what it holds, or for there being none. For as long as
/// that stays the same, so does the item.
SHARING_IMPORT(storage_stamp) int32_t sharing_storage_stamp(int32_t item);

/// Writes an item's text, as the page has seen or stored it last, to `buffer`: its byte count,
/// when that is at most `capacity`. A larger number is the room with which to ask again; nothing can
/// be said of the buffer then. SHARING_MISSING when there was no such item.
SHARING_IMPORT(storage_get)
int32_t sharing_storage_get(int32_t item, uint8_t *buffer, int32_t capacity);

/// Stores an item, or removes it (a count of -1): its stamp, or a negative code, and then the old
/// item is untouched.
SHARING_IMPORT(storage_set)
int32_t sharing_storage_set(int32_t item, const uint8_t *text, int32_t text_count);

/// The name of an area's item, which is handed over as by `sharing_storage_get`; SHARING_MISSING
/// after the last. The order of items stays while none comes or goes.
SHARING_IMPORT(storage_key)
int32_t sharing_storage_key(int32_t area, int32_t index, uint8_t *buffer, int32_t capacity);

/// Has the export `sharing_timer_fired` called with `number`, once, when the time is over: a
/// positive number, or 0 where there are no timers.
SHARING_IMPORT(timer_set) int32_t sharing_timer_set(int32_t number, int32_t milliseconds);

/// Shows `text` wherever the page binds `name` (`data-text="name"`): how many places that is.
SHARING_IMPORT(page_set)
int32_t sharing_page_set(
  const uint8_t *name, int32_t name_count, const uint8_t *text, int32_t text_count);

/// Writes a line to the console: 0, or a negative code.
SHARING_IMPORT(console_write)
int32_t sharing_console_write(int32_t level, const uint8_t *text, int32_t text_count);

// MARK: System glue

/// Finds the folder for state and writes its path to `buffer` as `sharing_storage_get` does: under
/// WASI the first preopened folder, natively $SHARING_DIR or ".sharing" (made when first written
/// to). SHARING_MISSING when there is none, and in a native test that has no $SHARING_DIR.
int32_t sharing_file_root(bool is_test, uint8_t *buffer, int32_t capacity);

/// Finds the folder where the relative paths of documents begin, as `sharing_file_root` does: under
/// WASI the first preopened folder, natively the current one.
int32_t sharing_document_root(uint8_t *buffer, int32_t capacity);

/// The bytes of a file, which are handed over as by `sharing_storage_get`. What has the name and is
/// no file is a code; it is not waited for.
int32_t sharing_file_get(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity);

/// Replaces a file as a whole: temporary file, fsync, rename. A crash at any point leaves the old
/// or the new bytes, and perhaps a file `NAME.xxxxxxxx.sharing-tmp` beside it, which a later write
/// in the same folder removes when nobody has touched it for ten minutes. Makes the file's folder
/// where it is missing. A symbolic link stays, and the file to which it leads is replaced. Natively
/// the new file has the permissions of the old one, and its owner and group as far as the system lets
/// it; a WASI runtime gives it those of a file that it makes.
int32_t sharing_file_set(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count);

#ifndef __wasm__
/// The same, with the permissions, owner and group of another file, the model.
int32_t sharing_file_set_like(
  const uint8_t *model, int32_t model_count, const uint8_t *path, int32_t path_count,
  const uint8_t *bytes, int32_t byte_count);
#endif

/// Removes a file, if there is one: 0, or a negative code.
int32_t sharing_file_remove(const uint8_t *path, int32_t path_count);

/// The names of a folder's files, each followed by a NUL, which are handed over as by
/// `sharing_storage_get`. SHARING_MISSING when there is no such folder.
int32_t sharing_folder_list(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity);

/// Writes bytes to standard output (1) or standard error (2), without a buffer: 0, or a negative
/// code. That nobody reads them ends no program.
int32_t sharing_stream_write(int32_t stream, const uint8_t *bytes, int32_t byte_count);

/// The text of a command-line argument, which is handed over as by `sharing_storage_get`. The
/// program's name is argument 0; SHARING_MISSING after the last.
int32_t sharing_argument(int32_t index, uint8_t *buffer, int32_t capacity);

/// What the clock says: milliseconds since 1970-01-01 00:00 UTC, 0 where it cannot be read.
int64_t sharing_time_now(void);

/// Ends the program with an exit status.
_Noreturn void sharing_exit(int32_t status);

#endif
