// @ts-check
// Changes by another tab: it stores a value, and the browser sends an event. Only the handling of
// the event is timed.

import { program } from "./program.js";
import { makeTodos } from "./storage.js";

const key = "todos elsewhere";

/**
 * Returns a function that toggles one of many todos, stores them like another tab, and returns the
 * text.
 */
function makeTab(/** @type {string} */ key) {
  const todos = makeTodos();
  return () => {
    todos[5000].completed = !todos[5000].completed;
    const text = JSON.stringify(todos);
    localStorage.setItem(key, text);
    return text;
  };
}

/**
 * Times only a part of each run: the closure that `begin` returns.
 * @param {() => () => void} begin
 */
const timed = (begin) => (/** @type {number} */ iterations) => {
  let time = 0;
  for (let count = 0; count < iterations; count++) {
    const run = begin();
    const start = performance.now();
    run();
    time += performance.now() - start;
  }
  return time;
};

/** @param {number} rows The index of the program's workload that has the rows. */
export const workloads = (rows) => [
  {
    name: "a row hears that another tab has toggled one of 10,000",
    operations: 1,
    prepare() {
      const toggle = makeTab(key);
      toggle();
      program.bench_prepare(rows);
      return timed(() => {
        const newValue = toggle();
        const event = new StorageEvent("storage", { key, newValue, storageArea: localStorage });
        return () => {
          dispatchEvent(event);
          program.bench_run(rows, 1);
        };
      });
    },
  },
  {
    name: "JSON.parse of what another tab has stored",
    operations: 1,
    prepare() {
      const toggle = makeTab("JavaScript's todos elsewhere");
      return timed(() => {
        const text = toggle();
        return () => {
          if (JSON.parse(text).length !== 10_000) throw Error("there are others");
        };
      });
    },
  },
];
