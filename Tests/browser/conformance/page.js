// @ts-check
// Runs the conformance suite over this page's storage; `lines` is its output.

// @ts-types="../../../JavaScript/sharing.d.ts"
import { start } from "../../../JavaScript/sharing.js";

/** @type {string[]} */
const lines = [];
console.log = (line) => lines.push(line);

let writes = 0;
const { setItem } = Storage.prototype;
Storage.prototype.setItem = function (key, text) {
  writes += 1;
  return setItem.call(this, key, text);
};

const page = {
  /** Begins a case. */
  set() {
    localStorage.clear();
    sessionStorage.clear();
    location.hash = "";
    return 1;
  },
  ready() {},
  fail: (/** @type {string} */ message) => lines.push(`not ok: ${message}`),
};

await start(fetch("conformance.wasm"), window, page);
Object.assign(globalThis, { report: { lines, writes } });
