// @ts-check
// Doubles for what surrounds the shim: a storage, a page, a window and a program. Each keeps a
// record, so that a test asserts the conversation.

import { abiVersion, start } from "../../web/sharing.js";

/** An in-memory Storage that throws `fault`, when there is one, at every use. */
export class FakeStorage {
  /** @type {Map<string, string>} */
  items = new Map();
  /** @type {{ thrown: unknown } | null} */
  fault = null;
  reads = 0;

  get length() {
    this.#check();
    return this.items.size;
  }

  key(/** @type {number} */ index) {
    this.#check();
    return [...this.items.keys()][index] ?? null;
  }

  getItem(/** @type {string} */ key) {
    this.#check();
    this.reads += 1;
    return this.items.get(key) ?? null;
  }

  setItem(/** @type {string} */ key, /** @type {string} */ text) {
    this.#check();
    this.items.set(key, text);
  }

  removeItem(/** @type {string} */ key) {
    this.#check();
    this.items.delete(key);
  }

  #check() {
    if (this.fault) throw this.fault.thrown;
  }
}

/** A window with two storages, a document, and a console that keeps its lines. */
export class FakeWindow extends EventTarget {
  /** @type {any} */
  localStorage = new FakeStorage();
  /** @type {any} */
  sessionStorage = new FakeStorage();
  location = new URL("http://localhost/page?query");
  document = Object.assign(new EventTarget(), { hidden: false });
  crypto = globalThis.crypto;
  performance = globalThis.performance;
  /** @type {any} */
  WebAssembly = globalThis.WebAssembly;
  /** @type {[callback: () => void, delay: number][]} */
  timers = [];
  /** @type {unknown[][]} */
  logged = [];
  console = Object.fromEntries(
    ["log", "info", "warn", "error"].map((level) => [
      level,
      (/** @type {unknown[]} */ ...words) => this.logged.push([level, ...words]),
    ]),
  );

  setTimeout(/** @type {() => void} */ callback, /** @type {number} */ delay) {
    return this.timers.push([callback, delay]);
  }

  /** Dispatches an event that has these properties. */
  tell(/** @type {string} */ type, properties = {}, target = /** @type {EventTarget} */ (this)) {
    target.dispatchEvent(Object.assign(new Event(type), properties));
  }
}

/** A page that keeps what it is told. */
export class FakePage {
  /** @type {[name: string, text: string][]} */
  shown = [];
  /** @type {string[]} */
  failures = [];
  /** @type {((name: string, value?: string) => void) | null} */
  send = null;
  /** What happens while a text is being shown. */
  onSet = () => {};

  set(/** @type {string} */ name, /** @type {string} */ text) {
    this.shown.push([name, text]);
    this.onSet();
    return 1;
  }

  ready(/** @type {(name: string, value?: string) => void} */ send) {
    this.send = send;
  }

  fail(/** @type {string} */ message) {
    this.failures.push(message);
  }
}

/** What a server answers; the type is that of a wasm file. */
export const response = (/** @type {BodyInit} */ body, status = 200) =>
  Promise.resolve(
    new Response(body, { status, headers: { "content-type": "application/wasm" } }),
  );

/**
 * Starts the shim around a program. Without `bytes` that is a fake one, whose exports write down
 * their calls, with the text that lay in the inbox, in `calls`.
 * @param {{
 *   exports?: Record<string, unknown>,
 *   bytes?: Uint8Array<ArrayBuffer>,
 *   source?: Promise<Response>,
 *   window?: FakeWindow,
 *   page?: FakePage,
 *   memory?: WebAssembly.Memory,
 * }} given
 */
export async function launch({
  exports = {},
  bytes,
  source = response(bytes ?? "fake"),
  window = new FakeWindow(),
  page = new FakePage(),
  memory = new WebAssembly.Memory({ initial: 2 }),
} = {}) {
  /** @type {unknown[][]} */
  const calls = [];
  const inbox = 1024;
  const inboxText = (/** @type {number} */ from, /** @type {number} */ count) =>
    count < 0 ? null : decode(new Uint8Array(memory.buffer, inbox + from, count));
  const program = {
    memory,
    _initialize: () => calls.push(["initialize"]),
    sharing_abi_version: () => abiVersion,
    sharing_start: () => calls.push(["start"]),
    sharing_inbox: () => inbox,
    sharing_storage_changed: (/** @type {number} */ area, /** @type {number} */ count) =>
      calls.push(["changed", area, inboxText(0, count)]),
    sharing_page_event: (/** @type {number} */ name, /** @type {number} */ value) =>
      calls.push(["event", inboxText(0, name), inboxText(name, value)]),
    sharing_page_shown: (/** @type {number} */ persisted) => calls.push(["shown", persisted]),
    sharing_page_hidden: () => calls.push(["hidden"]),
    sharing_timer_fired: (/** @type {number} */ number) => calls.push(["timer", number]),
    ...exports,
  };
  /** @type {any} */
  let imports = {};
  const { WebAssembly: engine } = window;
  /** How the program was compiled. */
  let way = "";
  const instantiating =
    (/** @type {string} */ name) =>
    async (/** @type {unknown} */ source, /** @type {any} */ given) => {
      [imports, way] = [given, name];
      return bytes ? await engine[name](source, given) : { instance: { exports: program } };
    };
  const names = ["instantiate", "instantiateStreaming"];
  window.WebAssembly = engine &&
    Object.fromEntries(names.map((name) => [name, instantiating(name)]));
  const started = await start(source, /** @type {any} */ (window), page);
  return { calls, imports, memory, page, started, way, window };
}

/** Writes texts into memory from `pointer` on; answers pointer and byte count of each in turn. */
export function put(
  /** @type {WebAssembly.Memory} */ memory,
  /** @type {(string | Uint8Array)[]} */ texts,
  pointer = 4096,
) {
  return texts.flatMap((text) => {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    new Uint8Array(memory.buffer).set(bytes, pointer);
    pointer += bytes.length;
    return [pointer - bytes.length, bytes.length];
  });
}

export const decode = (/** @type {Uint8Array<ArrayBuffer>} */ bytes) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
