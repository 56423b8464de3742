// @ts-check
// A list in IndexedDB, with and without a concurrent change of another element by another tab.

import { onShow, program, textOf } from "./program.js";
import { nextTask } from "./tasks.js";

/** @returns {Promise<IDBDatabase>} */
const open = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open("sharing", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("values");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => resolve(request.result);
  });

/** Stores a text under a key, like another tab, before the program is notified. */
const put = (
  /** @type {IDBDatabase} */ database,
  /** @type {string} */ key,
  /** @type {string} */ text,
) =>
  new Promise((/** @type {(_: void) => void} */ resolve) => {
    const transaction = database.transaction("values", "readwrite", { durability: "relaxed" });
    const revision = Date.now() + 1e9 + last++;
    transaction.objectStore("values").put({ key, revision, text, seen: {} }, key);
    transaction.oncomplete = () => resolve();
  });
let last = 0;

/** Returns the list, with optional changes of one element and of the last one. */
const listOf = (
  /** @type {number} */ count,
  /** @type {boolean} */ isToggled,
  /** @type {boolean} */ isRenamed,
) =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({
    id,
    title: `Todo number ${id}${isRenamed && id === count - 1 ? "!" : ""}`,
    completed: (id % 3 === 0) !== (isToggled && id === count / 2),
  })));

/** The state of each list; two workloads share it. */
const states = new Map();

/** Waits until the program has stored a list. */
const isStored = (/** @type {number} */ count) =>
  new Promise((/** @type {(_: void) => void} */ resolve) => {
    const saving = `todos-${count}-saving`;
    if (!textOf(saving)) return resolve();
    onShow((name, text) => name === saving && !text && resolve());
  });

/** Creates a list without changes. */
async function begin(/** @type {IDBDatabase} */ database, /** @type {number} */ count) {
  const texts = [false, true].map((isToggled) =>
    [false, true].map((isRenamed) => listOf(count, isToggled, isRenamed))
  );
  await put(database, `todos-${count}`, texts[0][0]);
  program.bench_todos_show(count);
  while (textOf(`todos-${count}`) !== String(count)) await nextTask();
  return { texts, toggles: 0, renames: 0 };
}

const toggle = (/** @type {number} */ count, /** @type {boolean} */ isFirst) => async () => {
  const database = await open();
  if (!states.has(count)) states.set(count, await begin(database, count));
  const state = states.get(count);
  return async (/** @type {number} */ iterations) => {
    let time = 0;
    for (let each = 0; each < iterations; each++) {
      if (isFirst) state.renames++;
      const text = state.texts[state.toggles % 2][state.renames % 2];
      await put(database, isFirst ? `todos-${count}` : "others", text);
      const start = performance.now();
      program.bench_todo_toggle(count);
      state.toggles++;
      await isStored(count);
      time += performance.now() - start;
    }
    return time; // excludes the other tab's work
  };
};

/** The workloads of the program: with a change by another tab before, and without. */
export const workloads = [1000, 4000, 8000].flatMap((count) => {
  const what = `toggle and commit one of ${count.toLocaleString("en")} todos`;
  return [
    { name: `${what} where another tab was first`, operations: 1, prepare: toggle(count, true) },
    { name: what, operations: 1, prepare: toggle(count, false) },
  ];
});
