// @ts-check
// Shows what Tests/KeyProgram sets under a name in an element of that id, and how often it has.
// `send(name, text)` hands it an event.

import { start } from "../../../web/sharing.js";

/** @type {Record<string, number>} */
const shown = {};
const place = (/** @type {string} */ name) => {
  const found = document.getElementById(name);
  if (found) return found;
  const made = Object.assign(document.createElement("pre"), { id: name });
  document.body.append(made);
  return made;
};

start(fetch("keys.wasm"), window, {
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
});
