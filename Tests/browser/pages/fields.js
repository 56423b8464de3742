// @ts-check
// Binds the page without a program: `sent` has the events that a program would get. A sent text is
// set under the name of its event, like by a program with a value for the field.

// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";

const page = bind(document);
const stopping = new AbortController();
/** @type {[name: string, text?: string][]} */
const sent = [];

Object.assign(globalThis, { bind, page, sent, stopping });
page.set("no", "");
page.set("left", "true");
page.set("right", "");
page.set("todos", '[{"id":3,"title":"milk","done":false}]');
page.ready((name, text = "") => {
  sent.push([name, text]);
  const { refuses, clears } = /** @type {any} */ (globalThis);
  if (refuses) page.set("refused", "No.");
  else if (name !== "refuse") page.set(name, clears ? "" : text);
}, stopping.signal);
