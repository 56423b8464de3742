// @ts-check
// Starting a program, rejecting one, and the effects of a trap.

import assert from "node:assert/strict";
import { test } from "node:test";
import { abiVersion } from "../../JavaScript/sharing.js";
import { assemble, op } from "./assemble.js";
import { FakePage, FakeWindow, launch, put, response } from "./fakes.js";

const version = { results: 1, code: [op.const(abiVersion)] };
const trap = (parameters = 0, results = 0) => ({ parameters, results, code: [op.unreachable] });

test("a program is initialized, then started, and then the page is ready", async () => {
  const page = new FakePage();
  const { calls, started } = await launch({ page });
  assert.deepEqual(calls, [["initialize"], ["start"]]);
  assert.ok(page.send);
  assert.ok(started);
  assert.deepEqual(page.failures, []);
});

test("a program without _initialize starts too", async () => {
  const { calls, page } = await launch({ exports: { _initialize: undefined } });
  assert.deepEqual(calls, [["start"]]);
  assert.ok(page.send);
});

test("another ABI version is refused before the start, with numbers and a remedy", async () => {
  const { calls, page, started, window } = await launch({
    exports: { sharing_abi_version: () => 7 },
  });
  assert.deepEqual(calls, [["initialize"]]);
  assert.equal(page.send, null);
  assert.equal(started, undefined);
  assert.deepEqual(page.failures, ["The program cannot start."]);
  assert.deepEqual(window.told, [
    `The program cannot start. its ABI version is 7, not ${abiVersion}: reload, or rebuild`,
  ]);
});

test("a program that does not say its version is refused", async () => {
  const { page, window } = await launch({ exports: { sharing_abi_version: undefined } });
  assert.equal(page.send, null);
  assert.deepEqual(window.told, [
    `The program cannot start. its ABI version is missing, not ${abiVersion}: reload, or rebuild`,
  ]);
});

test("a refused program hears nothing", async () => {
  const { calls, window } = await launch({ exports: { sharing_abi_version: () => 7 } });
  window.tell("pageshow", { persisted: true });
  window.tell("storage", { key: null, storageArea: window.localStorage });
  assert.deepEqual(calls, [["initialize"]]);
});

test("another version's imports are no obstacle to hearing its number", async () => {
  const { window } = await launch({
    bytes: assemble({
      imports: [["sharing", "page_paint", 2, 1], ["wasi_snapshot_preview1", "sock_shutdown", 2, 1]],
      functions: { sharing_abi_version: { results: 1, code: [op.const(abiVersion + 1)] } },
    }),
  });
  assert.ok(window.told[0].includes(`ABI version is ${abiVersion + 1}, not ${abiVersion}`));
});

test("in a browser without WebAssembly the program cannot start", async () => {
  const window = new FakeWindow();
  window.WebAssembly = undefined;
  const { page } = await launch({ window });
  assert.deepEqual(page.failures, ["The program cannot start."]);
});

test("a file that is not there, or cannot be fetched, or is not wasm, is reported", async () => {
  const missing = await launch({ source: response("", 404) });
  assert.match(missing.window.told[0], /cannot start\. 404 for /);
  const offline = await launch({ source: Promise.reject(new TypeError("Failed to fetch")) });
  assert.match(offline.window.told[0], /cannot start\. Failed to fetch$/);
  const garbage = await launch({ bytes: new TextEncoder().encode("<!DOCTYPE html>") });
  assert.match(garbage.window.told[0], /cannot start\. .*magic/);
});

test("a fetch that fails before it is waited for is the program's failure only", async () => {
  const page = new FakePage();
  const offline = () => Promise.reject(new TypeError("Failed to fetch"));
  const { way, window } = await launch({ engines: {}, page, source: offline() });
  assert.equal(way, "");
  assert.match(window.told[0], /Failed to fetch/);
  const halved = await launch({ page: Object.assign(page, { set: null }), source: offline() });
  assert.match(halved.window.told[0], /page.set is missing/);
  await new Promise((resolve) => setTimeout(resolve));
});

test("a module is streamed under its type, and starts under any", async () => {
  const bytes = assemble({
    functions: { sharing_abi_version: version, sharing_start: { code: [] } },
  });
  for (const type of ["application/wasm", "text/plain", "application/wasm; charset=utf-8"]) {
    const source = Promise.resolve(new Response(bytes, { headers: { "content-type": type } }));
    const { page, way } = await launch({ bytes, source });
    assert.deepEqual(page.failures, [], type);
    assert.ok(page.send, type);
    assert.equal(way === "compileStreaming", type === "application/wasm", type);
  }
  const { page } = await launch({ bytes, source: Promise.resolve(new Response(bytes)) });
  assert.ok(page.send, "no type at all");
});

test("a trap while starting is reported, and the page is not ready", async () => {
  for (const where of ["_initialize", "sharing_start"]) {
    const functions = {
      sharing_abi_version: version,
      sharing_start: { code: [] },
      [where]: trap(),
    };
    const { page, started, window } = await launch({ bytes: assemble({ functions }) });
    assert.equal(started, undefined, where);
    assert.equal(page.send, null, where);
    assert.equal(page.failures.length, 1, where);
    assert.match(window.told[0], /unreachable/);
  }
});

test("a trap is shown, the console has the last words, and the program stays quiet", async () => {
  const { page, window } = await launch({
    bytes: assemble({
      imports: [["sharing", "console_write", 3, 1]],
      functions: {
        sharing_abi_version: version,
        sharing_start: { code: [] },
        sharing_inbox: { parameters: 1, results: 1, code: [op.const(16)] },
        // Writes the event's name to the console before it traps.
        sharing_page_event: {
          parameters: 2,
          code: [
            [...op.const(2), ...op.const(16), ...op.get(0)],
            [...op.call(0), ...op.drop, ...op.unreachable],
          ],
        },
        sharing_page_shown: trap(1),
        sharing_page_hidden: trap(),
        sharing_storage_changed: trap(2),
      },
    }),
  });
  page.send?.("nested withLock at Counter.swift:12");
  const failures = ["The program has stopped."];
  assert.deepEqual(page.failures, failures);
  assert.equal(window.told[0], "nested withLock at Counter.swift:12");
  page.send?.("again");
  window.tell("pageshow", { persisted: true });
  window.tell("pagehide");
  window.tell("visibilitychange", {}, window.document);
  window.tell("storage", { key: "count", storageArea: window.localStorage });
  assert.deepEqual(page.failures, failures);
});

test("what was written to standard error in the turn of a trap is in the console once", async () => {
  const page = new FakePage();
  const error = new WebAssembly.RuntimeError("unreachable");
  const { imports, memory, window } = await launch({
    page,
    exports: {
      sharing_page_event(/** @type {number} */ count) {
        const texts = ["Counter.swift:12: ", "Fatal error: no such row\n"].slice(0, count);
        const vectors = Uint32Array.from(put(memory, texts, 8192));
        new Uint8Array(memory.buffer).set(new Uint8Array(vectors.buffer), 4);
        imports.wasi_snapshot_preview1.fd_write(2, 4, texts.length, 1000);
        if (count > 1) throw error;
      },
    },
  });
  page.send?.("1");
  page.send?.("12");
  const message = "The program has stopped.";
  assert.deepEqual(page.failures, [message]);
  assert.deepEqual(window.logged, [
    ["error", "Counter.swift:12: Counter.swift:12: Fatal error: no such row"],
    ["error", message, "", error],
  ]);
});

test("the engine's error for a trap is in the console, and not shown", async () => {
  const { page, window } = await launch({
    bytes: assemble({
      functions: {
        sharing_abi_version: version,
        sharing_start: { code: [] },
        sharing_inbox: { parameters: 1, results: 1, code: [op.const(16)] },
        sharing_page_event: trap(2),
      },
    }),
  });
  page.send?.("x");
  assert.deepEqual(page.failures, ["The program has stopped."]);
  assert.match(window.told[0], /^The program has stopped\. unreachable/);
});

test("an endless recursion and an exit stop the program like a trap", async () => {
  const { window: recursive } = await launch({
    bytes: assemble({
      functions: {
        sharing_start: { code: [op.call(0)] },
        sharing_abi_version: version,
      },
    }),
  });
  assert.match(recursive.told[0], /has stopped\. .*(call stack|recursion)/);
  const { window: exiting } = await launch({
    bytes: assemble({
      imports: [["wasi_snapshot_preview1", "proc_exit", 1, 0]],
      functions: {
        sharing_abi_version: version,
        sharing_start: { code: [op.const(3), op.call(0), op.unreachable] },
      },
    }),
  });
  assert.match(exiting.told[0], /has stopped\. unreachable/);
});

test("events that wait when the program stops are dropped", async () => {
  const page = new FakePage();
  let turns = 0;
  const { window } = await launch({
    page,
    exports: {
      sharing_page_event() {
        turns += 1;
        page.send?.("another");
        throw new Error("stop");
      },
    },
  });
  page.send?.("first");
  assert.equal(turns, 1);
  assert.equal(page.failures.length, 1);
  assert.equal(window.logged.length, 1);
});
