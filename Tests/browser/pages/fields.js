// @ts-check
// Binds the page without a program: `sent` has the events that a program would get. A sent text is
// set under the name of its event, like by a program with a value for the field.

// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";
import { turnsOf } from "../../../JavaScript/sharing/turns.js";

const page = bind(document);
const stopping = new AbortController();
/** @type {[name: string, text?: string][]} */
const sent = [];

Object.assign(globalThis, { bind, page, sent, stopping });
page.set("no", "");
page.set("todos", '[{"id":3,"title":"milk","done":false}]');

// Returns the reason of a refusal, or an empty text. `refuses` is the name of the refused action,
// or true for all. With `moves` that action moves the focus.
const act = (/** @type {string} */ name, /** @type {string} */ text) => {
  const { refuses, clears, moves, field } = /** @type {any} */ (globalThis);
  if (refuses === true || refuses === name) {
    if (field) page.set("refused-field", field);
    if (moves) page.set("focus-size", "true");
    return "No.";
  }
  // A text for a list is a change of one of its fields.
  if (!/refuse|todos|order/.test(name)) page.set(name, clears ? "" : text);
  return "";
};

// Like those of a program, an action waits for the end of another one.
const turn = turnsOf((error) => console.error(error));
page.ready((name, text) => {
  sent.push([name, text]);
  turn(() => page.set("refused", act(name, text ?? "")));
}, stopping.signal);
