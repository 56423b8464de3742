// @ts-check
// A count in IndexedDB without lost updates: the program's, and by hand. A run returns a promise
// for its remaining work.

import { makeAdd, makeTally } from "./by-hand.js";
import { onShow, program, textOf } from "./program.js";
import { nextTask } from "./tasks.js";

/** Waits until the program has stored the tally. */
const isStored = () =>
  new Promise((/** @type {(_: void) => void} */ resolve) => {
    if (!textOf("tally-saving")) return resolve();
    onShow((name, text) => name === "tally-saving" && !text && resolve());
  });

/** Shows the program's tally. */
async function showTally() {
  program.bench_tally_show();
  while (textOf("tally") === undefined) await nextTask();
  await isStored();
}

/**
 * Runs a number of steps in sequence.
 * @param {() => Promise<unknown>} step
 */
const inTurn = (step) => async (/** @type {number} */ iterations) => {
  for (let count = 0; count < iterations; count++) await step();
};

/**
 * Runs a thousand steps, each in a task of its own, and the remaining work after them.
 * @param {() => void} step
 * @param {() => Promise<void>} rest
 */
const inTasks = (step, rest) =>
  inTurn(async () => {
    for (let count = 0; count < 1000; count++) {
      await nextTask();
      step();
    }
    await rest();
  });

/** Opens a tab in this window, with a program of its own. */
async function openTab() {
  const frame = document.createElement("iframe");
  frame.src = "tab.html";
  document.body.append(frame);
  const tab = /** @type {any} */ (frame.contentWindow);
  while (!tab.watch) await new Promise((resolve) => setTimeout(resolve, 10));
  /** @type {Map<string, (_: void) => void>} */
  const waiting = new Map();
  tab.watch((/** @type {string} */ name, /** @type {string} */ text) => {
    waiting.get(`${name} ${text}`)?.();
  });
  /** Waits until it shows a text under a name. */
  return (/** @type {string} */ name, /** @type {string} */ text) =>
    new Promise((/** @type {(_: void) => void} */ resolve) => {
      waiting.clear();
      waiting.set(`${name} ${text}`, resolve);
    });
}

/** @type {ReturnType<typeof openTab> | undefined} */
let tab;

/** The workloads of the program, and their baselines. */
export const workloads = [
  {
    name: "commit an update",
    operations: 1,
    async prepare() {
      await showTally();
      return inTurn(() => {
        program.bench_tally_add();
        return isStored();
      });
    },
  },
  {
    name: "transaction of a get and a put",
    operations: 1,
    async prepare() {
      const add = await makeAdd();
      return inTurn(() => add(1));
    },
  },
  {
    name: "commit 1,000 updates, one a task",
    operations: 1,
    async prepare() {
      await showTally();
      return inTasks(program.bench_tally_add, isStored);
    },
  },
  {
    name: "coalesce 1,000 additions by hand, one a task",
    operations: 1,
    async prepare() {
      const { increment, isStored } = await makeTally();
      return inTasks(increment, isStored);
    },
  },
  {
    name: "an update, until another tab shows it",
    operations: 1,
    async prepare() {
      await showTally();
      const shows = await (tab ??= openTab());
      return inTurn(() => {
        program.bench_tally_add();
        return shows("tally", textOf("tally") ?? "");
      });
    },
  },
  {
    name: "a transaction and a message, until another tab shows it",
    operations: 1,
    async prepare() {
      const add = await makeAdd();
      const shows = await (tab ??= openTab());
      const channel = new BroadcastChannel("by hand");
      return inTurn(async () => {
        const count = await add(1);
        const isShown = shows("by hand", String(count));
        channel.postMessage(count);
        return isShown;
      });
    },
  },
  {
    name: "the update itself",
    operations: 1,
    async prepare() {
      await showTally();
      return (/** @type {number} */ _) => {
        program.bench_tally_add();
        return isStored();
      };
    },
  },
  {
    name: "setItem of the journal's text, and removeItem of the former",
    operations: 1,
    prepare() {
      let number = 10_000;
      return (/** @type {number} */ _) => {
        const step = `{"number":${number + 1},"kind":"update","key":"tally","default":"0"`;
        const texts = `"before":"${number}","after":"${number + 1}"}`;
        const text = `{"committed":${number},"order":1,"steps":[${step},${texts}]}`;
        localStorage.setItem(`JavaScript's journal ${number + 1}`, text);
        localStorage.removeItem(`JavaScript's journal ${number++}`);
        return nextTask();
      };
    },
  },
];
