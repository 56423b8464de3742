// Runs a program in a page: the page's side of the boundary in Sources/CHost/include/CHost.h.

/** The version of the boundary. A program that was built for another one does not start. */
export const abiVersion: number;

/**
 * Runs a program. It never throws: if the program cannot start, or stops because of a mistake, the
 * console has the error, and `page.fail` is called.
 *
 * ```js
 * import { bind } from "./page.js";
 * import { start } from "./sharing.js";
 *
 * start(fetch(new URL("app.wasm", import.meta.url)), window, bind(document));
 * ```
 * @param source the response with the program
 * @param window the window with the storages, timers and events of the program
 * @param page shows the state of the program: `bind(document)` of page.js, or an object of your own
 * @returns the running program; undefined if it cannot start
 */
export function start(
  source: Promise<Response>,
  window: Window & typeof globalThis,
  page: Page,
  options?: Options,
): Promise<Program | undefined>;

/**
 * Connects a program that another loader runs, such as that of JavaScriptKit or one of your own.
 * The program depends on WasiStorage, and changes the page itself.
 *
 * ```js
 * import { connect } from "./sharing.js";
 *
 * const sharing = await connect(window, { fail: (message) => status.textContent = message });
 * const program = fetch(new URL("app.wasm", import.meta.url));
 * const { instance } = await WebAssembly.instantiateStreaming(program, {
 *   ...sharing.imports,
 *   wasi_snapshot_preview1: sharing.wasi.wasiImport,
 * });
 * const { exports } = sharing.attach(instance);
 * exports._initialize();
 * exports.__main_argc_argv(0, 0);
 * ```
 * Call it once for each program. It loads `connect.js` beside `sharing.js`.
 * @throws Error if `options.name` is not valid; `options.fail` is called, too
 */
export function connect(
  window: Window & typeof globalThis,
  options?: ConnectOptions,
): Promise<Connection>;

/** The options of `connect`. */
export interface ConnectOptions {
  /** The name of the app, as `Options.name`. */
  name?: string;

  /**
   * Engines of your own, as `Options.engines`. The modules of engines are loaded when the program
   * uses one for the first time.
   */
  engines?: { [name: string]: Engine };

  /** Loads the inspector, as `Options.inspector`. */
  inspector?(): Promise<Inspector>;

  /**
   * Called if the program cannot start, or stops because of a mistake in it or in its page. The
   * console has the message, the reason and advice, also without this function.
   * @param message a sentence for the person at the page
   */
  fail?(message: string): void;
}

/** The connection to a program that another loader runs. */
export interface Connection {
  /**
   * The import module "sharing" of the program. Add it to the other imports:
   * `{ ...others, ...imports }`.
   */
  readonly imports: { sharing: WebAssembly.ModuleImports };

  /**
   * The functions of WASI that a program in a page uses, for a loader without a WASI of its own.
   * Another implementation works, too. With this one, the message about a stopped program has the
   * last lines that the program has written.
   */
  readonly wasi: {
    wasiImport: WebAssembly.ModuleImports;
    initialize(instance: { exports: WebAssembly.Exports }): void;
    setInstance(instance: { exports: WebAssembly.Exports }): void;
  };

  /**
   * Connects the instance. Call it before the loader calls `_initialize` and `main`, and give the
   * loader the result instead of the instance. Each call of its functions is a turn: observers run
   * and values are saved when the outermost call has returned.
   *
   * A call that throws stops the program, as a trap does, and saves nothing: `fail` is called, the
   * loader receives the exception, and later calls throw it again. Calls also throw after
   * `program.stop()`. The result has no `_start`, because some loaders refuse a program with one.
   * @param instance the instance of the program, with the imports
   * @throws Error if the program was built for another version of sharing.js, or if this connection
   *   already has an instance
   */
  attach(instance: WebAssembly.Instance, options?: AttachOptions): { exports: AttachedExports };

  /** The running program; undefined before `attach`. */
  readonly program: Program | undefined;
}

/** The exports of a program by their names. Each function is a turn. */
export interface AttachedExports {
  // deno-lint-ignore no-explicit-any -- functions have any parameters
  [name: string]: any;
}

/** The options of `Connection.attach`. */
export interface AttachOptions {
  /**
   * Classes of exceptions that the loader itself throws through the program, and catches. They do
   * not stop the program: `[swift.UnsafeEventLoopYield]` of JavaScriptKit.
   */
  signals?: (new (...given: never[]) => unknown)[];
}

/**
 * Shows the state of a program, and sends it the actions of people. `bind` of page.js makes one
 * from the HTML. One of your own is an object with three methods:
 *
 * ```js
 * const count = document.querySelector("#count");
 * const status = document.querySelector("#status");
 *
 * start(fetch(new URL("app.wasm", import.meta.url)), window, {
 *   set(name, text) {
 *     if (name === "count") count.textContent = text;
 *     if (name === "storage-error") status.textContent = text;
 *   },
 *   ready(send, signal) {
 *     const increment = document.querySelector("#increment");
 *     increment.addEventListener("click", () => send("increment"), { signal });
 *   },
 *   fail(message) {
 *     status.textContent = message;
 *   },
 * });
 * ```
 * If a method is missing, the program does not start, and the console names the method. An
 * exception of a method is written to the console, and the program continues.
 */
export interface Page {
  /**
   * Shows a text. It is called at the end of each turn, for the changed texts that the program sets
   * or binds (`page.bind("count") { … }`). Messages have names of their own:
   *
   * - "storage-error": an error of storage, for the person;
   * - "storage-details": the same for the developer, with the keys, as in the console;
   * - "refused": the reason why the last action was refused;
   * - "refused-field", before "refused": the field of a form with the mistake;
   * - "mistake": a mistake in the HTML, for its developer, such as an unknown action.
   *
   * For a list, `text` is JSON: an array of all rows, an object with the fields of one row, or
   * `{"gone": key}`.
   */
  set(name: string, text: string): void;

  /**
   * Called once, when the program runs.
   * @param send sends an action of a person to the program
   * @param signal aborted by `program.stop()`: pass it to the listeners, which end then
   */
  ready(send: Send, signal: AbortSignal): void;

  /**
   * Called if the program cannot start, or stops because of a mistake in it.
   * @param message a sentence for the person at the page; the console has the error and advice
   */
  fail(message: string): void;
}

/**
 * Runs an action: `send("increment")` runs `page.on("increment") { … }` of the program before it
 * returns; within a turn, it runs after the turn.
 * @param text the words of the action, separated by spaces: `send("edit", "3 Buy milk")`
 */
export type Send = (name: string, text?: string) => void;

/** The options of `start`. */
export interface Options {
  /**
   * The name of the app, 1 to 64 letters, digits, `-` or `_`. It separates apps of one origin, such
   * as `user.github.io/a` and `user.github.io/b`: it is a part of the names of the database, the
   * channel, and the items with journals and copies. Apps without a name share these. An app does
   * not find values that were stored under another name.
   *
   * ```js
   * start(source, window, page, { name: "my-app" });
   * ```
   * The keys of `localStorage` and `sessionStorage` do not contain it, and all pages of the origin
   * share these: give the keys a `prefix:` in the program.
   */
  name?: string;

  /**
   * Engines of your own for `.engine` keys, by name. Each program of a page needs engines of its
   * own. The name `indexedDB` is that of the engine of `.indexedDB` keys: without an entry for it,
   * `start` loads `indexeddb.js` beside `sharing.js` for a program with such keys.
   *
   * ```js
   * const world = nats({ servers: ["wss://…"], bucket: "app", credentials }, window);
   *
   * start(source, window, page, { engines: { world } });
   * ```
   */
  engines?: { [name: string]: Engine };

  /**
   * Loads the inspector, a panel with the stored values, which F8 opens. Without this option, F8
   * does nothing, and no key events are observed.
   *
   * ```js
   * start(source, window, page, { inspector: () => import("./inspector.js") });
   * ```
   * The build copies `inspector.js` if the page names it.
   */
  inspector?(): Promise<Inspector>;

  /**
   * Import modules of your own, for functions that the program declares in a C header:
   *
   * ```c
   * __attribute__((import_module("mine"), import_name("beep"))) int32_t mine_beep(void);
   * ```
   * ```js
   * start(source, window, page, {
   *   imports: { mine: { beep: () => navigator.vibrate(100) } },
   * });
   * ```
   * For texts, `imports` is a function. Its argument has the calls that read and write them:
   *
   * ```js
   * const imports = ({ text, give }) => ({
   *   mine: {
   *     note: (pointer, count) => console.debug(text(pointer, count)),
   *     language: (buffer, capacity) => give(navigator.language, buffer, capacity),
   *   },
   * });
   * ```
   * Arguments and results are numbers, but not 64-bit integers: true is 1, undefined is 0. If a
   * function throws, its result is -4, and the console has the error with its stack. The program
   * cannot start if an import is missing, or if a module has the name of one of the library's.
   */
  imports?: OwnImports | ((texts: Texts) => OwnImports);
}

/** The module `inspector.js`. */
export interface Inspector {
  /** Opens or closes the panel in the program's window if the key is F8. */
  onKey(event: KeyboardEvent, program: object): void;
}

/** Import modules by their names. A module is any object with functions. */
export type OwnImports = { [module: string]: object };

/** Reads and writes texts: UTF-8 bytes at a pointer into the memory of the program, and a count. */
export interface Texts {
  /**
   * Returns the text at a pointer; null for a count of -1.
   * @throws TypeError if the bytes are not UTF-8
   */
  text(pointer: number, count: number): string | null;

  /**
   * Writes a text to a buffer of the program.
   * @returns the byte count of the text; -1 for null. If it is more than the capacity, nothing is
   *   written: call again with that capacity
   */
  give(text: string | null, buffer: number, capacity: number): number;

  /** Returns a part of the program's memory. Use it at once: it is empty if the memory grows. */
  bytes(pointer: number, count: number): Uint8Array<ArrayBuffer>;
}

/** A running program. */
export interface Program {
  /** The exports of the WebAssembly module. Their exceptions are those of the caller. */
  readonly exports: WebAssembly.Exports;

  /**
   * Calls an export as the page does: after the waiting calls, and with `page.fail` if it stops the
   * program. The export receives the numbers, and then the byte count of the text, -1 for null. The
   * text is in the program's `Inbox`.
   *
   * ```js
   * program.call("search_answered", "[1, 2, 3]", 7);
   * ```
   * ```swift
   * @_expose(wasm, "search_answered")
   * @c(search_answered)
   * public func searchAnswered(_ number: Int32, _ byteCount: Int32) {
   *   let bytes = byteCount < 0 ? nil : Inbox.bytes(byteCount)
   * ```
   */
  call(name: string, text: string | null, ...numbers: number[]): void;

  /**
   * Reports a change of a stored item by a script of this page; without a key, of all items.
   * Browsers notify only other tabs. Programs of one page notify each other.
   *
   * ```js
   * localStorage.setItem("count", "5");
   * program.changed("count");
   * ```
   */
  changed(key?: string | null): void;

  /**
   * Ends the program: stores pending changes, as when the page is hidden, and then sends it no more
   * events. Within a turn, it does so after the waiting calls. A second call does nothing.
   */
  stop(): void;
}

/** The stored value of a key; `text` is null if it was removed. Revisions only grow. */
export interface Stored {
  key: string;
  revision: number;
  text: string | null;
}

/** A new value of a commit; `expected` is the revision that it was made from, null for any. */
export interface Entry {
  key: string;
  expected: number | null;
  text: string | null;
}

/** The steps `after` + 1 to `through` of a client, which are stored together, and only once. */
export interface Commit {
  client: string;
  after: number;
  through: number;
  entries: Entry[];
}

/**
 * A store with revisions, for values that lose no change. It stores all entries of a commit or
 * none, together with the number of the client's last step (`through`). The program itself keeps
 * pending changes, repeats and merges them.
 *
 * An engine that can store only single keys with that number calls `rebase` for each key. Other
 * programs may then see a part of the changes of a turn first.
 *
 * `testing/contract.js` tests an engine.
 */
export interface Engine {
  /**
   * Loads the stored values of keys, in their order, and the number of the client's last step: of
   * all its steps, or of those under these keys; null without any.
   */
  load(keys: string[], client: string): Promise<{ stored: Stored[]; applied: number | null }>;

  /**
   * Stores a commit. If the client's last step is `through` or more, it is stored already. If that
   * step is not `after`, or a key has another revision than expected, calls `rebase` for new
   * entries; if `rebase` throws, the commit fails with that error.
   * @returns the stored values of the entries' keys now, and the client's last step
   */
  commit(
    commit: Commit,
    rebase: (stored: Stored[], applied: number) => Entry[],
  ): Promise<{ stored: Stored[]; applied: number }>;

  /**
   * Calls `onChange` with the commits of other programs, and with an empty array if the store can
   * be reached again, so that pending changes continue.
   * @param onFailure called once if commits of a key may be missed, or without a key, those of all.
   *   The error is the `loadError` of the value until the next call of `onChange` with the key,
   *   even with a known revision
   * @param signal aborted when the program is stopped: call nothing after that, and end requests
   *   and listeners that are only for this program
   */
  watch(
    onChange: (stored: Stored[]) => void,
    onFailure?: (error: { name?: string; message?: string }, key?: string) => void,
    signal?: AbortSignal,
  ): void;

  /**
   * Calls `onStatus` at once, and whenever the store becomes reachable or unreachable. The program
   * reads it as `EngineName.status`. An engine without this method counts as connected.
   * @param signal aborted when the program is stopped, as that of `watch`
   */
  status?(
    onStatus: (status: { isConnected: boolean; message: string }) => void,
    signal?: AbortSignal,
  ): void;
}
