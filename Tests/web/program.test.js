// @ts-check
// The built program behind the shim, with changes of the storage by other tabs.

import assert from "node:assert/strict";
import { test } from "node:test";
import { demo } from "./demo.js";
import { FakeWindow, launch } from "./fakes.js";

/** Launches the counter; returns its shown texts, and functions for the actions of other tabs. */
async function counter(stored = /** @type {string | null} */ (null), window = new FakeWindow()) {
  const { items } = window.localStorage;
  if (stored !== null) items.set("count", stored);
  const bytes = demo();
  const { page } = await launch({ window, bytes });
  /** @type {(key: string | null, text?: string | null, storageArea?: unknown) => void} */
  const tell = (key, text, storageArea = window.localStorage) => {
    if (text === null) items.delete(key);
    else if (text !== undefined) items.set(key, text);
    window.tell("storage", { key, storageArea });
  };
  return {
    items,
    tell,
    window,
    send: (/** @type {string} */ name) => page.send?.(name),
    counts: () => page.shown.filter(([name]) => name === "count").map(([, text]) => text),
  };
}

test("another tab sets the item", async () => {
  const { counts, tell } = await counter("3");
  tell("count", "7");
  assert.deepEqual(counts(), ["3", "7"]);
});

test("another tab removes the item, or clears the storage", async () => {
  const { counts, items, tell } = await counter("3");
  tell("count", null);
  tell("count", "4");
  items.clear();
  tell(null);
  assert.deepEqual(counts(), ["3", "0", "4", "0"]);
  assert.equal(items.size, 0, "nothing is written back");
});

test("the same text again, another key and another area change nothing", async () => {
  const { counts, tell, window } = await counter("3");
  tell("count", "3");
  tell("other", "9");
  window.sessionStorage.setItem("count", "9");
  tell("count", undefined, window.sessionStorage);
  tell("count", undefined, {});
  assert.deepEqual(counts(), ["3"]);
});

test("a storage that no key of the program uses is not opened", async () => {
  const window = new FakeWindow();
  /** @type {string[]} */
  const opened = [];
  for (const [name, storage] of Object.entries(window)) {
    if (!name.endsWith("Storage")) continue;
    Object.defineProperty(window, name, { get: () => opened.push(name) && storage });
  }
  const { counts, send } = await counter("3", window);
  send("increment");
  assert.deepEqual(counts(), ["3", "4"]);
  assert.deepEqual([...new Set(opened)], ["localStorage"]);
});

test("what the page itself has written does not come back as news", async () => {
  const { counts, items, send, tell } = await counter();
  send("increment");
  tell("count");
  assert.deepEqual(counts(), ["0", "1"]);
  assert.deepEqual([...items], [["count", "1"]]);
});

test("a mutation applies to what another tab has stored, told or not", async () => {
  const { counts, items, send } = await counter("3");
  items.set("count", "10");
  send("increment");
  assert.equal(counts().at(-1), "11");
  assert.equal(items.get("count"), "11");
});

test("whatever another tab makes of a list, the program goes on from just that", async () => {
  const window = new FakeWindow();
  const { items } = window.localStorage;
  const { page } = await launch({ window, bytes: demo() });
  let seed = 3;
  const next = (/** @type {number} */ limit) => {
    seed = Math.imul(seed, 1103515245) + 12345 >>> 0;
    return (seed >>> 16) % limit;
  };
  const letters = ["a", "b", "é", "鍵", "🔐", "🔑", "\u{10411}", "\u{10011}"];
  const title = () => "t" + Array.from({ length: next(9) }, () => letters[next(8)]).join("");
  const todo = (/** @type {number} */ number) => (
    { id: `${number}`.padStart(26, "0"), title: title(), completed: false }
  );
  const todos = Array.from({ length: 9 }, (_, number) => todo(number));
  for (let round = 0; round < 400; round++) {
    const one = todos[next(todos.length)];
    [
      () => one.title = title(),
      () => one.title = one.title + title(),
      () => one.completed = !one.completed,
      () => todos.push(todo(100 + round)),
      () => todos.length > 5 && todos.splice(next(todos.length), 1),
      () => todos.forEach((todo) => todo.title = title()),
    ][next(6)]();
    items.set("todos-sharing", JSON.stringify(todos));
    if (next(4)) window.tell("storage", { key: "todos-sharing", storageArea: window.localStorage });
    if (next(3)) continue;
    todos[0].completed = !todos[0].completed;
    page.send?.("toggle", `${todos[0].id}`);
    assert.equal(items.get("todos-sharing"), JSON.stringify(todos), `round ${round}`);
  }
});

test("a page that comes back from the back/forward cache reads everything anew", async () => {
  const { counts, items, window } = await counter("3");
  items.set("count", "8");
  window.tell("pageshow", { persisted: false });
  assert.deepEqual(counts(), ["3"]);
  window.tell("pageshow", { persisted: true });
  assert.deepEqual(counts(), ["3", "8"]);
  items.delete("count");
  window.tell("pageshow", { persisted: true });
  assert.deepEqual(counts(), ["3", "8", "0"]);
});

test("a hidden page with nothing to write writes nothing, and brings nothing back", async () => {
  const { items, window } = await counter("3");
  items.clear();
  window.tell("pagehide");
  assert.equal(items.size, 0);
});

test("a click looks at the storage once and writes once, and reads nothing again", async () => {
  /** @type {string[]} */
  const calls = [];
  const window = new FakeWindow();
  const todo = { id: "1".padStart(26, "0"), title: "milk", completed: false };
  window.localStorage.setItem("todos-sharing", JSON.stringify([todo]));
  const { compileStreaming, instantiate, Module } = WebAssembly;
  window.WebAssembly = {
    compileStreaming,
    Module,
    instantiate(/** @type {WebAssembly.Module} */ module, /** @type {any} */ imports) {
      const { sharing } = imports;
      const get =
        (/** @type {any} */ _, /** @type {string} */ name) => (/** @type {any[]} */ ...words) => {
          if (name.startsWith("storage_")) calls.push(name);
          return sharing[name](...words);
        };
      return instantiate(module, { ...imports, sharing: new Proxy({}, { get }) });
    },
  };
  const { page } = await launch({ window, bytes: demo() });
  for (const [event, value] of [["increment"], ["toggle", todo.id]]) {
    page.send?.(event, value);
    calls.length = 0;
    page.send?.(event, value);
    assert.deepEqual(calls, ["storage_stamp", "storage_set"], event);
  }
});

test("what is refused again is said again: a page may have removed the reason meanwhile", async () => {
  const { page } = await launch({ bytes: demo() });
  const refused = () => page.shown.splice(0).filter(([name]) => name === "refused");
  const reason = ["refused", "A todo needs a title."];
  for (const _ of [1, 2]) {
    page.send?.("add", "");
    assert.deepEqual(refused(), [reason]);
  }
  page.send?.("increment");
  assert.deepEqual(refused(), [["refused", ""]]);
  page.send?.("increment");
  assert.deepEqual(refused(), []);
});
