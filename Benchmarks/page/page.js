// @ts-check
// Runs workloads in a page: the program's, then those written in JavaScript.

import { workloads as closureStores } from "./closure-store.js";
import { workloads as commits } from "./commits.js";
import { workloads as elsewhere } from "./elsewhere.js";
import { workloads as merging } from "./merging.js";
import { program } from "./program.js";
import { storeTodos, tidy, workloads as storage } from "./storage.js";
import { quietTask } from "./tasks.js";

const theirs = Array.from({ length: program.bench_count() }, (_, index) => ({
  name: text(program.bench_name(index)),
  operations: program.bench_operations(index),
  prepare() {
    program.bench_prepare(index);
    return (/** @type {number} */ iterations) => program.bench_run(index, iterations);
  },
}));
/** @type {{ name: string, operations: number, prepare(): Run | Promise<Run> }[]} */
const workloads = [
  ...theirs,
  ...closureStores,
  ...storage,
  ...elsewhere(theirs.findIndex(({ name }) => name === "the rows of 10,000 stored todos")),
  ...commits,
  ...merging,
];
/** @type {Map<number, Run>} */
const prepared = new Map();
/**
 * Runs a number of iterations. Returns a promise for the remaining work, or the timed milliseconds
 * if only a part counts.
 * @typedef {(iterations: number) => void | number | Promise<void | number>} Run
 */

/** The functions that the driver calls. */
Object.assign(globalThis, {
  list: () => workloads.map(({ name, operations }) => [name, operations]),
  storeTodos,
  tidy,
  async prepare(/** @type {number} */ index) {
    prepared.set(index, await workloads[index].prepare());
  },
  /** Returns the nanoseconds of each turn, including its asynchronous rest. */
  async runInTurns(/** @type {[index: number, iterations: number][]} */ turns) {
    const times = [];
    for (const [index, iterations] of turns) {
      const run = /** @type {Run} */ (prepared.get(index));
      const start = performance.now();
      let rest = run(iterations);
      if (typeof rest === "object") rest = await rest;
      times.push((typeof rest === "number" ? rest : performance.now() - start) * 1e6);
    }
    return times;
  },
  /**
   * Returns the mean nanoseconds of each workload, run once per task in turns, without its
   * asynchronous rest.
   */
  async runApart(/** @type {number[]} */ indices, /** @type {number} */ tasks) {
    const times = indices.map(() => 0);
    for (let count = 0; count < tasks; count++) {
      for (const [place, index] of indices.entries()) {
        const run = /** @type {Run} */ (prepared.get(index));
        await quietTask();
        const start = performance.now();
        const rest = run(1);
        times[place] += performance.now() - start;
        if (typeof rest === "object") await rest;
      }
    }
    return times.map((time) => time / tasks * 1e6);
  },
});

/** @param {number} address */
function text(address) {
  const bytes = new Uint8Array(program.memory.buffer, address);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}
