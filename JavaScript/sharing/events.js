// @ts-check
// The events of a window, and of the other programs of its page.

import { addressArea } from "./boundary.js";

/**
 * The programs that run, of all pages that have loaded this module, or another copy of it. Browsers
 * report stored items to other pages, and not to the other programs of the same one.
 * @type {Set<any>}
 */
export const running = globalThis[Symbol.for("wasm-sharing")] ??= new Set();

/** Tells the other programs of a page that one has stored an item. */
export const tellOthers = (program) => (area, key) => {
  for (const other of running) {
    if (other === program || other.window !== program.window) continue;
    Promise.resolve().then(() => other.changed(area, key, "program")); // after this turn
  }
};

/**
 * Tells a program of the events of its window until it is stopped.
 * @param {any} program
 * @param {(type: string, hear: (event: any) => void, target?: EventTarget, capture?: boolean) =>
 *   void} listen
 * @param {Storage[]} opened the storages of its items, by their areas
 * @param {(isKept: boolean) => void} shown is called when the page is shown, also the first time;
 *   `isKept` says that it may have missed events
 * @param {() => void} hidden is called when the page is hidden or left
 */
export function listenToWindow({ window, changed }, listen, opened, shown, hidden) {
  const { document } = window;
  listen("storage", ({ key, storageArea }) => {
    const area = opened.indexOf(storageArea);
    if (area >= 0) changed(area, key, "tab");
  });
  listen("hashchange", () => changed(addressArea));
  listen("pageshow", ({ persisted }) => shown(persisted));
  // A prerendered page gets no events, and has another storage once it is shown.
  listen("prerenderingchange", () => shown(true), document);
  listen("pagehide", hidden);
  listen("pagehide", hidden, window, true); // once more, if Firefox has stopped the first one
  listen("visibilitychange", () => document.hidden && hidden(), document);
}
