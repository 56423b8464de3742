// @ts-check
// Runs workloads in a page: the program's, and after them those that are written in JavaScript.

import { start } from "../../web/sharing.js";
import { workloads as closureStores } from "./closure-store.js";
import { storeTodos, tidy, workloads as storage } from "./storage.js";

/** @type {any} */
// With the page's query, which makes it another program to the browser.
const program = await load("benchmarks.wasm" + location.search);
const theirs = Array.from({ length: program.bench_count() }, (_, index) => ({
  name: text(program.bench_name(index)),
  operations: program.bench_operations(index),
  prepare() {
    program.bench_prepare(index);
    return (/** @type {number} */ iterations) => program.bench_run(index, iterations);
  },
}));
/** @type {{ name: string, operations: number, prepare(): Run }[]} */
const workloads = [...theirs, ...closureStores, ...storage];
/** @type {Map<number, Run>} */
const prepared = new Map();
/** @typedef {(iterations: number) => void} Run */

/** What the driver calls. */
Object.assign(globalThis, {
  list: () => workloads.map(({ name, operations }) => [name, operations]),
  storeTodos,
  tidy,
  prepare: (/** @type {number} */ index) => void prepared.set(index, workloads[index].prepare()),
  /** The nanoseconds that so many iterations take. */
  run(/** @type {number} */ index, /** @type {number} */ iterations) {
    const run = /** @type {Run} */ (prepared.get(index));
    const start = performance.now();
    run(iterations);
    return (performance.now() - start) * 1e6;
  },
  /** The nanoseconds that each takes, once in a task of its own: a mean of so many, in turns. */
  async runApart(/** @type {number[]} */ indices, /** @type {number} */ tasks) {
    const times = indices.map(() => 0);
    for (let count = 0; count < tasks; count++) {
      for (const [place, index] of indices.entries()) {
        const run = /** @type {Run} */ (prepared.get(index));
        await nextTask();
        const start = performance.now();
        run(1);
        times[place] += performance.now() - start;
      }
    }
    return times.map((time) => time / tasks * 1e6);
  },
});

const { port1, port2 } = new MessageChannel();

/** A task in which nothing has happened for a while that another process was told of. */
async function nextTask() {
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(null);
  });
  const end = performance.now() + 0.2;
  while (performance.now() < end);
  // Anywhere between two steps of the clock: then times are right on average.
  for (let count = Math.random() * 140; count > 0; count--) performance.now();
}

/**
 * Starts the program with the shim of every page, and looks over its shoulder for the exports.
 * @param {string} url
 */
async function load(url) {
  /** @type {any} */
  const { instantiateStreaming } = WebAssembly;
  /** @type {any} */
  let exports;
  WebAssembly.instantiateStreaming = async (/** @type {any[]} */ ...given) => {
    const result = await instantiateStreaming(...given);
    exports = result.instance.exports;
    return result;
  };
  const fail = (/** @type {string} */ message) => {
    throw Error(message);
  };
  await start(fetch(url), window, { set: () => 0, ready() {}, fail });
  WebAssembly.instantiateStreaming = instantiateStreaming;
  return exports;
}

/** @param {number} address */
function text(address) {
  const bytes = new Uint8Array(program.memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}
