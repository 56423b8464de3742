// @ts-check
// The program that `start` resolves to, and its end.

import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-types="../../JavaScript/sharing.d.ts"
import { start } from "../../JavaScript/sharing.js";
import { demo } from "./demo.js";
import { FakePage, FakeWindow, launch, put, response } from "./fakes.js";

/** Sends every event that can begin a turn. */
function knock(/** @type {any} */ { page, started, window }) {
  page.send("increment");
  started.changed("count");
  window.tell("storage", { key: "count", storageArea: window.localStorage });
  window.tell("hashchange");
  window.tell("pageshow", { persisted: true });
  window.tell("pagehide");
  window.document.hidden = true;
  window.tell("visibilitychange", {}, window.document);
}

test("a program has its exports", async () => {
  const { started } = await launch({ exports: { answer: () => 42 } });
  assert.equal(/** @type {any} */ (started?.exports).answer(), 42);
});

test("an export is called with a text in the inbox, in a turn of its own", async () => {
  const heard = [];
  const { memory, page, started } = await launch({
    exports: {
      answered(/** @type {number} */ number, /** @type {number} */ count) {
        if (number === 1) started?.call("answered", "later", 2);
        const bytes = new Uint8Array(memory.buffer, 1024, Math.max(0, count)).slice();
        heard.push([number, count, new TextDecoder().decode(bytes)]);
      },
    },
  });
  started?.call("answered", "Zähler", 1);
  started?.call("answered", null, 3);
  assert.deepEqual(heard, [[1, 7, "Zähler"], [2, 5, "later"], [3, -1, ""]]);
  assert.deepEqual(page.failures, []);
});

test("an export that stops the program, or that there is not, is told to the page", async () => {
  for (const name of ["answered", "missing"]) {
    const answered = () => {
      throw new Error("unreachable");
    };
    const { page, started } = await launch({ exports: { answered } });
    started?.call(name, "text");
    assert.match(page.failures[0], /has stopped/);
  }
});

test("a program that is stopped is told to write, and hears nothing any more", async () => {
  const launched = await launch();
  const { calls, imports: { sharing }, page, started, window } = launched;
  sharing.storage_probe(0);
  sharing.timer_set(7, 500);
  started?.stop();
  assert.deepEqual(calls.splice(2), [["hidden"]]);
  knock(launched);
  window.timers[0][0]();
  sharing.timer_set(8, 0);
  window.timers[1][0]();
  assert.deepEqual(calls.slice(2), []);
  assert.deepEqual(page.failures, []);
});

test("nothing of a stopped program listens to the window, or to the document", async () => {
  /** @type {Map<string, number>} */
  const listeners = new Map();
  const window = new FakeWindow();
  for (const target of [window, window.document]) {
    const { addEventListener } = target;
    target.addEventListener = (
      /** @type {string} */ type,
      /** @type {any} */ hear,
      /** @type {any} */ options,
    ) => {
      const key = `${type} ${!!options.capture}`;
      listeners.set(key, (listeners.get(key) ?? 0) + 1);
      options.signal.addEventListener("abort", () => listeners.delete(key));
      addEventListener.call(target, type, hear, options);
    };
  }
  const { started } = await launch({ window });
  assert.deepEqual([...listeners.keys()].sort(), [
    "hashchange false",
    "pagehide false",
    "pagehide true",
    "pageshow false",
    "prerenderingchange false",
    "storage false",
    "visibilitychange false",
  ]);
  started?.stop();
  assert.equal(listeners.size, 0);
});

test("a program that is stopped waits for the storages first, as when the page is left", async () => {
  const window = new FakeWindow();
  /** @type {number[]} */
  const reads = [];
  const { imports: { sharing }, memory, started } = await launch({
    window,
    exports: { sharing_page_hidden: () => reads.push(window.localStorage.reads) },
  });
  sharing.storage_item(0, ...put(memory, ["count"]));
  started?.stop();
  assert.deepEqual(reads, [1]);
});

test("to stop again does nothing", async () => {
  const { calls, started } = await launch();
  started?.stop();
  started?.stop();
  assert.deepEqual(calls.slice(2), [["hidden"]]);
});

test("the page learns by its signal that the program is stopped, and may send a last event", async () => {
  const { calls, page, started } = await launch();
  assert.equal(page.signal?.aborted, false);
  page.signal?.addEventListener("abort", () => page.send?.("draft", "unfinished"));
  started?.stop();
  assert.equal(page.signal?.aborted, true);
  assert.deepEqual(calls.slice(2), [["event", "draft", "unfinished"], ["hidden"]]);
});

test("a program that is stopped in a turn ends it, and what waits, and writes", async () => {
  const page = new FakePage();
  /** @type {string[]} */
  const order = [];
  const { calls, imports, started } = await launch({
    page,
    exports: {
      sharing_page_event(/** @type {number} */ count) {
        order.push(`enter ${count}`);
        imports.sharing.page_set(0, 0, 0, 0);
        order.push(`leave ${count}`);
      },
    },
  });
  page.onSet = () => {
    page.onSet = () => {};
    page.send?.("12");
    started?.stop();
    page.send?.("123");
  };
  page.send?.("1");
  assert.deepEqual(order, ["enter 1", "leave 1", "enter 2", "leave 2"]);
  assert.deepEqual(calls.slice(2), [["hidden"]]);
});

test("a program that has trapped can be stopped, and is told nothing", async () => {
  const { calls, page, started } = await launch({
    exports: {
      sharing_page_event() {
        throw new Error("stop");
      },
    },
  });
  page.send?.("increment");
  started?.stop();
  assert.deepEqual(calls.slice(2), []);
  assert.equal(page.failures.length, 1);
});

test("the built program does not count on after it was stopped", async () => {
  const window = new FakeWindow();
  const bytes = demo();
  const launched = await launch({ window, bytes });
  const { page, started } = launched;
  page.send?.("increment");
  started?.stop();
  knock(launched);
  assert.equal(window.localStorage.items.get("count"), "1");
});

test("a page object without one of its methods is told so, once, and nothing is started", async () => {
  for (const name of ["set", "ready", "fail"]) {
    for (const value of [undefined, null, 3, "text"]) {
      const page = Object.assign(new FakePage(), { [name]: value });
      const { calls, started, window } = await launch({ page });
      assert.equal(started, undefined);
      assert.deepEqual(calls, []);
      const message = "The program cannot start.";
      assert.deepEqual(page.failures, name === "fail" ? [] : [message]);
      assert.equal(window.told[0], `${message} page.${name} is missing`);
    }
  }
});

test("no page object at all is told, too", async () => {
  for (const page of /** @type {any[]} */ ([null, undefined, 3, {}])) {
    const window = new FakeWindow();
    assert.equal(await start(response("fake"), /** @type {any} */ (window), page), undefined);
    assert.deepEqual(window.told, ["The program cannot start. page.set is missing"]);
  }
});
