// @ts-check
// Binds the page to no program: `start` does it, again where another program is to be there.

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
const set = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  page.set(name, JSON.stringify(value));

Object.assign(globalThis, { sent, start, set, stop: () => stopping.abort() });
start();
