// @ts-check
// Changes of stored values, as another program makes them.

import { addressArea, attempt } from "../sharing/boundary.js";

const fillerKey = "sharing.filler";

/** Returns the running programs of a window, also those without the inspector. */
export const runningIn = (window) =>
  [...window[Symbol.for("wasm-sharing")] ?? []].filter((program) => program.window === window);

function tellItem(window, { area, key }) {
  for (const program of runningIn(window)) {
    program.changed(area, area === addressArea ? null : key);
    program.note?.(program.items[program.numbers[area + key]] ?? {}, { by: "inspector" });
  }
}

/** Stores another text for a row; null removes it, or one text from a list of replaced texts. */
export async function overwrite(row, text, window) {
  const { storage, area, key, place, program, part } = row;
  const isKept = ({ id }) => id !== part;
  const over = (list) => part ? JSON.stringify(JSON.parse(list ?? "[]").filter(isKept)) : text;
  if (storage) {
    const made = over(storage.getItem(key));
    if (made === null) storage.removeItem(key);
    else storage.setItem(key, made);
    tellItem(window, { area, key });
    return;
  }
  const client = `inspector-${Date.now()}-${Math.floor(Math.random() * 1e9)}`;
  const commit = { client, after: 0, through: 1, entries: [{ key, expected: -1, text }] };
  const { stored } = await program.engines[place].commit(commit, ([{ revision, text }]) => [
    { key, expected: revision, text: over(text) },
  ]);
  program.change(place, stored);
}

/** Lets a useless item grow until the storage takes no more. */
export function fill(storage) {
  let size = 0;
  for (let more = 4_194_304; more >= 1; more = Math.floor(more / 2)) {
    const isTaken = attempt(() => {
      storage.setItem(fillerKey, "x".repeat(size + more));
      return true;
    }, () => false);
    if (isTaken) size += more;
  }
}

/** Removes the item that fills the storage. */
export const makeRoom = (storage) => storage.removeItem(fillerKey);
