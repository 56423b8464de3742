// @ts-check
// The program, and the texts that it shows.

// @ts-types="../../JavaScript/sharing.d.ts"
import { start } from "../../JavaScript/sharing.js";

/** @type {Map<string, string>} */
const shown = new Map();
/** @type {(name: string, text: string) => void} */
let hear = () => {};

/** The text that the program shows under a name. */
export const textOf = (/** @type {string} */ name) => shown.get(name);

/** Calls a function whenever the program shows a text. */
export function onShow(/** @type {typeof hear} */ newHear) {
  hear = newHear;
}

/**
 * The program's exports. With another query in the page's URL, the browser treats the program as a
 * different one.
 */
export const program = await load("benchmarks.wasm" + location.search);

/**
 * Starts the program with the shim of every page.
 * @param {string} url
 */
async function load(url) {
  const fail = (/** @type {string} */ message) => {
    throw Error(message);
  };
  const set = (/** @type {string} */ name, /** @type {string} */ text) => {
    shown.set(name, text);
    hear(name, text);
    return 1;
  };
  const started = await start(fetch(url), window, { set, ready() {}, fail });
  return /** @type {any} */ (started).exports;
}
