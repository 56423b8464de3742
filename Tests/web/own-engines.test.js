// @ts-check
// The modules that a program loads for its engines, and the name that separates apps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, FakePage, FakeWindow, launch, put } from "./fakes.js";

const wanted = ["engine_find", "engine_send", "engine_indexeddb"];

/** Waits until promises are settled. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** Returns the modules beside the shim, which record their loading; one has an invalid engine. */
function fakeModules(/** @type {any} */ replaced = {}) {
  /** @type {unknown[][]} */
  const loaded = [];
  const own = { load: () => Promise.resolve({ stored: [], applied: 7 }) };
  return {
    loaded,
    own,
    engines() {
      loaded.push(["engines"]);
      return import("../../JavaScript/engines.js");
    },
    indexeddb() {
      loaded.push(["indexeddb"]);
      const indexedDB = (/** @type {any} */ ...given) => (loaded.push(given.slice(1)), own);
      return Promise.resolve({ indexedDB });
    },
    ...replaced,
  };
}

/** Starts a program, and makes it load a value. */
async function launchLoading(/** @type {any} */ given) {
  const launched = await launch({ wanted, ...given });
  const { calls, imports: { sharing }, memory } = launched;
  const heard = () => calls.filter(([name]) => name === "engine").map(([, ...message]) => message);
  const send = (/** @type {unknown[]} */ ...message) =>
    sharing.engine_send(...put(memory, [JSON.stringify(message)]));
  return { ...launched, heard, send, sharing };
}

test("a program without engines has none of their modules loaded, whatever the page passes", async () => {
  const modules = fakeModules();
  const { imports, page } = await launch({ wanted: [], modules, engines: { mine: {} } });
  assert.deepEqual(modules.loaded, []);
  assert.deepEqual(page.failures, []);
  assert.ok(!("engine_find" in imports.sharing && imports.sharing.engine_find));
});

test("a program with engines of its page only has no other one loaded", async () => {
  const modules = fakeModules();
  await launch({ wanted: ["engine_find", "engine_send"], modules });
  assert.deepEqual(modules.loaded, [["engines"]]);
});

test("the engine of .indexedDB keys is loaded for a program that wants it, and opened by name", async () => {
  for (const name of ["", "my-app"]) {
    const modules = fakeModules();
    const { heard, memory, send, sharing } = await launchLoading({ modules });
    assert.deepEqual(modules.loaded, [["engines"], ["indexeddb"]]);
    assert.equal(sharing.engine_find(...put(memory, ["indexedDB"])), 0);
    assert.equal(sharing.engine_indexeddb(...put(memory, [name])), 1);
    assert.equal(sharing.engine_indexeddb(...put(memory, [name])), 1);
    assert.deepEqual(modules.loaded.slice(2), [[name || undefined]]);
    assert.equal(sharing.engine_find(...put(memory, ["indexedDB"])), 1);
    send("load", "indexedDB", "1", "me", "a");
    await settled();
    assert.deepEqual(heard(), [["loaded", "1", "7"]]);
  }
});

test("an engine that the page passes takes its place", async () => {
  const modules = fakeModules(), passed = { ...modules.own };
  const { memory, sharing } = await launchLoading({ modules, engines: { indexedDB: passed } });
  assert.deepEqual(modules.loaded, [["engines"]]);
  assert.equal(sharing.engine_indexeddb(...put(memory, [""])), 1);
  assert.equal(sharing.engine_find(...put(memory, ["indexedDB"])), 1);
});

test("no engine is found by a name that every object has", async () => {
  const { memory, sharing } = await launchLoading({ modules: fakeModules() });
  for (const name of ["constructor", "__proto__"]) {
    assert.equal(sharing.engine_find(...put(memory, [name])), 0, name);
  }
});

test("a program does not start without a module of its engines, and the page says which one", async () => {
  for (const name of ["engines", "indexeddb"]) {
    const modules = fakeModules({ [name]: () => Promise.reject(new TypeError("Failed to fetch")) });
    const { page, started, window } = await launch({ wanted, modules });
    const file = new URL(`../../JavaScript/${name}.js`, import.meta.url);
    assert.equal(started, undefined);
    assert.deepEqual(page.failures, ["The program cannot start."]);
    assert.deepEqual(window.told, [
      `The program cannot start. ${file} could not be loaded: put it beside sharing.js`,
    ]);
    assert.deepEqual(page.shown, []);
  }
});

test("an engine that cannot be opened is told as what it fails at", async () => {
  const indexedDB = () => {
    throw new Error("No channels here.");
  };
  const modules = fakeModules({ indexeddb: () => Promise.resolve({ indexedDB }) });
  const { heard, memory, send, sharing } = await launchLoading({ modules });
  assert.equal(sharing.engine_indexeddb(...put(memory, [""])), 1);
  send("load", "indexedDB", "1", "me", "a");
  await settled();
  assert.deepEqual(heard(), [["failed", "1", "failed", "No channels here."]]);
});

test("the program is told the name of the app", async () => {
  const buffer = 4096;
  for (const name of ["my-app", "A_1", "x".repeat(64)]) {
    const { imports: { sharing }, memory } = await launch({ name });
    assert.equal(sharing.app_name(buffer, 100), name.length);
    assert.equal(decode(new Uint8Array(memory.buffer, buffer, name.length)), name);
  }
  const { imports: { sharing } } = await launch({ name: null });
  assert.equal(sharing.app_name(buffer, 100), -1);
});

test("a name that cannot be one is an error that says so", async () => {
  for (const name of ["", "a/b", "a.b", "ä", " ", "x".repeat(65), 7, {}]) {
    const { calls, page, window } = await launch({ name });
    assert.deepEqual(calls, []);
    assert.deepEqual(page.failures, ["The program cannot start."]);
    assert.deepEqual(window.told, [
      `The program cannot start. options.name is "${name}": a name has 1 to 64 letters, digits, - ` +
      "or _",
    ]);
  }
});

// MARK: Two programs in one page

/** Launches a program that stores a text under a key of an area; `calls` has the received calls. */
async function launchStoring(/** @type {FakeWindow} */ window, page = new FakePage()) {
  const launched = await launch({ page, window });
  const { calls, imports: { sharing }, memory } = launched;
  const store = (
    /** @type {number} */ area,
    /** @type {string} */ key,
    /** @type {string} */ text,
  ) =>
    sharing.storage_set(
      sharing.storage_item(area, ...put(memory, [key])),
      ...put(memory, [text]),
    );
  const heard = () => calls.filter(([name]) => name === "changed");
  return { ...launched, heard, store };
}

test("what a program stores is told to the others of its page, once its turn has ended", async () => {
  const window = new FakeWindow();
  const one = await launchStoring(window), other = await launchStoring(window);
  one.store(0, "count", "5");
  one.store(1, "visit", "6");
  one.store(2, "", "7"); // the browser sends one event for the whole address
  assert.deepEqual(other.heard(), []);
  await settled();
  assert.deepEqual(other.heard(), [["changed", 0, "count"], ["changed", 1, "visit"]]);
  assert.deepEqual(one.heard(), []);
});

test("a program of another window, and one that is stopped, are told nothing", async () => {
  const window = new FakeWindow();
  const one = await launchStoring(window), stopped = await launchStoring(window);
  const elsewhere = await launchStoring(new FakeWindow());
  one.store(0, "count", "5");
  stopped.started.stop();
  await settled();
  one.store(0, "count", "6");
  await settled();
  assert.deepEqual([...stopped.heard(), ...elsewhere.heard()], []);
});
