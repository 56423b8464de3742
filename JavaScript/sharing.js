//# allFunctionsCalledOnLoad

export const abiVersion = 2;

const encoder = new TextEncoder();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

// The modules beside this one that only some programs need.
const beside = {
  connect: () => import("./connect.js"),
  engines: () => import("./engines.js"),
  indexeddb: () => import("./indexeddb.js"),
};

// The programs that run, of all pages that have loaded this module, or another copy of it. Browsers
// tell other pages what is stored, and not the other programs of the same one.
const running = globalThis[Symbol.for("wasm-sharing")] ??= new Set();

// Runs a program as its loader.
export const start = async (source, window, page, options, modules = beside) => {
  Promise.resolve(source).catch(() => {}); // it may fail before it is waited for
  const host = hostOf(window, page), { fail, turn, texts } = host;
  let exports;
  try {
    for (const name of ["set", "ready", "fail"]) {
      if (!page?.[name]?.call) throw Error(`page.${name} is missing`);
    }
    const calls = host.calls(options);
    const module = await compile(window.WebAssembly, await source);
    const wants = importsOf(window.WebAssembly, module);
    const loaded = await loadEngines(modules, wants, options?.engines, host.complain);
    if (loaded) Object.assign(calls, host.engines(loaded, texts));
    const sharing = guarded(calls, codeOf);
    const wasi_snapshot_preview1 = guarded(host.wasi, notSupported);
    const imports = { sharing, wasi_snapshot_preview1 };
    let own = options?.imports ?? {};
    if (typeof own === "function") own = own(texts);
    if (Object(own) !== own) throw Error("imports is not an object");
    for (const name in own) {
      if (Object.hasOwn(imports, name)) throw Error(`imports.${name} is taken`);
      imports[name] = guarded(own[name], host.report, null);
    }
    ({ exports } = await window.WebAssembly.instantiate(module, imports));
    host.own(exports);
    exports._initialize?.();
    host.check();
  } catch (error) {
    return void fail(error, "cannot start");
  }
  return host.run(() => {
    exports.sharing_start();
    const send = (name, text) =>
      turn(() => exports.sharing_page_event(...host.post(name ?? "", text)));
    host.tell("ready", send, host.leaving);
  });
};

// Connects a program that another loader runs.
export const connect = async (window, options, modules = beside) => {
  const host = hostOf(window, { fail: options?.fail });
  const { connection } = await modules.connect().catch((error) => {
    host.fail(error, "cannot start");
    throw error;
  });
  const load = (wants) => loadEngines(modules, wants, options?.engines, host.complain);
  return connection(host, options, window, { guarded, load });
};

// The functions of a page for a program, with any loader.
function hostOf(window, page) {
  const { console, document, location } = window;
  let exports, sharing, lastWords = "";
  // Empty once memory grows.
  const view = (pointer, count) => new Uint8Array(exports.memory.buffer, pointer >>> 0, count);
  const setItem = (_, text = "") => setHash(location, "#" + text);
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
  const report = (error) => {
    console.error(error);
    return -4;
  };
  const tell = (name, part, text) => {
    if (part === "storage-error") program.note?.(program, { message: text });
    return attempt(() => page?.[name]?.(part, text), report);
  };
  const note = (text) => lastWords += text;
  const texts = textCalls(view);
  // The texts that items had before they changed in this turn.
  const former = new Map();
  const timer_set = (id, delay) =>
    window.setTimeout(() => turn(() => exports.sharing_timer_fired(id)), delay);
  const leaving = new AbortController();
  const changed = (area, key, by = "page") => {
    program.note?.(program.items[program.numbers[area + key]] ?? {}, { by });
    turn(() => exports.sharing_storage_changed(area, ...post(key)));
  };
  const program = { window, changed };
  // Notes facts of items for the inspector, which F8 loads.
  const inspect = (load) => {
    program.note = (item, facts) => Object.assign(item, { time: Date.now() }, facts);
    listen("keydown", (event) => {
      if (event.key === "F8") load().then(({ onKey }) => onKey(event, program), report);
    });
  };
  const tellOthers = (area, key) => {
    for (const other of running) {
      if (other === program || other.window !== window) continue;
      Promise.resolve().then(() => other.changed(area, key, "program")); // after this turn
    }
  };
  const fail = (error, what, why = explained(error)) => {
    const reason = why || lastWords.slice(-999).trim() || error?.message;
    const message = `The program ${what} (${reason}).`;
    console.error(message, error);
    tell("fail", message);
  };
  const complain = (message, error) => {
    console.error(message, error);
    if (!(tell("set", "storage-error", message) > 0)) tell("set", "notice", message);
  };
  const onEnd = () => {
    lastWords = "";
    former.clear();
  };
  const turn = turns(onEnd, (error) => {
    running.delete(program);
    fail(error, "has stopped", "");
  });
  const post = (...texts) => {
    const bytes = encoder.encode(texts.join(""));
    view(exports.sharing_inbox(bytes.length), bytes.length).set(bytes);
    return texts.map((text) => text == null ? -1 : encoder.encode(text).length);
  };
  const engineCall = (...message) =>
    turn(() => exports.sharing_engine_event(...post(JSON.stringify(message))));
  const hidden = () => {
    // Firefox may stop who waits for a storage: not the program.
    for (let item = 0; sharing.storage_stamp(item) > 0; item++);
    turn(() => exports.sharing_page_hidden());
  };
  const listen = (type, hear, target = window, capture) =>
    target.addEventListener(type, hear, { capture, signal: leaving.signal });
  return {
    explained,
    complain,
    fail,
    report,
    tell,
    texts,
    turn,
    post,
    leaving: leaving.signal,
    wasi: wasiCalls(view, window, note),
    wasiCodeOf: notSupported,
    codeOf,
    calls(options) {
      const appName = nameOf(options);
      if (options?.inspector) inspect(options.inspector);
      const calls = {
        ...hostCalls(texts, former, open, tell, console, note, tellOthers, program),
        timer_set,
        app_name: (buffer, capacity) => texts.give(appName, buffer, capacity),
      };
      sharing = guarded(calls, codeOf);
      return calls;
    },
    engines: (loaded, texts) => engineCalls(loaded, texts, engineCall, program, leaving.signal),
    own: (given) => exports = given,
    check() {
      const version = exports.sharing_abi_version?.() ?? "missing";
      if (version !== abiVersion) {
        throw Error(`its ABI version is ${version}, not ${abiVersion}: reload, or rebuild`);
      }
    },
    // Runs the program from a first turn on, or from the first call of its loader.
    run(first) {
      onEnd();
      if (first) turn(first);
      if (turn.isOver()) return;
      running.add(program);
      listen("storage", ({ key, storageArea }) => {
        const area = opened.indexOf(storageArea);
        if (area >= 0) changed(area, key, "tab");
      });
      listen("hashchange", () => changed(2));
      listen("pageshow", ({ persisted }) => turn(() => exports.sharing_page_shown(+persisted)));
      // A prerendered page gets no events, and another storage once it is shown.
      listen("prerenderingchange", () => turn(() => exports.sharing_page_shown(1)), document);
      listen("pagehide", hidden);
      listen("pagehide", hidden, window, true); // if it is stopped
      listen("visibilitychange", () => document.hidden && hidden(), document);
      return {
        exports,
        call: (name, text, ...numbers) => turn(() => exports[name](...numbers, ...post(text))),
        changed: (key) => opened.forEach((_, area) => changed(area, key)),
        stop() {
          leaving.abort(); // may send
          hidden();
          turn.stop();
          running.delete(program);
        },
      };
    },
  };
}

// What to do about a browser's error that keeps a program from being loaded, if that is known.
function explained(error) {
  if (/unsafe-eval|\bCSP\b/.test(error?.message)) {
    return "the page's Content-Security-Policy forbids WebAssembly: " +
      "add 'wasm-unsafe-eval' to its script-src";
  }
}

// Browsers take only so many changes of the address in a time: Chromium 200 in ten seconds.
function setHash(location, hash) {
  const { hash: wanted } = new URL(hash, location.href);
  attempt(() => location.hash = hash, () => {});
  if (location.hash !== wanted) throw { name: "BusyError" };
}

function textCalls(view) {
  return {
    bytes: view,
    text(pointer, count, as = exact) {
      if (count < 0) return null;
      const bytes = view(pointer, count);
      if (bytes[0] === 255 && as === exact) return JSON.parse(exact.decode(bytes.subarray(1)));
      let text = "", at = 0;
      // Each is the fastest way for so many letters.
      while (count < 13 && bytes[at] < 128) text += String.fromCharCode(bytes[at++]);
      if (at === count) return text;
      while (count < 200 && bytes[at] < 128) at++;
      return at < count ? as.decode(bytes) : String.fromCharCode.apply(null, bytes);
    },
    give(text, buffer, capacity) {
      if (text === null) return -1;
      if (text.length > capacity) return text.length;
      const isBroken = text.isWellFormed?.() === false;
      if (isBroken) text = " " + JSON.stringify(text);
      const bytes = view(buffer, capacity), { read, written } = encoder.encodeInto(text, bytes);
      if (isBroken) bytes[0] = 255;
      return written + 3 * (text.length - read); // room for the rest
    },
  };
}

function hostCalls(texts, former, open, tell, console, note, tellOthers, program) {
  const { bytes, text: string, give } = texts;
  const items = program.items = [], numbers = program.numbers = { __proto__: null }, free = [];
  const answer = answering(bytes);
  const stamp = (item, text) => {
    if (item.text !== text) {
      item.stamp++;
      former.set(item, item.text);
    }
    item.text = text;
    return item.stamp;
  };
  return {
    host_version: () => abiVersion,
    // WebKit sends events once it is read.
    storage_probe: (area) => open(area).length >= 0,
    storage_key: (area, index, buffer, capacity) => give(open(area).key(index), buffer, capacity),
    storage_item(area, pointer, count) {
      const key = string(pointer, count), storage = open(area);
      const known = numbers[area + key];
      if (known >= 0) return known;
      const number = free.pop() ?? items.length;
      items[number] = { area, key, storage, stamp: 0 };
      return numbers[area + key] = number;
    },
    storage_stamp(number) {
      const item = items[number];
      return stamp(item, item.storage.getItem(item.key));
    },
    storage_get: (number, buffer, capacity) => give(items[number].text, buffer, capacity),
    storage_difference(number, stamp, part, buffer, capacity) {
      const item = items[number], { text } = item, before = former.get(item);
      if (stamp !== item.stamp - 1 || before == null || text === null) return -1;
      const [start, end] = sameAround(before, text);
      answer(part, Int32Array.of(start, before.length - start - end, before.length));
      return give(text.slice(start, text.length - end), buffer, capacity);
    },
    storage_set(number, pointer, count) {
      const item = items[number], text = string(pointer, count);
      const { area, key, storage } = item;
      try {
        if (text === null) storage.removeItem(key);
        else storage.setItem(key, text);
      } catch (error) {
        program.note?.(item, { by: "program", error });
        throw error;
      }
      program.note?.(item, { by: "program", error: null });
      if (area !== 2) tellOthers(area, key); // of the address, there is an event
      if (count === -2 && numbers[area + key] === number) { // for good
        delete numbers[area + key];
        free.push(number);
      }
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
  const answer = answering(view);
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
      let total = 0, at = 0;
      while (at < spans.length) {
        streams[descriptor](view(spans[at++], spans[at]));
        total += spans[at++];
      }
      answer(written, Int32Array.of(total));
    },
    random_get: (pointer, count) => void crypto.getRandomValues(view(pointer, count)),
  };
}

const answering = (view) => (pointer, { buffer }) =>
  view(pointer, buffer.byteLength).set(new Uint8Array(buffer));

// How many letters two texts that differ have in common at the start and at the end. Engines
// compare slices many times as fast as letters.
function sameAround(a, b) {
  const most = Math.min(a.length, b.length);
  let start = halving(most, (from, to) => a.slice(from, to) === b.slice(from, to));
  if ((a.charCodeAt(start - 1) & 0xfc00) === 0xd800) start--; // half of a pair
  const last = (text, from, to) => text.slice(text.length - to, text.length - from);
  let end = halving(most - start, (...range) => last(a, ...range) === last(b, ...range));
  if ((a.charCodeAt(a.length - end) & 0xfc00) === 0xdc00) end--;
  return [start, end];
}

// The largest count whose parts are all the same.
function halving(most, isSame) {
  let same = 0;
  while (same < most) {
    // No further, so that little is compared again behind a difference.
    const next = Math.min(same + most + 1 >> 1, same + 6e4);
    if (isSame(same, next)) same = next;
    else most = next - 1;
  }
  return same;
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

const attempt = (call, onThrow) => {
  try {
    return call();
  } catch (error) {
    return onThrow(error);
  }
};

// What throws answers a code; so does what is missing, unless that is null.
const guarded = (calls, code, missing = code, check) =>
  // A copy: what is frozen cannot be replaced.
  new Proxy({ ...calls }, {
    get(_, name) {
      const call = calls[name] ?? missing;
      return call?.call && ((...args) => {
        check?.(name);
        try {
          return +(call.apply(calls, args) ?? 0);
        } catch (error) {
          return attempt(() => code(error), () => -4);
        }
      });
    },
  });

const notSupported = () => 52; // ENOSYS

const codeOf = ({ name }) =>
  name === "SecurityError" ? -2 : /quota/i.test(name) ? -3 : name === "BusyError" ? -10 : -4;

// The name of an app, a part of the names of its databases, channels and items in its origin.
function nameOf(options) {
  const name = options?.name ?? null;
  if (name === null || (typeof name === "string" && /^[\w-]{1,64}$/.test(name))) return name;
  throw Error(`options.name is "${name}": a name has 1 to 64 letters, digits, - or _`);
}

async function compile(wasm, response) {
  if (!wasm) throw Error("this browser has no WebAssembly");
  if (!response.ok) throw Error(`${response.status} for ${response.url}`);
  // Streamed, it stays compiled.
  return response.headers.get("content-type") === "application/wasm"
    ? await wasm.compileStreaming(response)
    : await wasm.compile(await response.arrayBuffer());
}

// Whether a program imports a function of "sharing".
function importsOf(wasm, module) {
  const names = wasm.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
  return (name) => names.includes(`sharing.${name}`);
}

// Loads the modules of engines that a program imports, in one round trip: null for a program that
// has no engine. Of a module that cannot be loaded there is the reason.
async function loadEngines(modules, wants, given, complain) {
  if (!wants("engine_find") && !wants("engine_send")) return null;
  const engines = { __proto__: null, ...given };
  let reason = "";
  const load = (name, part) =>
    modules[name]().then((module) => module[part], (error) => {
      const file = new URL(`${name}.js`, import.meta.url);
      reason = `${file} could not be loaded (${error?.message}). Put it beside sharing.js, and ` +
        "load the page again.";
      complain(reason, error);
    });
  const [calls, indexedDB] = await Promise.all([
    load("engines", "engineCalls"),
    wants("engine_indexeddb") && !engines.indexedDB ? load("indexeddb", "indexedDB") : null,
  ]);
  return { engines, calls, indexedDB, reason };
}

// The imports of a program that has engines.
function engineCalls({ engines, calls, indexedDB, reason }, texts, call, program, leaving) {
  const { window } = program;
  const open = (name) => indexedDB ? indexedDB(window, name || undefined) : failing(reason);
  return {
    engine_indexeddb(pointer, count) {
      engines.indexedDB ??= attempt(
        () => open(texts.text(pointer, count)),
        (error) => failing(error?.message),
      );
      return 1;
    },
    ...(calls ?? failingCalls(reason))(engines, texts, call, program, leaving),
  };
}

// An engine that cannot be reached, ever: what is changed stays pending, and the reason is told.
function failing(message) {
  const fail = () => Promise.reject({ name: "UnavailableError", message });
  return { load: fail, commit: fail, list: fail, watch() {} };
}

// In place of those of engines.js.
const failingCalls = (reason) => (engines, { text }, call) => ({
  engine_find: (pointer, count) => +!!engines[text(pointer, count)],
  engine_send(pointer, count) {
    const [verb, , id] = JSON.parse(text(pointer, count));
    // Once the turn has ended, as an engine does.
    failing()[verb]?.()?.catch(() => call("failed", id, "unavailable", reason));
    return 1;
  },
});

// Runs turns, one at a time, and none after one that throws. A turn of the page waits for the one
// under way. A call by a loader (`within`) runs at once, as a part of the turn under way.
function turns(onEnd, onStop) {
  const waiting = [];
  let isUnderWay = false, fault = null;
  const stop = (error) => {
    if (fault) return;
    fault = { error };
    onStop(error);
  };
  const run = (call, isSignal) => {
    try {
      return call();
    } catch (error) {
      if (!isSignal?.(error)) stop(error);
      throw error;
    }
  };
  const within = (call, isSignal) => {
    if (fault) throw fault.error;
    if (isUnderWay) return run(call, isSignal);
    isUnderWay = true;
    try {
      return run(call, isSignal);
    } finally {
      for (; !fault && (onEnd(), waiting.length);) attempt(waiting.shift(), stop);
      isUnderWay = false;
    }
  };
  const turn = (call) => {
    if (fault) return;
    if (isUnderWay) waiting.push(call);
    else attempt(() => within(call), () => {});
  };
  return Object.assign(turn, {
    within,
    // Once the waiting turns have ended.
    stop: () => turn(() => fault = { error: Error("The program was stopped.") }),
    isOver: () => !!fault,
    isUnderWay: () => isUnderWay,
  });
}
