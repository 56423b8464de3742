// @ts-check
// Test doubles for the shim's environment: a storage, a page, a window and a program. They record
// their calls, so that a test can assert them.

// @ts-types="../../JavaScript/sharing.d.ts"
import { abiVersion, start } from "../../JavaScript/sharing.js";

/** An in-memory Storage that throws `fault`, if there is one, on every use. */
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

/** An address whose parts can be changed, with a count of the entries in the tab's history. */
class FakeLocation extends URL {
  entries = 1;

  assign(/** @type {string} */ href) {
    this.href = href;
    this.entries += 1;
  }

  replace(/** @type {string} */ href) {
    this.href = href;
  }
}

/** A window with two storages, a document, and a console that records its lines. */
export class FakeWindow extends EventTarget {
  /** @type {any} */
  localStorage = new FakeStorage();
  /** @type {any} */
  sessionStorage = new FakeStorage();
  location = new FakeLocation("http://localhost/page?query");
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

  /** The errors in the console, each as the person's sentence, the advice and the error's text. */
  get told() {
    const errors = this.logged.filter(([level]) => level === "error");
    return errors.map(([, ...words]) =>
      words.map((word) => (/** @type {any} */ (word))?.message ?? word).filter(Boolean).join(" ")
    );
  }

  setTimeout(/** @type {() => void} */ callback, /** @type {number} */ delay) {
    return this.timers.push([callback, delay]);
  }

  /** Dispatches an event with these properties. */
  tell(/** @type {string} */ type, properties = {}, target = /** @type {EventTarget} */ (this)) {
    target.dispatchEvent(Object.assign(new Event(type), properties));
  }
}

/** A page that records its calls. */
export class FakePage {
  /** @type {[name: string, text: string][]} */
  shown = [];
  /** @type {string[]} */
  failures = [];
  /** @type {((name: string, value?: string) => void) | null} */
  send = null;
  /** @type {AbortSignal | null} */
  signal = null;
  /** Called while a text is being shown. */
  onSet = () => {};

  set(/** @type {string} */ name, /** @type {string} */ text) {
    this.shown.push([name, text]);
    this.onSet();
  }

  ready(
    /** @type {(name: string, value?: string) => void} */ send,
    /** @type {AbortSignal | null} */ signal = null,
  ) {
    this.send = send;
    this.signal = signal;
  }

  fail(/** @type {string} */ message) {
    this.failures.push(message);
  }
}

/** A server's response with the content type of a wasm file. */
export const response = (/** @type {BodyInit} */ body, status = 200) =>
  Promise.resolve(
    new Response(body, { status, headers: { "content-type": "application/wasm" } }),
  );

/**
 * Starts the shim with a program. Without `bytes` it is a fake program: its exports record their
 * calls, with the text in the inbox, in `calls`.
 * @param {{
 *   exports?: Record<string, unknown>,
 *   bytes?: Uint8Array<ArrayBuffer>,
 *   source?: Promise<Response>,
 *   window?: FakeWindow,
 *   page?: FakePage,
 *   memory?: WebAssembly.Memory,
 *   own?: any,
 *   engines?: any,
 *   name?: any,
 *   inspector?: any,
 *   wanted?: string[],
 *   modules?: any,
 * }} given `wanted` are the imports of a fake program, `modules` load those beside the shim
 */
export async function launch({
  exports = {},
  bytes,
  source = response(bytes ?? "fake"),
  window = new FakeWindow(),
  page = new FakePage(),
  memory = new WebAssembly.Memory({ initial: 2 }),
  own,
  engines,
  name,
  inspector,
  wanted = engines ? ["engine_find", "engine_send"] : [],
  modules,
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
    sharing_engine_event: (/** @type {number} */ count) =>
      calls.push(["engine", ...JSON.parse(inboxText(0, count) ?? "")]),
    sharing_timer_fired: (/** @type {number} */ number) => calls.push(["timer", number]),
    ...exports,
  };
  /** @type {any} */
  let imports = {};
  const { WebAssembly: engine } = window;
  /** The function that compiled the program. */
  let way = "";
  const compiling = (/** @type {string} */ name) => async (/** @type {unknown} */ source) => {
    way = name;
    return bytes ? await engine[name](source) : "a module";
  };
  window.WebAssembly = engine && {
    compile: compiling("compile"),
    compileStreaming: compiling("compileStreaming"),
    async instantiate(/** @type {WebAssembly.Module} */ module, /** @type {any} */ given) {
      imports = given;
      return bytes ? await engine.instantiate(module, given) : { exports: program };
    },
    Module: {
      imports: (/** @type {WebAssembly.Module} */ module) =>
        bytes
          ? engine.Module.imports(module)
          : wanted.map((name) => ({ module: "sharing", name, kind: "function" })),
    },
  };
  const options = own || engines || inspector || name !== undefined
    ? { imports: own, engines, name, inspector }
    : undefined;
  /** @type {any} */
  const startWith = start;
  const started = await startWith(source, window, page, options, modules);
  return { calls, imports, memory, page, started, way, window };
}

/** Writes texts to memory from `pointer` on; returns pointer and byte count of each in turn. */
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
