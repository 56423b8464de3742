// @ts-check
// A list in IndexedDB of which another tab has just changed another element, or which nobody else
// has changed.

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

/** Stores a text under a key, as another tab that the program has not heard of yet. */
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

/** The list, where one element and the last one may have been changed. */
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

/** The state of each list, which two workloads share. */
const states = new Map();

/** Until the program has stored a list. */
const isStored = (/** @type {number} */ count) =>
  new Promise((/** @type {(_: void) => void} */ resolve) => {
    const saving = `todos-${count}-saving`;
    if (!textOf(saving)) return resolve();
    onShow((name, text) => name === saving && !text && resolve());
  });

/** Begins a list: nobody has changed anything. */
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
    return time; // what the other tab does is not timed
  };
};

/** The program's, where another tab was first, and where none was. */
export const workloads = [1000, 4000, 8000].flatMap((count) => {
  const what = `toggle and commit one of ${count.toLocaleString("en")} todos`;
  return [
    { name: `${what} where another tab was first`, operations: 1, prepare: toggle(count, true) },
    { name: what, operations: 1, prepare: toggle(count, false) },
  ];
});
