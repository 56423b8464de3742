// The page's side of Sources/CHost/include/CHost.h: runs a program in a page.

/** The version of the contract between page and program. */
export const abiVersion: number;

/**
 * Runs the program that `source` delivers. It never throws: what keeps the program from starting,
 * or stops it, is written to the console and told to `page.fail`.
 *
 * ```js
 * import { bind } from "./page.js";
 * import { start } from "./sharing.js";
 *
 * start(fetch(new URL("app.wasm", import.meta.url)), window, bind(document));
 * ```
 * @param source the response with the program
 * @param window the window whose storages, timers and events the program uses
 * @param page shows what the program sets: `bind(document)` of page.js, or an object of your own
 * @returns the running program, or undefined where it cannot start
 */
export function start(
  source: Promise<Response>,
  window: Window & typeof globalThis,
  page: Page,
  options?: Options,
): Promise<Program | undefined>;

/**
 * Connects a program that another loader runs, such as that of JavaScriptKit or one of your own.
 * The program depends on WasiStorage, and shows its state itself.
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
 * @throws Error if `options.name` is no name; `options.fail` is called, too
 */
export function connect(
  window: Window & typeof globalThis,
  options?: ConnectOptions,
): Promise<Connection>;

export interface ConnectOptions {
  /** The name of the app: see `Options.name`. */
  name?: string;

  /**
   * Engines of your own: see `Options.engines`. The modules of engines are loaded when the program
   * first uses one.
   */
  engines?: { [name: string]: Engine };

  /** Loads the inspector: see `Options.inspector`. */
  inspector?(): Promise<Inspector>;

  /**
   * Called if the program cannot start, or has stopped because of a mistake in it or in its page.
   * The console has the message in any case, and the reason and advice.
   * @param message a sentence for the person at the page
   */
  fail?(message: string): void;
}

/** A page's side of a program that another loader runs. */
export interface Connection {
  /**
   * The module "sharing" for the program's imports. Pass it on under its name:
   * `{ ...others, ...imports }`.
   */
  readonly imports: { sharing: WebAssembly.ModuleImports };

  /**
   * The functions of WASI that a program in a page needs, in the form that loaders take them, for a
   * loader without a WASI of its own. Any other one does, too. If the program stops, what it has
   * written last is in the message.
   */
  readonly wasi: {
    wasiImport: WebAssembly.ModuleImports;
    initialize(instance: { exports: WebAssembly.Exports }): void;
    setInstance(instance: { exports: WebAssembly.Exports }): void;
  };

  /**
   * Connects the instance, before the loader calls `_initialize` and `main`. Give the loader the
   * result in place of the instance: what it calls there is a turn, or a part of the one under way.
   * Observers run and values are saved when the outermost call has returned. A call that throws
   * stops the program, as a trap does, and saves nothing: `fail` is called, the loader gets the
   * exception, and later calls throw it again. After `program.stop()` calls throw, too. The result
   * has no `_start`, which some loaders refuse.
   * @param instance the instance that WebAssembly has made with the imports
   * @throws Error if the program was built for another version of sharing.js, or a connection has
   *   an instance
   */
  attach(instance: WebAssembly.Instance, options?: AttachOptions): { exports: AttachedExports };

  /** The running program; undefined until `attach` was called. */
  readonly program: Program | undefined;
}

/** Functions that are turns, and memories, tables and globals as they are, by their names. */
export interface AttachedExports {
  // deno-lint-ignore no-explicit-any -- functions have any parameters
  [name: string]: any;
}

export interface AttachOptions {
  /**
   * Classes of exceptions that the loader throws through the program as signals, and catches. They
   * do not stop the program: `[swift.UnsafeEventLoopYield]` of JavaScriptKit.
   */
  signals?: (new (...given: never[]) => unknown)[];
}

/**
 * What shows the state of a program, and sends it what people do. page.js has one that the HTML
 * configures. One of your own is an object with three methods:
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
 * A program does not start without one of the methods; the console says which. What a method throws
 * is written to the console, and the program goes on.
 */
export interface Page {
  /**
   * Shows a text. The program calls it for what it sets or binds (`page.bind("count") { … }`), at
   * the end of each turn in which that has changed, and for its own messages: "storage-error"
   * (what could not be stored or loaded, for the person), "storage-details" (the same for the
   * developer, with the keys; the console has it, too), "refused" (why the last action was
   * refused), "refused-field" before it (the field of a form that is to be mended), and "mistake"
   * (of the HTML, for its developer: no action has this name, or the action needs a text).
   *
   * For the rows of a list, `text` is JSON: an array of all rows, an object with fields of one, or
   * `{"gone": key}`.
   */
  set(name: string, text: string): void;

  /**
   * Called once, when the program runs.
   * @param send sends the program what a person does
   * @param signal is aborted by `stop()` of the program: listeners that have it end then
   */
  ready(send: Send, signal: AbortSignal): void;

  /**
   * Called when the program cannot start, or has stopped because of a mistake in it.
   * @param message a sentence for the person at the page; the console has the error and the advice
   */
  fail(message: string): void;
}

/**
 * Sends an event: `send("increment")` runs `page.on("increment") { … }` of the program, before it
 * returns, or after the turn in which it is called.
 * @param text the words for the event, with spaces between them: `send("edit", "3 Buy milk")`
 */
export type Send = (name: string, text?: string) => void;

export interface Options {
  /**
   * The name of the app, which tells it apart from other apps of the same origin, such as
   * `user.github.io/a` and `user.github.io/b`: a part of the name of its database and channel, and
   * of the items with its journals and copies. 1 to 64 letters, digits, `-` or `_`. Without one the
   * apps of an origin share them. What was stored under another name is not seen.
   *
   * ```js
   * start(source, window, page, { name: "my-app" });
   * ```
   * It does not change the keys of `localStorage` and `sessionStorage`, which all pages of the
   * origin share: the program gives these a `prefix:`.
   */
  name?: string;

  /**
   * Engines of your own, which keep values that lose nothing, by name. The one of `.indexedDB` keys
   * is `indexedDB`: without it here, `start` loads `indexeddb.js` beside `sharing.js` for a program
   * that has such keys. An engine tells one program what others store: each program in a page has
   * its own.
   *
   * ```js
   * const world = nats({ servers: ["wss://…"], bucket: "app", credentials }, window);
   *
   * start(source, window, page, { engines: { world } });
   * ```
   */
  engines?: { [name: string]: Engine };

  /**
   * Loads the inspector, a panel that lists the stored values, when somebody presses F8. Without
   * this option the key does nothing, and no event of a key is noted.
   *
   * ```js
   * start(source, window, page, { inspector: () => import("./inspector.js") });
   * ```
   * A build copies `inspector.js` beside a page that names it.
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
   * Where texts cross, `imports` is a function of the calls that read and write them:
   *
   * ```js
   * const imports = ({ text, give }) => ({
   *   mine: {
   *     note: (pointer, count) => console.debug(text(pointer, count)),
   *     language: (buffer, capacity) => give(navigator.language, buffer, capacity),
   *   },
   * });
   * ```
   * Arguments are numbers. So are answers, but no 64-bit integers: true is 1, and no answer is 0. A
   * function that throws answers -4, and the console shows the error with its stack: no exception
   * gets into the program. The program cannot start if one of its imports is missing, or if a
   * module has the name of one that it gets anyway.
   */
  imports?: OwnImports | ((texts: Texts) => OwnImports);
}

/** The module `inspector.js`. */
export interface Inspector {
  /** Opens or closes the panel in the window of a program when F8 is pressed. */
  onKey(event: KeyboardEvent, program: object): void;
}

/** Functions by their modules' names and their own; a module may be any object with methods. */
export type OwnImports = { [module: string]: object };

/** How texts cross: as UTF-8 bytes at a pointer into the program's memory, and their count. */
export interface Texts {
  /**
   * The text at a pointer; null for a count of -1.
   * @throws TypeError if the bytes are not UTF-8
   */
  text(pointer: number, count: number): string | null;

  /**
   * Writes a text to a buffer of the program.
   * @returns the byte count; if that is more than the capacity, the text did not fit, and the
   *   number is the capacity to call again with; -1 for null
   */
  give(text: string | null, buffer: number, capacity: number): number;

  /** Bytes of the program's memory, to be used at once: they are gone when the memory grows. */
  bytes(pointer: number, count: number): Uint8Array<ArrayBuffer>;
}

/** A running program. */
export interface Program {
  /** What its WebAssembly module exports. What an export throws is the caller's. */
  readonly exports: WebAssembly.Exports;

  /**
   * Calls an export as the page does it: after the calls that wait, and what stops the program is
   * told to `page.fail`. The text is in the program's inbox; the export gets the numbers, and then
   * the text's byte count, which is -1 for null.
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
   * Tells it that a script of this page has changed a stored item, or without a key everything:
   * browsers tell that to other tabs only. Programs of one page tell each other.
   *
   * ```js
   * localStorage.setItem("count", "5");
   * program.changed("count");
   * ```
   */
  changed(key?: string | null): void;

  /**
   * Ends it: what is pending is stored, as when the page is hidden, and after that the program
   * hears of nothing any more. Called within a turn, it does so after those that wait. Called
   * again, it does nothing.
   */
  stop(): void;
}

/** What is stored under a key; `text` is null where that was removed. Revisions grow. */
export interface Stored {
  key: string;
  revision: number;
  text: string | null;
}

/** What a commit stores; `expected` is the revision that it was made from, null for any. */
export interface Entry {
  key: string;
  expected: number | null;
  text: string | null;
}

/** Steps of one client, which are stored together, and once. */
export interface Commit {
  client: string;
  after: number;
  through: number;
  entries: Entry[];
}

/**
 * Where values are kept that lose nothing: a store with revisions. What is pending, made again and
 * merged is the program's concern; an engine stores all entries of a commit or none, and with them
 * the number of the client's last step (`through`). One that can store only single keys together
 * with that number calls `rebase` for each key; what a turn has changed may then show in parts.
 *
 * `testing/contract.js` tests an engine.
 */
export interface Engine {
  /**
   * What is stored under keys, in their order, and the client's last step: of all that it has
   * stored, or of what it has stored under these keys; null for none.
   */
  load(keys: string[], client: string): Promise<{ stored: Stored[]; applied: number | null }>;

  /**
   * Stores a commit, unless the client's last step is `through` or more: then it has been stored
   * before. Where that step is not `after`, or a key has another revision than expected, `rebase`
   * makes the entries again; what it throws fails the commit.
   * @returns what is stored under the entries' keys now, and the client's last step
   */
  commit(
    commit: Commit,
    rebase: (stored: Stored[], applied: number) => Entry[],
  ): Promise<{ stored: Stored[]; applied: number }>;

  /**
   * Calls `onChange` with what others have committed; with nothing, where what is pending can go on
   * because the store can be reached again.
   * @param onFailure called once where others' commits of a key may not be heard of any more,
   *   without a key those of all; the value's `loadError` is that until something is told of the
   *   key, also what is known
   * @param signal aborted when the program is stopped: nothing is told any more, and an engine that
   *   asks or listens only for this program ends that
   */
  watch(
    onChange: (stored: Stored[]) => void,
    onFailure?: (error: { name?: string; message?: string }, key?: string) => void,
    signal?: AbortSignal,
  ): void;

  /**
   * Calls `onStatus` at once, and whenever the store can be reached, or cannot any more; the
   * program reads it as `EngineName.status`. An engine without it counts as connected.
   * @param signal aborted when the program is stopped, as that of `watch`
   */
  status?(
    onStatus: (status: { isConnected: boolean; message: string }) => void,
    signal?: AbortSignal,
  ): void;
}
