// @ts-check
// The imports page_set and console_write, and the events from the page and the browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble, op } from "./assemble.js";
import { abiVersion } from "../../JavaScript/sharing.js";
import { demo } from "./demo.js";
import { FakePage, FakeWindow, launch, put } from "./fakes.js";

test("the program shows a text under a name", async () => {
  const { imports: { sharing }, memory, page } = await launch();
  assert.equal(sharing.page_set(...put(memory, ["title", "naïve <b>🔑"])), 0);
  assert.deepEqual(page.shown, [["title", "naïve <b>🔑"]]);
});

test("what a page throws is told with its stack, and the program goes on", async () => {
  const page = new FakePage();
  const mistake = new Error("a mistake of the embedder's");
  page.ready = (send) => {
    page.send = send;
    throw mistake;
  };
  page.onSet = page.ready.bind(page, () => {});
  const { calls, imports: { sharing }, memory, started, window } = await launch({ page });
  assert.deepEqual(window.logged, [["error", mistake]]);
  assert.equal(sharing.page_set(...put(memory, ["name", "text"])), -4);
  assert.deepEqual(window.logged, [["error", mistake], ["error", mistake]]);
  window.tell("hashchange");
  started?.changed();
  assert.deepEqual(calls.slice(2), [["changed", 2, null]]);
  assert.deepEqual(page.failures, []);
});

test("what a page throws while it is told that the program has stopped gets no further", async () => {
  const page = new FakePage();
  const mistake = new Error("a mistake of the embedder's");
  page.fail = () => {
    throw mistake;
  };
  const { window } = await launch({ page, source: Promise.reject(null) });
  assert.deepEqual(window.logged.at(-1), ["error", mistake]);
});

test("a text for memory that is not there answers failed, and is no mistake of the page's", async () => {
  const { imports: { sharing }, window } = await launch();
  assert.equal(sharing.page_set(0, 1, 1 << 30, 1), -4);
  assert.deepEqual(window.logged, []);
});

test("whatever a page answers is a number for the program", async () => {
  const page = new FakePage();
  const { imports: { sharing }, memory } = await launch({ page });
  for (const [answer, code] of [[undefined, 0], [2, 2], [2n, -4], [Symbol(), -4], [{}, NaN]]) {
    page.set = () => /** @type {any} */ (answer);
    assert.equal(sharing.page_set(...put(memory, ["name", "text"])), code);
  }
});

test("text to be shown need not be UTF-8", async () => {
  const { imports: { sharing }, memory, page } = await launch();
  sharing.page_set(...put(memory, ["name", Uint8Array.of(0x61, 0xff)]));
  assert.deepEqual(page.shown, [["name", "a\uFFFD"]]);
});

test("text to be shown may begin with a byte order mark", async () => {
  const { imports: { sharing }, memory, page } = await launch();
  sharing.page_set(...put(memory, ["name", "\uFEFFa"]));
  assert.deepEqual(page.shown, [["name", "\uFEFFa"]]);
});

test("console lines go to the level they name", async () => {
  const { imports: { sharing }, memory, window } = await launch();
  for (const level of [0, 1, 2]) {
    assert.equal(sharing.console_write(level, ...put(memory, [`line ${level}`])), 0);
  }
  assert.deepEqual(window.logged, [["info", "line 0"], ["warn", "line 1"], ["error", "line 2"]]);
});

test("an unknown level, and memory that is not there, answer failed", async () => {
  const { imports: { sharing } } = await launch();
  assert.equal(sharing.console_write(3, 0, 0), -4);
  assert.equal(sharing.console_write(0, 1 << 30, 1), -4);
});

test("an event of the page arrives with its name and its value, if it has one", async () => {
  const { calls, page } = await launch();
  page.send?.("increment");
  page.send?.("ändern", "später 🔑");
  page.send?.("clear", "");
  assert.deepEqual(calls.slice(2), [
    ["event", "increment", null],
    ["event", "ändern", "später 🔑"],
    ["event", "clear", ""],
  ]);
});

test("an event without a name does nothing", async () => {
  const bytes = demo();
  const { page } = await launch({ bytes });
  for (const name of /** @type {any[]} */ ([undefined, null, "", 3, {}])) page.send?.(name);
  page.send?.("increment");
  assert.deepEqual(page.failures, []);
  assert.deepEqual(page.shown.filter(([name]) => name === "count").at(-1), ["count", "1"]);
});

test("a storage event arrives with its area and its key, if it has one", async () => {
  const { calls, imports: { sharing }, window } = await launch();
  for (const area of [0, 1]) sharing.storage_probe(area);
  window.tell("storage", { key: "Zähler", storageArea: window.localStorage });
  window.tell("storage", { key: "", storageArea: window.sessionStorage });
  window.tell("storage", { key: null, storageArea: window.localStorage });
  assert.deepEqual(calls.slice(2), [["changed", 0, "Zähler"], ["changed", 1, ""], [
    "changed",
    0,
    null,
  ]]);
});

test("storage events of other areas are ignored, and of those that nobody has opened", async () => {
  const { calls, imports: { sharing }, window } = await launch();
  sharing.storage_probe(0);
  window.tell("storage", { key: "count", storageArea: {} });
  window.tell("storage", { key: "count", storageArea: null });
  window.tell("storage", { key: "count", storageArea: window.sessionStorage });
  assert.deepEqual(calls.slice(2), []);
});

test("what a script of the same page has stored arrives when the script says so", async () => {
  const { calls, imports: { sharing }, started } = await launch();
  started?.changed("count");
  assert.deepEqual(calls.slice(2), [], "before any area was opened");
  for (const area of [0, 1]) sharing.storage_probe(area);
  started?.changed("Zähler");
  for (const everything of [undefined, null]) started?.changed(everything);
  assert.deepEqual(calls.slice(2), [
    ["changed", 0, "Zähler"],
    ["changed", 1, "Zähler"],
    ...[0, 1, 0, 1].map((area) => ["changed", area, null]),
  ]);
});

test("a change of the address behind # arrives as one of its area", async () => {
  const { calls, window } = await launch();
  window.tell("hashchange");
  assert.deepEqual(calls.slice(2), [["changed", 2, null]]);
});

test("coming and going of the page are forwarded", async () => {
  const { calls, window } = await launch();
  window.tell("pageshow", { persisted: false });
  window.tell("pageshow", { persisted: true });
  window.document.hidden = true;
  window.tell("visibilitychange", {}, window.document);
  assert.deepEqual(calls.slice(2), [["shown", 0], ["shown", 1], ["hidden"]]);
  window.document.hidden = false;
  window.tell("visibilitychange", {}, window.document);
  window.tell("pagehide");
  // Twice: a browser may suspend the page for good after the first call.
  const leaving = [["hidden"], ["hidden"]];
  assert.deepEqual(calls.slice(2), [["shown", 0], ["shown", 1], ["hidden"], ...leaving]);
});

test("a page that was prerendered has missed events until it is shown", async () => {
  const { calls, window } = await launch();
  window.tell("prerenderingchange", {}, window.document);
  assert.deepEqual(calls.slice(2), [["shown", 1]]);
});

test("a page that is left has waited for the storages before the program is called", async () => {
  /** @type {[local: number, session: number][]} */
  const reads = [];
  const window = new FakeWindow();
  const { imports: { sharing }, memory } = await launch({
    window,
    exports: {
      sharing_page_hidden() {
        reads.push([window.localStorage.reads, window.sessionStorage.reads]);
      },
    },
  });
  for (const name of ["count", "todos"]) sharing.storage_item(0, ...put(memory, [name]));
  sharing.storage_item(1, ...put(memory, ["visit"]));
  window.document.hidden = true;
  window.tell("visibilitychange", {}, window.document);
  assert.deepEqual(reads, [[2, 1]]);
});

test("a storage that fails does not keep the program from hearing that the page is left", async () => {
  const { calls, imports: { sharing }, memory, window } = await launch();
  sharing.storage_item(0, ...put(memory, ["count"]));
  window.localStorage.fault = { thrown: new Error("broken") };
  window.tell("pagehide");
  assert.deepEqual(calls.slice(2), [["hidden"], ["hidden"]]);
});

test("a timer calls back with its number when its time is over", async () => {
  const { calls, imports: { sharing }, window } = await launch();
  assert.ok(sharing.timer_set(7, 500) > 0);
  assert.ok(sharing.timer_set(8, 0) > 0);
  assert.deepEqual(window.timers.map(([, delay]) => delay), [500, 0]);
  window.timers[1][0]();
  window.timers[0][0]();
  assert.deepEqual(calls.slice(2), [["timer", 8], ["timer", 7]]);
});

test("after the program has stopped, timers call nobody", async () => {
  const { calls, imports: { sharing }, page, window } = await launch({
    exports: {
      sharing_page_hidden() {
        throw new Error("stop");
      },
    },
  });
  sharing.timer_set(7, 500);
  window.tell("pagehide");
  window.timers[0][0]();
  assert.equal(page.failures.length, 1);
  assert.deepEqual(calls.slice(2), []);
});

test("an event that the page sends while it is being changed waits for its turn", async () => {
  const page = new FakePage();
  /** @type {string[]} */
  const order = [];
  const { imports } = await launch({
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
    page.send?.("blur");
  };
  page.send?.("submit");
  assert.deepEqual(order, ["enter 6", "leave 6", "enter 4", "leave 4"]);
});

test("memory may grow between calls and in the middle of one", async () => {
  const { page, window } = await launch({
    window: new FakeWindow(),
    bytes: assemble({
      imports: [["sharing", "page_set", 4, 1]],
      functions: {
        sharing_abi_version: { results: 1, code: [op.const(abiVersion)] },
        sharing_start: { code: [] },
        sharing_page_shown: { parameters: 1, code: [op.const(1), op.growMemory, op.drop] },
        // Grows by a page and returns the first byte of the second one.
        sharing_inbox: {
          parameters: 1,
          results: 1,
          code: [op.const(1), op.growMemory, op.drop, op.const(65536)],
        },
        // Grows again, then shows the value under the name.
        sharing_page_event: {
          parameters: 2,
          code: [
            [...op.const(1), ...op.growMemory, ...op.drop],
            [...op.const(65536), ...op.get(0)],
            [...op.const(65536), ...op.get(0), ...op.add, ...op.get(1)],
            [...op.call(0), ...op.drop],
          ],
        },
      },
    }),
  });
  page.send?.("name", "one");
  window.tell("pageshow", { persisted: false });
  page.send?.("näme", "twö");
  assert.deepEqual(page.shown, [["name", "one"], ["näme", "twö"]]);
  assert.deepEqual(page.failures, []);
});

test("pointers beyond two gigabytes, which arrive negative, are understood", async () => {
  const memory = new WebAssembly.Memory({ initial: 32_769 });
  const { imports: { sharing }, page } = await launch({ exports: { memory } });
  const [name, nameCount, text, textCount] = put(memory, ["name", "far away"], 2 ** 31);
  assert.equal(sharing.page_set(name | 0, nameCount, text | 0, textCount), 0);
  assert.deepEqual(page.shown, [["name", "far away"]]);
});
