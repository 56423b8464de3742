// @ts-check
// The browser's side of Sources/CHost/include/CHost.h.

/** This file's SHARING_ABI_VERSION. */
export const abiVersion = 1;

// A lone surrogate reads as U+FFFD.
const encoder = new TextEncoder();
// Text to store must be UTF-8; text to show need not.
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder();

/**
 * Runs the program that `source` delivers. It never throws: `page` is told.
 * @param {Promise<Response>} source
 * @param {Window & typeof globalThis} window
 * @param {import("./page.js").Page} page
 */
export async function start(source, window, page) {
  const { console, document, location } = window;
  let exports, lastWords = "";
  // For one call: when the memory grows, views of it are empty.
  const view = (pointer, count) => new Uint8Array(exports.memory.buffer, pointer >>> 0, count);
  const setItem = (_, text = "") => location.hash = "#" + text;
  const getItem = () => location.hash.slice(1) || null;
  const hash = { length: 1, getItem, setItem, removeItem: setItem };
  // In a sandboxed frame, reaching for one throws.
  const storages = [() => window.localStorage, () => window.sessionStorage, () => hash];
  const host = hostCalls(view, storages, page, console, (line) => lastWords = line);
  host.timer_set = (id, delay) =>
    window.setTimeout(() => turn(() => exports.sharing_timer_fired(id)), delay);
  const sharing = guarded(host, codeOf);
  const fail = (error, what) => {
    console.error(error);
    page.fail(`The program ${what} (${lastWords || error.message}).`);
  };

  try {
    const wasi_snapshot_preview1 = guarded(wasiCalls(view, window), () => 52); // ENOSYS
    exports = await load(window.WebAssembly, await source, { sharing, wasi_snapshot_preview1 });
    exports._initialize?.();
    const version = exports.sharing_abi_version?.() ?? "missing";
    if (version !== abiVersion) {
      throw Error(`its ABI version is ${version}, not ${abiVersion}: reload, or run ./build.sh`);
    }
  } catch (error) {
    return fail(error, "cannot start");
  }

  const turn = turns((error) => fail(error, "has stopped"));
  // Fills the inbox; byte counts, -1 for none.
  const post = (...texts) => {
    const bytes = encoder.encode(texts.join(""));
    view(exports.sharing_inbox(bytes.length), bytes.length).set(bytes);
    return texts.map((text) => text == null ? -1 : encoder.encode(text).length);
  };
  const shown = (persisted) => turn(() => exports.sharing_page_shown(persisted));
  const hidden = () => turn(() => exports.sharing_page_hidden());
  turn(() => {
    exports.sharing_start();
    page.ready((name, value) => turn(() => exports.sharing_page_event(...post(name, value))));
  });
  window.addEventListener("storage", ({ key, storageArea }) => {
    const area = storages.findIndex((open, area) =>
      sharing.storage_probe(area) > 0 && open() === storageArea
    );
    if (area >= 0) turn(() => exports.sharing_storage_changed(area, ...post(key)));
  });
  window.addEventListener("hashchange", () => turn(() => exports.sharing_storage_changed(2, -1)));
  window.addEventListener("pageshow", ({ persisted }) => shown(+persisted));
  window.addEventListener("pagehide", hidden);
  document.addEventListener("visibilitychange", () => document.hidden ? hidden() : shown(0));
}

function hostCalls(view, storages, page, console, onFatal) {
  let last = {};
  const open = (area) => {
    const storage = storages[area]();
    if (!storage) throw new DOMException("", "SecurityError");
    return storage;
  };
  const string = (pointer, count, as = exact) => as.decode(view(pointer, count));
  const give = (text, buffer, capacity) => {
    if (text === null) return -1;
    // Asked for again with more room, it is not encoded again.
    const bytes = text === last.text ? last.bytes : encoder.encode(text);
    const fits = bytes.length <= capacity;
    if (fits) view(buffer, bytes.length).set(bytes);
    last = fits ? {} : { text, bytes };
    return bytes.length;
  };
  return {
    host_version: () => abiVersion,
    // WebKit sends `storage` events only once the storage is read.
    storage_probe: (area) => +(open(area).length >= 0),
    storage_get: (area, key, keyCount, buffer, capacity) =>
      give(open(area).getItem(string(key, keyCount)), buffer, capacity),
    storage_key: (area, index, buffer, capacity) => give(open(area).key(index), buffer, capacity),
    storage_set(area, key, keyCount, text, textCount) {
      open(area).setItem(string(key, keyCount), string(text, textCount));
    },
    storage_remove(area, key, keyCount) {
      open(area).removeItem(string(key, keyCount));
    },
    page_set: (name, nameCount, text, textCount) =>
      page.set(string(name, nameCount, lenient), string(text, textCount, lenient)),
    console_write(level, text, textCount) {
      const line = string(text, textCount, lenient);
      if (level === 2) onFatal(line);
      [console.info, console.warn, console.error][level](line);
    },
  };
}

function wasiCalls(view, { console, crypto, performance }) {
  const answer = (pointer, { buffer }) =>
    view(pointer, buffer.byteLength).set(new Uint8Array(buffer));
  const none = (...counts) => counts.forEach((count) => view(count, 4).fill(0));
  const nothing = () => {};
  const streams = { 1: lines(console.log), 2: lines(console.error) };
  return {
    args_get: nothing,
    args_sizes_get: none,
    environ_get: nothing,
    environ_sizes_get: none,
    fd_prestat_get: () => 8, // EBADF: no files
    proc_exit: nothing, // then the program traps
    clock_time_get(id, _precision, time) {
      answer(time, BigInt64Array.of(BigInt(Math.round((id ? performance : Date).now() * 1e6))));
    },
    fd_write(descriptor, vectors, count, written) {
      const spans = new Int32Array(view(vectors, 8 * count).slice().buffer);
      const total = new Int32Array(1);
      for (let at = 0; at < spans.length; at += 2) {
        streams[descriptor](view(spans[at], spans[at + 1]));
        total[0] += spans[at + 1];
      }
      answer(written, total);
    },
    random_get(pointer, count) {
      for (let at = 0; at < count; at += 65536) { // the most at once
        crypto.getRandomValues(view(pointer, count).subarray(at, at + 65536));
      }
    },
  };
}

/** Lines, even characters, may come in pieces. */
function lines(write) {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const all = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = /** @type {string} */ (all.pop());
    for (const line of all) write(line);
  };
}

/** Has every call there is; a throw, or one that is missing, becomes a code. */
function guarded(calls, code) {
  return new Proxy(calls, {
    get: (_, name) => (...args) => {
      try {
        return calls[name](...args) ?? 0;
      } catch (error) {
        return code(error);
      }
    },
  });
}

/** Anything may be thrown, also what throws when it is looked at. */
function codeOf(error) {
  try {
    return error.name === "SecurityError" ? -2 : /quota/i.test(error.name) ? -3 : -4;
  } catch {
    return -4;
  }
}

async function load(wasm, response, imports) {
  if (!wasm) throw Error("this browser has no WebAssembly");
  if (!response.ok) throw Error(`${response.status} for ${response.url}`);
  // To stream it, the server must know its type.
  return (await wasm.instantiate(await response.arrayBuffer(), imports)).instance.exports;
}

/** One call at a time: one from inside another waits. After a throw, none. */
function turns(onStop) {
  const waiting = [];
  let stopped = false;
  return (turn) => {
    if (stopped || waiting.push(turn) > 1) return;
    try {
      for (; waiting.length; waiting.shift()) waiting[0]();
    } catch (error) {
      stopped = true;
      onStop(error);
    }
  };
}
