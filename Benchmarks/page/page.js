// @ts-check
// Runs workloads in a page: the program's, and after them those that are written in JavaScript.

import { workloads as ours } from "./closure-store.js";

/** @type {any} */
const program = await load("benchmarks.wasm");
const theirs = Array.from({ length: program.bench_count() }, (_, index) => ({
  name: text(program.bench_name(index)),
  operations: program.bench_operations(index),
  prepare() {
    program.bench_prepare(index);
    return (/** @type {number} */ iterations) => program.bench_run(index, iterations);
  },
}));
/** @type {{ name: string, operations: number, prepare(): Run }[]} */
const workloads = [...theirs, ...ours];
/** @type {Map<number, Run>} */
const prepared = new Map();
/** @typedef {(iterations: number) => void} Run */

/** What the driver calls. */
Object.assign(globalThis, {
  list: () => workloads.map(({ name, operations }) => [name, operations]),
  prepare: (/** @type {number} */ index) => void prepared.set(index, workloads[index].prepare()),
  /** The nanoseconds that so many iterations take. */
  run(/** @type {number} */ index, /** @type {number} */ iterations) {
    const run = /** @type {Run} */ (prepared.get(index));
    const start = performance.now();
    run(iterations);
    return (performance.now() - start) * 1e6;
  },
});

/**
 * Starts the program in a page that answers 0 to whatever it asks.
 * @param {string} url
 */
async function load(url) {
  const module = await WebAssembly.compileStreaming(fetch(url));
  /** @type {Record<string, Record<string, () => number>>} */
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => 0;
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  /** @type {any} */ (exports)._initialize();
  return exports;
}

/** @param {number} address */
function text(address) {
  const bytes = new Uint8Array(program.memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}
