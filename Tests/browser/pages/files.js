// @ts-check
// Binds the page without a program: `sent` has the events that a program would get.

// @ts-types="../../../JavaScript/files.d.ts"
import { files } from "../../../JavaScript/files.js";
// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";

const page = files(document, bind(document));
/** @type {[name: string, text?: string][]} */
const sent = [];

/** Starts a program. It refuses if `reason` is not empty. */
const start = () =>
  page.ready((...event) => {
    sent.push(event);
    page.set("refused", /** @type {any} */ (globalThis).reason ?? "");
  }, new AbortController().signal);

/** Returns files with these names and contents, as a browser gives them. */
function transfer(/** @type {[name: string, ...parts: BlobPart[]][]} */ ...all) {
  const transfer = new DataTransfer();
  for (const [name, ...parts] of all) transfer.items.add(new File(parts, name));
  return transfer;
}

const find = (
  /** @type {string} */ selector,
) => /** @type {HTMLInputElement} */ (document.querySelector(selector));

/** Chooses files as a person does. */
function choose(/** @type {string} */ selector, /** @type {any[]} */ ...all) {
  const field = find(selector);
  field.files = transfer(...all).files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Drops files; returns whether the browser would open them. */
function drop(/** @type {string} */ selector, /** @type {any[]} */ ...all) {
  const options = { bubbles: true, cancelable: true, dataTransfer: transfer(...all) };
  find(selector).dispatchEvent(new DragEvent("dragover", options));
  return find(selector).dispatchEvent(new DragEvent("drop", options));
}

Object.assign(globalThis, { choose, drop, page, sent, start });
page.set("items", '[{"id":"a"},{"id":"b"}]');
