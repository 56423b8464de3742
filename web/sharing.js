// @ts-check
//# allFunctionsCalledOnLoad
// The page's side of Sources/CHost/include/CHost.h.

export const abiVersion = 2;

const encoder = new TextEncoder();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder();

/**
 * @typedef {object} Program
 * @property {(key?: string | null) => void} changed tells that a script of this page has changed an
 *   item, or everything: browsers tell that to other tabs only
 */

/**
 * Runs the program that `source` delivers. Never throws: `page` is told. What `page` throws goes to the
 * console, and the program goes on.
 * @param {Promise<Response>} source
 * @param {Window & typeof globalThis} window
 * @param {import("./page.js").Page} page
 * @returns {Promise<Program | undefined>} undefined where it cannot start
 */
export async function start(source, window, page) {
  const { console, document, location } = window;
  let exports, lastWords = "";
  // Empty once memory grows.
  const view = (pointer, count) => new Uint8Array(exports.memory.buffer, pointer >>> 0, count);
  const setItem = (_, text = "") => location.hash = "#" + text;
  const getItem = () => location.hash.slice(1) || null;
  const hash = { length: 1, getItem, setItem, removeItem: setItem };
  // May throw.
  const storages = [() => window.localStorage, () => window.sessionStorage, () => hash];
  const opened = [];
  const open = (area) => {
    const storage = opened[area] ??= storages[area]();
    if (!storage) throw { name: "SecurityError" };
    return storage;
  };
  const tell = (name, ...given) => {
    try {
      return page[name](...given);
    } catch (error) {
      console.error(error);
      return -4;
    }
  };
  const note = (text) => lastWords += text;
  const host = hostCalls(view, open, tell, console, note);
  host.timer_set = (id, delay) =>
    window.setTimeout(() => turn(() => exports.sharing_timer_fired(id)), delay);
  const sharing = guarded(host, codeOf);
  const fail = (error, what) => {
    const message = `The program ${what} (${lastWords.slice(-999).trim() || error?.message}).`;
    console.error(message, error);
    tell("fail", message);
  };

  try {
    const wasi_snapshot_preview1 = guarded(wasiCalls(view, window, note), () => 52); // ENOSYS
    exports = await load(window.WebAssembly, await source, { sharing, wasi_snapshot_preview1 });
    exports._initialize?.();
    const version = exports.sharing_abi_version?.() ?? "missing";
    if (version !== abiVersion) {
      throw Error(`its ABI version is ${version}, not ${abiVersion}: reload, or run ./build.sh`);
    }
  } catch (error) {
    return void fail(error, "cannot start");
  }

  const turn = turns(() => lastWords = "", (error) => fail(error, "has stopped"));
  // Byte counts, -1 for none.
  const post = (...texts) => {
    const bytes = encoder.encode(texts.join(""));
    view(exports.sharing_inbox(bytes.length), bytes.length).set(bytes);
    return texts.map((text) => text == null ? -1 : encoder.encode(text).length);
  };
  const changed = (area, key) => turn(() => exports.sharing_storage_changed(area, ...post(key)));
  const hidden = () => {
    // Firefox may stop what waits for a storage, for good: here, not in the program.
    for (let item = 0; sharing.storage_stamp(item) > 0; item++);
    turn(() => exports.sharing_page_hidden());
  };
  turn(() => {
    exports.sharing_start();
    tell("ready", (name, value) => turn(() => exports.sharing_page_event(...post(name, value))));
  });
  window.addEventListener("storage", ({ key, storageArea }) => {
    const area = opened.indexOf(storageArea);
    if (area >= 0) changed(area, key);
  });
  window.addEventListener("hashchange", () => changed(2));
  window.addEventListener(
    "pageshow",
    ({ persisted }) => turn(() => exports.sharing_page_shown(+persisted)),
  );
  window.addEventListener("pagehide", hidden);
  window.addEventListener("pagehide", hidden, true); // if that is stopped
  document.addEventListener("visibilitychange", () => document.hidden && hidden());
  return { changed: (key) => opened.forEach((_, area) => changed(area, key)) };
}

function hostCalls(view, open, tell, console, note) {
  const items = [], numbers = {};
  const string = (pointer, count, as = exact) => {
    if (count < 0) return null;
    const bytes = view(pointer, count);
    if (bytes[0] === 255 && as === exact) return JSON.parse(exact.decode(bytes.subarray(1)));
    let text = "", at = 0;
    // Faster for a few letters.
    while (count < 21 && bytes[at] < 128) text += String.fromCharCode(bytes[at++]);
    return at < count ? as.decode(bytes) : text;
  };
  const give = (text, buffer, capacity) => {
    if (text === null) return -1;
    const isBroken = text.isWellFormed?.() === false;
    if (isBroken) text = " " + JSON.stringify(text);
    if (text.length > capacity) return text.length;
    const bytes = view(buffer, capacity), { read, written } = encoder.encodeInto(text, bytes);
    if (isBroken) bytes[0] = 255;
    return written + 3 * (text.length - read); // room for the rest
  };
  const stamp = (item, text) => {
    if (item.text !== text) item.stamp++;
    item.text = text;
    return item.stamp;
  };
  return {
    host_version: () => abiVersion,
    // WebKit sends events once it is read.
    storage_probe: (area) => +(open(area).length >= 0),
    storage_key: (area, index, buffer, capacity) => give(open(area).key(index), buffer, capacity),
    storage_item(area, pointer, count) {
      const key = string(pointer, count), storage = open(area);
      return numbers[area + key] ??= items.push({ key, storage, stamp: 0 }) - 1;
    },
    storage_stamp(number) {
      const item = items[number];
      return stamp(item, item.storage.getItem(item.key));
    },
    storage_get: (number, buffer, capacity) => give(items[number].text, buffer, capacity),
    storage_set(number, pointer, count) {
      const item = items[number], text = string(pointer, count);
      if (text === null) item.storage.removeItem(item.key);
      else item.storage.setItem(item.key, text);
      return stamp(item, text);
    },
    page_set: (name, nameCount, text, textCount) =>
      tell("set", string(name, nameCount, lenient), string(text, textCount, lenient)),
    console_write(level, text, textCount) {
      const line = string(text, textCount, lenient);
      if (level === 2) note(line);
      console[["info", "warn", "error"][level]](line);
    },
  };
}

function wasiCalls(view, { console, crypto, performance }, note) {
  const answer = (pointer, { buffer }) =>
    view(pointer, buffer.byteLength).set(new Uint8Array(buffer));
  const streams = { 1: lines(console.log), 2: lines(console.error, note) };
  return {
    environ_get: () => 0,
    environ_sizes_get: (...counts) => counts.forEach((count) => view(count, 4).fill(0)),
    fd_prestat_get: () => 8, // EBADF: no files
    clock_time_get(id, _precision, time) {
      answer(time, BigInt64Array.of(BigInt(Math.round((id ? performance : Date).now() * 1e6))));
    },
    fd_write(descriptor, vectors, count, written) {
      const spans = new Int32Array(view(vectors, 8 * count).slice().buffer);
      let total = 0;
      for (let at = 0; at < spans.length; at += 2) {
        streams[descriptor](view(spans[at], spans[at + 1]));
        total += spans[at + 1];
      }
      answer(written, Int32Array.of(total));
    },
    random_get: (pointer, count) => void crypto.getRandomValues(view(pointer, count)),
  };
}

function lines(write, note) {
  const decoder = new TextDecoder();
  let rest = "";
  return (bytes) => {
    const text = decoder.decode(bytes, { stream: true });
    note?.(text);
    const all = (rest + text).split("\n");
    [rest] = all.splice(-1);
    for (const line of all) write(line);
  };
}

/** What throws or is missing answers a code. */
function guarded(calls, code) {
  return new Proxy(calls, {
    get: (_, name, __, call = calls[name]) => (...args) => {
      try {
        return +(call(...args) ?? 0);
      } catch (error) {
        return code(error);
      }
    },
  });
}

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
  // Streamed, it stays compiled.
  const { instance } = response.headers.get("content-type") === "application/wasm"
    ? await wasm.instantiateStreaming(response, imports)
    : await wasm.instantiate(await response.arrayBuffer(), imports);
  return instance.exports;
}

/** One at a time, none after a throw. */
function turns(onBegin, onStop) {
  const waiting = [];
  return (turn) => {
    if (waiting.push(turn) > 1) return;
    try {
      for (; waiting.length; waiting.shift()) {
        onBegin();
        waiting[0]();
      }
    } catch (error) {
      onStop(error);
    }
  };
}
