// @ts-check
// Shows the texts that a program sets in elements with their names as ids, and counts them:
// KeyProgram, or the one in `?program=`. `send(name, text)` sends it an event.

// @ts-types="../../../JavaScript/sharing.d.ts"
import { start } from "../../../JavaScript/sharing.js";

/** @type {Record<string, number>} */
const shown = {};
const place = (/** @type {string} */ name) => {
  const found = document.getElementById(name);
  if (found) return found;
  const made = Object.assign(document.createElement("pre"), { id: name });
  document.body.append(made);
  return made;
};

/** @type {import("../../../JavaScript/sharing.d.ts").Page} */
const page = {
  set(name, text) {
    place(name).textContent = text;
    shown[name] = (shown[name] ?? 0) + 1;
    return 1;
  },
  ready(send) {
    Object.assign(globalThis, { send, shown });
    place("typed").addEventListener("input", (event) => {
      const { data } = /** @type {InputEvent} */ (event);
      send("draft", data ?? "");
    });
    place("status").textContent = "ready";
  },
  fail(message) {
    place("status").textContent = message;
  },
};
/** Tests may define engines and the inspector here. */
const { engines, inspector } = /** @type {any} */ (globalThis);
const name = new URLSearchParams(location.search).get("program") ?? "keys";
const program = start(fetch(`${name}.wasm`), window, page, { engines, inspector });
Object.assign(globalThis, { program });
