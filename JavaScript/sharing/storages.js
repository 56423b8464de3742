// @ts-check
// The storages of a window by their areas: localStorage, sessionStorage, and the address.

import { attempt } from "./boundary.js";

/**
 * Returns the storages of a window, each opened when it is first used.
 * @param {Window} window
 */
export function storagesOf(window) {
  const address = addressStorage(window.location);
  // A window that denies its storage throws, or has null in its place.
  const areas = [() => window.localStorage, () => window.sessionStorage, () => address];
  const opened = [];
  return {
    opened,
    open(area) {
      const storage = opened[area] ??= areas[area]();
      if (!storage) throw { name: "SecurityError" };
      return storage;
    },
  };
}

// The text behind `#`, as a storage with one item. Under the name "replace", a change adds no entry
// to the history.
function addressStorage(location) {
  const getItem = () => location.hash.slice(1) || null;
  const setItem = (name, text = "") => setHash(location, "#" + text, name === "replace");
  return { length: 1, getItem, setItem, removeItem: setItem };
}

// Browsers allow only so many changes of the address in a time, Chromium 200 in ten seconds. Past
// that some throw, and others ignore the change.
function setHash(location, text, isReplaced) {
  const { href, hash } = new URL(text, location.href);
  attempt(() => isReplaced ? location.replace(href) : location.assign(href), () => {});
  if (location.hash !== hash) throw { name: "BusyError" };
}
