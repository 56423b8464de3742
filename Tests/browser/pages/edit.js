// @ts-check
// Binds the page without a program: `sent` has the events that a program would get.

// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";

const page = bind(document);
/** @type {AbortController} */
let stopping;
/** @type {[name: string, text?: string][]} */
const sent = [];

const set = (/** @type {unknown} */ value) => page.set("items", JSON.stringify(value));

/** Starts a program. It refuses if `reason` is not empty. */
const start = () => {
  stopping = new AbortController();
  page.ready((...event) => {
    sent.push(event);
    page.set("refused", /** @type {any} */ (globalThis).reason ?? "");
  }, stopping.signal);
};

Object.assign(globalThis, { bind, page, sent, set, start, stop: () => stopping.abort() });
start();
set([{ id: "a", name: "milk", note: "" }, { id: "b", name: "tea", note: "green" }]);
