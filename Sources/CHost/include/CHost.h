// The boundary between the Swift modules and whatever runs them.
//
// 1. Host imports: functions of the import module "sharing", which an embedder
//    (JavaScript/sharing.js) may provide. They are optional: under a WASI runtime that answers 0 to
//    unknown imports, and natively, `sharing_host_version`, `sharing_storage_probe` and
//    `sharing_timer_set` return 0, which means "no such host", and the others are not called.
// 2. System glue: whole-file operations over WASI or POSIX, arguments, streams.
//
// 3. Exports, which the embedder calls (Swift's side is in files Exports.swift of WasiStorage and
//    SharingPage, and in EngineCalls.swift): `_initialize` and then `sharing_abi_version`, once;
//    `sharing_start`, once; after that `sharing_inbox(byte_count)`, a buffer for the text of the
//    next call, and
//    `sharing_storage_changed(area, key_count)`, `sharing_page_event(name_count, value_count)`,
//    `sharing_page_shown(persisted)`, `sharing_page_hidden()`, `sharing_timer_fired(number)`,
//    `sharing_engine_event(count)`. A count of -1 is "none". A program that exports `_start` runs
//    as a command instead. A program that another loader runs (`connect` of sharing.js) has no
//    `sharing_start` and no `sharing_page_event`; its loader calls `main`. Around each call that
//    the loader makes are `sharing_turn_begin()` and `sharing_turn_end()`: the changes of the
//    outermost are one turn. The latter is not called if the call has thrown.
//
// Text crosses as (UTF-8 bytes, byte count). A stored text with an unpaired surrogate has no UTF-8:
// it crosses, in both directions, as the byte 255 followed by its JSON string. That never decodes
// as a value, and a copy of it restores the original text. Results >= 0 are lengths or success,
// negative ones are the codes below. `sharing_area_verb` has the import name `area_verb`.
//
// This library defines no symbol of the C library and no entry point: those are the program's. See
// SmallLibc.h and WasmCommand.h.

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
  SHARING_QUOTA = -3,          ///< No space is left: QuotaExceededError, disk full.
  SHARING_FAILED = -4,         ///< Anything else.
  SHARING_NAME_TOO_LONG = -5,  ///< The file name is longer than the file system allows.
  SHARING_NAME_INVALID = -6,   ///< No file can have that name: it contains a NUL, for example.
  SHARING_FOLDER = -7,         ///< The name is a folder's.
  SHARING_NO_FILE = -8,        ///< The name is that of a pipe, a socket, a device or a link loop.
  SHARING_TOO_LARGE = -9,      ///< The file is larger than the memory that is there.
  SHARING_BUSY = -10,          ///< The browser ignores a change that comes too soon, or the file
                               ///< is a mount point.
};

/// The result of a write that was made in place.
enum { SHARING_IN_PLACE = 1 };

/// The storage areas of a browser tab, and other places with the same functions.
enum {
  SHARING_AREA_LOCAL = 0,    ///< `localStorage`: shared by all tabs of an origin, persistent.
  SHARING_AREA_SESSION = 1,  ///< `sessionStorage`: of one tab, until it is closed.
  /// The part of the page's address after `#`, not decoded: one item for every key, missing while
  /// the address has no such part.
  SHARING_AREA_LOCATION = 2,
};

/// What a count of bytes below -1 means.
enum {
  SHARING_DISCARD = -2,  ///< There is no text, and nobody uses the key again.
};

/// The severity of a console line.
enum {
  SHARING_LEVEL_NOTE = 0,   ///< Information.
  SHARING_LEVEL_ISSUE = 1,  ///< Misuse after which the program goes on.
  SHARING_LEVEL_FATAL = 2,  ///< The message before a trap.
};

#ifdef __wasm__
#define SHARING_IMPORT(name) __attribute__((import_module("sharing"), import_name(#name)))
#else
#define SHARING_IMPORT(name)
#endif

// MARK: Host imports

/// The host's SHARING_ABI_VERSION, or 0 where there is no such host.
SHARING_IMPORT(host_version) int32_t sharing_host_version(void);

/// Whether an area can be read: 1 if so, SHARING_DENIED if the host has it but refuses access, 0
/// where there is no such host.
SHARING_IMPORT(storage_probe) int32_t sharing_storage_probe(int32_t area);

/// The handle of a key's item, whether or not the item exists; the functions below take it. A key
/// keeps its handle for the lifetime of the page, unless its item is removed for good.
SHARING_IMPORT(storage_item)
int32_t sharing_storage_item(int32_t area, const uint8_t *key, int32_t key_count);

/// Reads an item's stamp, a positive number, also where there is no such item. While the stamp is
/// the same, so is the item.
SHARING_IMPORT(storage_stamp) int32_t sharing_storage_stamp(int32_t item);

/// Writes an item's text, as the page last read or stored it, to `buffer` and returns its byte
/// count if that is at most `capacity`. A larger result is the capacity to retry with; the buffer's
/// content is undefined then. SHARING_MISSING if there was no such item.
SHARING_IMPORT(storage_get)
int32_t sharing_storage_get(int32_t item, uint8_t *buffer, int32_t capacity);

/// Stores an item, or removes it (a count of -1). The result is its new stamp, or a negative code,
/// and then the old item is unchanged. With a count of SHARING_DISCARD, the handle of the removed
/// item is free, and may be given to another key; a page that does not know that keeps it.
SHARING_IMPORT(storage_set)
int32_t sharing_storage_set(int32_t item, const uint8_t *text, int32_t text_count);

/// The name of an area's item, returned as by `sharing_storage_get`; SHARING_MISSING after the
/// last. The order of items is stable while none is added or removed.
SHARING_IMPORT(storage_key)
int32_t sharing_storage_key(int32_t area, int32_t index, uint8_t *buffer, int32_t capacity);

/// Calls the export `sharing_timer_fired` with `number`, once, after the time has passed. The
/// result is positive, or 0 where there are no timers.
SHARING_IMPORT(timer_set) int32_t sharing_timer_set(int32_t number, int32_t milliseconds);

/// The minutes by which the visitor's clock is ahead of UTC now; 0 where there is no such host.
SHARING_IMPORT(time_zone) int32_t sharing_time_zone(void);

/// Shows `text` wherever the page binds `name` (`data-text="name"`): 0, or a negative code.
SHARING_IMPORT(page_set)
int32_t sharing_page_set(
  const uint8_t *name, int32_t name_count, const uint8_t *text, int32_t text_count);

/// Writes a line to the console: 0, or a negative code.
SHARING_IMPORT(console_write)
int32_t sharing_console_write(int32_t level, const uint8_t *text, int32_t text_count);

/// The name that the page gives to the app, returned as by `sharing_storage_get`; SHARING_MISSING
/// if it gives none.
SHARING_IMPORT(app_name) int32_t sharing_app_name(uint8_t *buffer, int32_t capacity);

/// Opens the page's engine of `.indexedDB` keys, "indexedDB", for an app of a name, which may be
/// empty: 1, or a negative code. A page loads that engine for programs that import this.
SHARING_IMPORT(engine_indexeddb)
int32_t sharing_engine_indexeddb(const uint8_t *name, int32_t name_count);

/// Whether the page has an engine of a name: 1, or something else.
SHARING_IMPORT(engine_find) int32_t sharing_engine_find(const uint8_t *name, int32_t name_count);

/// Sends a message to an engine; see EngineCalls.swift. Answers come by `sharing_engine_event`. The
/// result is 1, or something else where there is no such engine, or it does not take the message.
SHARING_IMPORT(engine_send)
int32_t sharing_engine_send(const uint8_t *message, int32_t message_count);

// MARK: System glue

/// The path of the folder for state, returned as by `sharing_storage_get`: under WASI the first
/// preopened folder, natively $SHARING_DIR or ".sharing" (created by the first write).
/// SHARING_MISSING if there is none, and in a native test without $SHARING_DIR.
int32_t sharing_file_root(bool is_test, uint8_t *buffer, int32_t capacity);

/// The path of the folder that relative paths of documents start from, returned likewise: under
/// WASI the first preopened folder, natively the current one.
int32_t sharing_document_root(uint8_t *buffer, int32_t capacity);

/// The bytes of a file, returned as by `sharing_storage_get`. For anything else of that name, such
/// as a pipe, the result is a code, without waiting.
int32_t sharing_file_get(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity);

/// Replaces a file as a whole: temporary file, fsync, rename. A crash at any point leaves the old
/// or the new bytes, and perhaps a file `NAME.xxxxxxxx.sharing-tmp` beside it, which a later write
/// in the same folder removes when nobody has touched it for ten minutes. Makes the file's folder
/// where it is missing. A symbolic link stays, and the file to which it leads is replaced. Natively
/// the new file has the permissions, owner and group of the old one, as far as the system lets it.
/// If there was none and `is_private`, only its owner may read it. A WASI runtime gives it the
/// permissions of a new file.
///
/// If the system refuses that, since the file is a mount point or its folder is not writable, a
/// native program writes the file in place. The result is SHARING_IN_PLACE. If the folder is
/// writable, the new bytes are in `NAME.sharing-copy` meanwhile. A failed write restores the old
/// bytes.
int32_t sharing_file_set(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count,
  bool is_private);

/// Removes a file if it exists: 0, or a negative code.
int32_t sharing_file_remove(const uint8_t *path, int32_t path_count);

/// Makes a file that does not exist yet, and its folder where that is missing: 0, or a negative
/// code. It survives the program's end; a power failure may take it.
int32_t sharing_file_add(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count);

/// Renames a file or a folder: 0, or a negative code, SHARING_MISSING if it does not exist. Of
/// several programs that rename one name at once, one succeeds. The new name survives a power
/// failure, as do files that were added to its folder before.
int32_t sharing_file_move(
  const uint8_t *from, int32_t from_count, const uint8_t *to, int32_t to_count);

/// Removes a folder that is empty: 0, or a negative code.
int32_t sharing_folder_remove(const uint8_t *path, int32_t path_count);

/// The names of a folder's files, each followed by a NUL, returned as by `sharing_storage_get`.
/// SHARING_MISSING if there is no such folder.
int32_t sharing_folder_list(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity);

/// Writes bytes to standard output (1) or standard error (2), unbuffered: 0, or a negative code. A
/// closed pipe is a code too, not a signal that ends the program.
int32_t sharing_stream_write(int32_t stream, const uint8_t *bytes, int32_t byte_count);

/// A command-line argument, returned as by `sharing_storage_get`. Argument 0 is the program's name;
/// SHARING_MISSING after the last.
int32_t sharing_argument(int32_t index, uint8_t *buffer, int32_t capacity);

/// The current time in milliseconds since 1970-01-01 00:00 UTC, or 0 if it cannot be read.
int64_t sharing_time_now(void);

/// The current day in the visitor's time zone, the 28th of November 2026 as 20261128. Under a WASI
/// runtime, which has no zone, the day in UTC.
int32_t sharing_day_today(void);

/// Whether there is stack enough for one more level of a recursion whose depth others decide: in
/// wasm, where a stack that overflows is a trap, more than an eighth of it. Natively always.
bool sharing_stack_has_room(void);

/// Natively: receives SIGTERM, SIGINT and SIGHUP from now on, each once, unless the program handles
/// or ignores it. The second one ends the program. False if the system refuses.
bool sharing_signals_receive(void);

/// Waits for the next received signal and returns its number, or a negative code.
int32_t sharing_signal_await(void);

/// Ends the program by a signal.
void sharing_signal_end(int32_t number);

/// Ends the program with an exit status.
_Noreturn void sharing_exit(int32_t status);

#endif
