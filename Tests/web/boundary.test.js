// @ts-check
// No JavaScript exception passes an import, for any thrown value and any growth of memory.

import assert from "node:assert/strict";
import { test } from "node:test";
import { abiVersion } from "../../JavaScript/sharing.js";
import { decode, FakePage, FakeWindow, launch, put } from "./fakes.js";

const failed = -4;
const buffer = 70_000; // in the second page of the memory

/** Throws, as a getter or a conversion. */
const refuse = () => {
  throw new Error("not even this");
};

/** Unusual values that a page's script may throw. */
const thrown = [
  ...["text", "", 0, 22, NaN, true, 10n, null, undefined, Symbol("quota"), () => {}, [], {}],
  Object.create(null),
  Object.defineProperty({}, "name", { get: refuse }),
  { name: Symbol("QuotaExceededError") },
  { name: { toString: refuse } },
  { name: Object.create(null) },
  new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse }),
  revoked(),
];

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Every import of "sharing", with arguments that reach the window or the page. */
const calls = {
  host_version: [],
  storage_probe: [0],
  storage_item: [0, 0, 0],
  storage_get: [0, buffer, 100],
  storage_key: [0, 0, buffer, 100],
  storage_stamp: [0],
  storage_set: [0, 0, 0],
  timer_set: [1, 10],
  time_zone: [],
  app_name: [buffer, 100],
  page_set: [0, 0, 0, 0],
  console_write: [0, 0, 0],
};

/** The results of calls that reach no throwing object. */
const harmless = {
  host_version: abiVersion,
  storage_item: 0,
  time_zone: -new Date().getTimezoneOffset(),
  app_name: -1,
};

/** Returns a window and a page that throw on every access. */
function breaking(/** @type {unknown} */ thrown) {
  const throwing = () => {
    throw thrown;
  };
  const window = new FakeWindow();
  window.localStorage.fault = { thrown };
  window.setTimeout = throwing;
  window.console = { log: throwing, info: throwing, warn: throwing, error: throwing };
  return { window, page: Object.assign(new FakePage(), { set: throwing }) };
}

test("the calls of these tests are all that there are", async () => {
  const { imports: { sharing } } = await launch();
  assert.deepEqual(Object.keys(calls).sort(), Object.keys(sharing).sort());
  for (const [name, { length }] of Object.entries(calls)) {
    assert.equal(Object.getOwnPropertyDescriptor(sharing, name)?.value.length, length, name);
  }
});

test("the host's version is told", async () => {
  const { imports: { sharing } } = await launch();
  assert.equal(sharing.host_version(), abiVersion);
});

test("whatever is thrown at whichever call, it is a code", async () => {
  for (const each of thrown) {
    const { imports: { sharing } } = await launch(breaking(each));
    for (const [name, values] of Object.entries(calls)) {
      const expected = harmless[/** @type {"storage_item"} */ (name)] ?? failed;
      assert.equal(sharing[name](...values), expected, `${name}: ${typeof each}`);
    }
  }
});

test("whatever is thrown by reaching for a storage, it is a code", async () => {
  for (const each of thrown) {
    const window = new FakeWindow();
    Object.defineProperty(window, "localStorage", {
      get() {
        throw each;
      },
    });
    const { imports: { sharing } } = await launch({ window });
    for (
      const name of [
        "storage_probe",
        "storage_item",
        "storage_key",
        "storage_get",
        "storage_stamp",
        "storage_set",
      ]
    ) {
      assert.equal(sharing[name](...calls[/** @type {"storage_get"} */ (name)]), failed, name);
    }
  }
});

test("whatever is thrown by the console, the clock or chance, WASI answers a number", async () => {
  for (const each of thrown) {
    const { window } = breaking(each);
    const throwing = () => {
      throw each;
    };
    window.crypto = /** @type {any} */ ({ getRandomValues: throwing });
    window.performance = /** @type {any} */ ({ now: throwing });
    const { imports: { wasi_snapshot_preview1: wasi }, memory } = await launch({ window });
    put(memory, ["line\n"], 4096);
    new DataView(memory.buffer).setUint32(8, 4096, true);
    new DataView(memory.buffer).setUint32(12, 5, true);
    assert.equal(wasi.fd_write(1, 8, 1, 100), 52);
    assert.equal(wasi.random_get(8, 8), 52);
    assert.equal(wasi.clock_time_get(1, 0n, 8), 52);
  }
});

test("memory that grows in the middle of any call is written to where it is then", async () => {
  const window = new FakeWindow();
  const page = new FakePage();
  const memory = new WebAssembly.Memory({ initial: 2 });
  // Makes these methods grow the memory, like a program that they call: it gets another buffer.
  const growing = (/** @type {any} */ owner, /** @type {string[]} */ ...names) => {
    for (const name of names) {
      const method = owner[name];
      owner[name] = (/** @type {any[]} */ ...values) => {
        memory.grow(1);
        return method.apply(owner, values);
      };
    }
  };
  growing(window.localStorage, "getItem", "setItem", "removeItem", "key");
  growing(window.console, "log", "info");
  growing(page, "set");
  const { imports } = await launch({ window, page, memory });
  const { sharing, wasi_snapshot_preview1: wasi } = imports;
  const text = (/** @type {number} */ count) =>
    decode(new Uint8Array(memory.buffer, buffer, count));
  const item = sharing.storage_item(0, ...put(memory, ["key"]));
  assert.ok(sharing.storage_set(item, ...put(memory, ["text"])) > 0);
  assert.ok(sharing.storage_stamp(item) > 0);
  assert.equal(text(sharing.storage_get(item, buffer, 100)), "text");
  assert.equal(text(sharing.storage_key(0, 0, buffer, 100)), "key");
  assert.ok(sharing.storage_set(item, 0, -1) > 0);
  assert.equal(sharing.page_set(...put(memory, ["count", "3"])), 0);
  assert.equal(sharing.console_write(0, ...put(memory, ["a note"])), 0);
  const vectors = put(memory, ["one\n", "two\n"]);
  new Uint8Array(memory.buffer).set(new Uint8Array(Uint32Array.from(vectors).buffer), 8);
  assert.equal(wasi.fd_write(1, 8, 2, 100), 0);
  assert.equal(new DataView(memory.buffer).getUint32(100, true), 8);
  assert.deepEqual(page.shown, [["count", "3"]]);
  assert.deepEqual(window.logged, [["info", "a note"], ["log", "one"], ["log", "two"]]);
  assert.equal(memory.buffer.byteLength, 10 * 65_536);
});

test("an inbox that is made by growing memory gets the text", async () => {
  const memory = new WebAssembly.Memory({ initial: 2 });
  const page = new FakePage();
  /** @type {string[]} */
  const heard = [];
  await launch({
    memory,
    page,
    exports: {
      sharing_inbox: () => memory.grow(1) * 65_536,
      sharing_page_event: (/** @type {number} */ name) =>
        heard.push(
          decode(new Uint8Array(memory.buffer, memory.buffer.byteLength - 65_536, name)),
        ),
    },
  });
  page.send?.("increment");
  assert.deepEqual(heard, ["increment"]);
});
