// @ts-check
// Binds the page without a program: `start` does so, and starts again for a new program.

// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";

/** @type {AbortController} */
let stopping;
/** @type {import("../../../JavaScript/sharing.d.ts").Page} */
let page;
/** @type {unknown[]} */
const sent = [];

const start = () => {
  stopping = new AbortController();
  page = bind(document);
  page.ready((...event) => sent.push(event), stopping.signal);
};
const show = (/** @type {string} */ name, /** @type {string} */ json) => page.set(name, json);
const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  show(name, JSON.stringify(value));
/** Returns the error thrown while a value is shown, as the program's host logs it. */
const told = (/** @type {string} */ name, /** @type {unknown} */ value) => {
  try {
    set(name, value);
  } catch (error) {
    return (/** @type {Error} */ (error)).message;
  }
};

const fail = () => page.fail("It has stopped.");

Object.assign(globalThis, { fail, sent, start, set, show, told, stop: () => stopping.abort() });
start();
