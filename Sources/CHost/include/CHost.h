// The boundary between the Swift modules and their host: a page, a WASI runtime, or the operating
// system of a native program. Three parts:
//
// 1. Host imports: functions of the import module "sharing", which JavaScript/sharing.js provides.
//    `sharing_area_verb` has the import name `area_verb`. They are optional: natively, and under a
//    WASI runtime that answers 0 to unknown imports, `sharing_host_version`,
//    `sharing_storage_probe` and `sharing_timer_set` return 0, for "no such host". The other ones
//    are then not called.
// 2. System glue: calls of WASI or POSIX, for whole files, arguments, streams, time and signals.
// 3. Exports, which the host calls. Their Swift code is in the files Exports.swift of WasiStorage
//    and SharingPage, and in EngineCalls.swift:
//
//      `_initialize`, then `sharing_abi_version`     once, first
//      `sharing_start`                               once, then the program runs
//      `sharing_inbox(byte_count)`                   returns the buffer for the next call's text
//      `sharing_storage_changed(area, key_count)`    another program has changed an item
//      `sharing_page_event(name_count, text_count)`  an action of a person
//      `sharing_page_shown(persisted)`, `sharing_page_hidden()`
//      `sharing_timer_fired(number)`
//      `sharing_engine_event(count)`                 a message from an engine
//      `sharing_turn_begin()`, `sharing_turn_end()`  around each call by another loader
//
//    A count of -1 means that there is no text. A program that exports `_start` runs as a command
//    instead. A program of another loader (`connect` of sharing.js) has no `sharing_start` and no
//    `sharing_page_event`: the loader calls `main`. The changes between the outermost
//    `sharing_turn_begin` and its `sharing_turn_end` are one turn. If the call throws, the end is
//    not called.
//
// Text crosses the boundary as UTF-8 bytes and a byte count. A stored text with an unpaired
// surrogate has no UTF-8. It crosses, in both directions, as the byte 255 and its JSON string: that
// never decodes as a value, and a copy of it restores the original text.
//
// A result of 0 or more is success, often a byte count. A negative one is one of the codes below.
//
// This library defines no symbol of the C library and no entry point. The program may get both from
// SmallLibc.h and WasmCommand.h.

#ifndef CHOST_H
#define CHOST_H

#include <stdbool.h>
#include <stdint.h>

/// The version of this boundary. `sharing_host_version` of the host and the export
/// `sharing_abi_version` of the program must both return this number.
#define SHARING_ABI_VERSION 2

/// The negative results.
enum {
  SHARING_MISSING = -1,        ///< There is no such item or file.
  SHARING_DENIED = -2,         ///< The host refuses: SecurityError, no permission, read-only.
  SHARING_QUOTA = -3,          ///< No space is left: QuotaExceededError, disk full.
  SHARING_FAILED = -4,         ///< Anything else.
  SHARING_NAME_TOO_LONG = -5,  ///< The file name is longer than the file system allows.
  SHARING_NAME_INVALID = -6,   ///< No file can have that name: it contains a NUL, for example.
  SHARING_FOLDER = -7,         ///< The name is that of a folder.
  SHARING_NO_FILE = -8,        ///< The name is that of a pipe, a socket, a device or a link loop.
  SHARING_TOO_LARGE = -9,      ///< The file is larger than the free memory.
  SHARING_BUSY = -10,          ///< Too many changes in a short time for the browser, or the file is
                               ///< a mount point.
};

/// The storage areas of a browser tab. The address counts as one.
enum {
  SHARING_AREA_LOCAL = 0,    ///< `localStorage`: shared by all tabs of an origin, persistent.
  SHARING_AREA_SESSION = 1,  ///< `sessionStorage`: of one tab, until it is closed.
  /// The part of the page's address after `#`, not decoded. It is the one item of all keys, and is
  /// missing if the address has no such part.
  SHARING_AREA_LOCATION = 2,
};

/// A byte count of `sharing_storage_set` with a meaning of its own.
enum {
  SHARING_DISCARD = -2,  ///< Removes the item of a key that is never used again.
};

/// The severity of a console line.
enum {
  SHARING_LEVEL_NOTE = 0,   ///< Information.
  SHARING_LEVEL_ISSUE = 1,  ///< A misuse. The program continues.
  SHARING_LEVEL_FATAL = 2,  ///< The message before the program stops.
};

#ifdef __wasm__
#define SHARING_IMPORT(name) __attribute__((import_module("sharing"), import_name(#name)))
#else
#define SHARING_IMPORT(name)
#endif

// MARK: Host imports

/// Returns the host's SHARING_ABI_VERSION, or 0 without a host.
SHARING_IMPORT(host_version) int32_t sharing_host_version(void);

/// Returns whether an area can be read: 1, SHARING_DENIED if the host refuses access, or 0 without
/// a host.
SHARING_IMPORT(storage_probe) int32_t sharing_storage_probe(int32_t area);

/// Returns the handle of a key's item, for the functions below, whether or not the item exists. It
/// is valid for the lifetime of the page, or until the item is removed with SHARING_DISCARD.
SHARING_IMPORT(storage_item)
int32_t sharing_storage_item(int32_t area, const uint8_t *key, int32_t key_count);

/// Returns the stamp of an item, a positive number, also if the item is missing. Equal stamps mean
/// an unchanged item.
SHARING_IMPORT(storage_stamp) int32_t sharing_storage_stamp(int32_t item);

/// Writes the text of an item, as the page last read or stored it, to `buffer`, and returns its
/// byte count. If that is more than `capacity`, the content of the buffer is undefined: call again
/// with that capacity. Returns SHARING_MISSING if there is no item.
SHARING_IMPORT(storage_get)
int32_t sharing_storage_get(int32_t item, uint8_t *buffer, int32_t capacity);

/// Stores an item, or removes it if the count is -1. Returns its new stamp. After a negative result
/// the old item is unchanged. A count of SHARING_DISCARD also frees the handle, which another key
/// may get; an older page only removes the item.
SHARING_IMPORT(storage_set)
int32_t sharing_storage_set(int32_t item, const uint8_t *text, int32_t text_count);

/// Writes the name of the item of an area at an index, as `sharing_storage_get` does a text.
/// Returns SHARING_MISSING after the last one. The order is stable while no item is added or
/// removed.
SHARING_IMPORT(storage_key)
int32_t sharing_storage_key(int32_t area, int32_t index, uint8_t *buffer, int32_t capacity);

/// Starts a timer, which calls the export `sharing_timer_fired(number)` once. Returns a positive
/// number, or 0 on a host without timers.
SHARING_IMPORT(timer_set) int32_t sharing_timer_set(int32_t number, int32_t milliseconds);

/// Returns the minutes by which the visitor's clock is ahead of UTC now; 0 on other hosts.
SHARING_IMPORT(time_zone) int32_t sharing_time_zone(void);

/// Shows a text in all elements that bind the name (`data-text="name"`): 0, or a negative code.
SHARING_IMPORT(page_set)
int32_t sharing_page_set(
  const uint8_t *name, int32_t name_count, const uint8_t *text, int32_t text_count);

/// Writes a line to the console: 0, or a negative code.
SHARING_IMPORT(console_write)
int32_t sharing_console_write(int32_t level, const uint8_t *text, int32_t text_count);

/// Writes the name that the page gives to the app, as `sharing_storage_get` does a text. Returns
/// SHARING_MISSING if there is none.
SHARING_IMPORT(app_name) int32_t sharing_app_name(uint8_t *buffer, int32_t capacity);

/// Opens "indexedDB", the page's engine of `.indexedDB` keys, for the app of a name, which may be
/// empty: 1, or a negative code. A page loads this engine only for programs with this import.
SHARING_IMPORT(engine_indexeddb)
int32_t sharing_engine_indexeddb(const uint8_t *name, int32_t name_count);

/// Returns 1 if the page has an engine of this name.
SHARING_IMPORT(engine_find) int32_t sharing_engine_find(const uint8_t *name, int32_t name_count);

/// Sends a message to an engine; EngineCalls.swift has the messages. The export
/// `sharing_engine_event` receives the answer. Returns 1 if the engine has accepted the message.
SHARING_IMPORT(engine_send)
int32_t sharing_engine_send(const uint8_t *message, int32_t message_count);

// MARK: System glue

/// Writes the path of the folder for state, as `sharing_storage_get` does a text: under WASI the
/// first preopened folder, natively $SHARING_DIR or ".sharing", which the first write creates.
/// Returns SHARING_MISSING if there is none, and in a native test without $SHARING_DIR.
int32_t sharing_file_root(bool is_test, uint8_t *buffer, int32_t capacity);

/// Writes the path of the folder in which relative paths of documents begin, likewise: under WASI
/// the first preopened folder, natively the current one.
int32_t sharing_document_root(uint8_t *buffer, int32_t capacity);

/// Writes the bytes of a file, as `sharing_storage_get` does a text. For a pipe or another name
/// that is no file, returns a negative code and does not wait.
int32_t sharing_file_get(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity);

/// Replaces a file as a whole: writes a temporary file, syncs it, and renames it. Creates the
/// folder of the file if it is missing.
///
/// - After a crash, the file has the old bytes or the new ones. A temporary file
///   `NAME.xxxxxxxx.sharing-tmp` may stay; a later write in the folder removes it if it has not
///   changed for ten minutes.
/// - A symbolic link stays; its target is replaced.
/// - Natively, the new file has the permissions, owner and group of the old one, if the system
///   allows that. Without an old one and with `is_private`, only the owner may read it. Under WASI,
///   it has the permissions of any new file.
/// - A file that is a mount point, or in a folder that is not writable, is not written.
int32_t sharing_file_set(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count,
  bool is_private);

/// Removes a file if it exists: 0, or a negative code.
int32_t sharing_file_remove(const uint8_t *path, int32_t path_count);

/// Creates a new file, and its folder if that is missing: 0, or a negative code. The file survives
/// the end of the program, but maybe not a power failure.
int32_t sharing_file_add(
  const uint8_t *path, int32_t path_count, const uint8_t *bytes, int32_t byte_count);

/// Renames a file or a folder: 0, or a negative code, SHARING_MISSING if it does not exist. If
/// several programs rename it at once, one of them succeeds. The new name survives a power failure,
/// and so do the files that were created in its folder before.
int32_t sharing_file_move(
  const uint8_t *from, int32_t from_count, const uint8_t *to, int32_t to_count);

/// Removes an empty folder: 0, or a negative code.
int32_t sharing_folder_remove(const uint8_t *path, int32_t path_count);

/// Writes the names of the files of a folder, each with a NUL behind it, as `sharing_storage_get`
/// does a text. Returns SHARING_MISSING if there is no such folder.
int32_t sharing_folder_list(
  const uint8_t *path, int32_t path_count, uint8_t *buffer, int32_t capacity);

/// Writes bytes to standard output (1) or standard error (2), without a buffer: 0, or a negative
/// code. A closed pipe is such a code, not a signal that ends the program.
int32_t sharing_stream_write(int32_t stream, const uint8_t *bytes, int32_t byte_count);

/// Writes an argument of the command line, as `sharing_storage_get` does a text. Argument 0 is the
/// name of the program. Returns SHARING_MISSING after the last one.
int32_t sharing_argument(int32_t index, uint8_t *buffer, int32_t capacity);

/// Returns the time in milliseconds since 1970-01-01 00:00 UTC, or 0 if the system has none.
int64_t sharing_time_now(void);

/// Returns the current day in the visitor's time zone: 20261128 for the 28th of November 2026.
/// Under a WASI runtime, which has no zone, it is the day in UTC.
int32_t sharing_day_today(void);

/// Returns whether the stack has room for one more level of a recursion over stored data, whose
/// depth other programs determine. In wasm, an overflow is a trap: more than an eighth of the stack
/// must be free. Natively always true.
bool sharing_stack_has_room(void);

/// Begins to receive SIGTERM, SIGINT and SIGHUP, natively. Each is received once; the second one
/// ends the program. A signal that the program handles or ignores is not received. Returns false if
/// the system refuses.
bool sharing_signals_receive(void);

/// Waits for the next received signal. Returns its number, or a negative code.
int32_t sharing_signal_await(void);

/// Ends the program by a signal.
void sharing_signal_end(int32_t number);

/// Ends the program with an exit status.
_Noreturn void sharing_exit(int32_t status);

#endif
