// @ts-check
// The WASI calls with a meaning in a page, and those without.

import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, put } from "./fakes.js";

const notSupplied = 52;

/** Returns the WASI calls of a running program, and its memory. */
async function wasi() {
  const { imports, memory, window } = await launch();
  return { calls: imports.wasi_snapshot_preview1, memory, window };
}

/** Writes texts to a descriptor in one call; returns the result and the written count. */
function write(
  /** @type {any} */ calls,
  /** @type {WebAssembly.Memory} */ memory,
  /** @type {number} */ descriptor,
  /** @type {(string | Uint8Array)[]} */ ...texts
) {
  const vectors = Uint32Array.from(put(memory, texts, 8192));
  const at = 4; // not aligned to 8
  new Uint8Array(memory.buffer).set(new Uint8Array(vectors.buffer), at);
  const result = calls.fd_write(descriptor, at, texts.length, 1000);
  return [result, new DataView(memory.buffer).getUint32(1000, true)];
}

test("there are no variables and no files", async () => {
  const { calls, memory } = await wasi();
  const data = new DataView(memory.buffer);
  data.setBigUint64(16, ~0n);
  assert.equal(calls.environ_sizes_get(16, 20), 0);
  assert.equal(data.getBigUint64(16), 0n);
  assert.equal(calls.fd_prestat_get(3, 16), 8);
});

test("output is a terminal: a character device that cannot seek", async () => {
  const { calls, memory } = await wasi();
  const bytes = new Uint8Array(memory.buffer, 1, 26).fill(255);
  assert.equal(calls.fd_fdstat_get(1, 2), 0);
  assert.deepEqual([...bytes], [255, 2, ...Array(23).fill(0), 255]);
});

test("output goes to the console by lines", async () => {
  const { calls, memory, window } = await wasi();
  assert.deepEqual(write(calls, memory, 1, "one\ntw", "o\nthr"), [0, 11]);
  assert.deepEqual(window.logged, [["log", "one"], ["log", "two"]]);
  write(calls, memory, 2, "trouble\n");
  write(calls, memory, 1, "ee\n\n");
  assert.deepEqual(window.logged.slice(2), [["error", "trouble"], ["log", "three"], ["log", ""]]);
});

test("a character may come in pieces", async () => {
  const { calls, memory, window } = await wasi();
  const bytes = new TextEncoder().encode("🔑\n");
  write(calls, memory, 1, bytes.slice(0, 2));
  write(calls, memory, 1, bytes.slice(2, 3), bytes.slice(3));
  assert.deepEqual(window.logged, [["log", "🔑"]]);
});

test("writing elsewhere, or from memory that is not there, is an error", async () => {
  const { calls, memory, window } = await wasi();
  assert.equal(write(calls, memory, 3, "text\n")[0], notSupplied);
  assert.equal(calls.fd_write(1, 1 << 30, 1, 0), notSupplied);
  assert.deepEqual(window.logged, []);
});

test("the clocks tell nanoseconds and go on", async () => {
  const { calls, memory } = await wasi();
  const now = (/** @type {number} */ id) => {
    assert.equal(calls.clock_time_get(id, 1n, 4), 0);
    return new DataView(memory.buffer).getBigUint64(4, true);
  };
  const difference = Number(now(0) / 1_000_000n) - Date.now();
  assert.ok(Math.abs(difference) < 1000, `the clock is off by ${difference} ms`);
  const before = now(1);
  while (now(1) === before);
  assert.ok(now(1) > before);
});

test("random bytes are random, as many as a browser gives at once", async () => {
  const { calls, memory } = await wasi();
  const count = 65_536;
  assert.equal(calls.random_get(8, count), 0);
  const bytes = new Uint8Array(memory.buffer, 8, count);
  assert.ok(new Set(bytes.subarray(0, 1000)).size > 100);
  assert.ok(new Set(bytes.subarray(-1000)).size > 100);
  assert.equal(new Uint8Array(memory.buffer)[8 + count], 0);
  assert.equal(calls.random_get(8, count + 1), notSupplied);
  assert.equal(calls.random_get(1 << 30, 8), notSupplied);
});

test("every other call answers that it is not supplied", async () => {
  const { calls } = await wasi();
  for (
    const name of [
      "args_get",
      "environ_get",
      "proc_exit",
      "fd_close",
      "fd_seek",
      "path_open",
      "poll_oneoff",
      "never_heard_of",
    ]
  ) {
    assert.equal(calls[name](1, 2, 3), notSupplied, name);
  }
});
