// @ts-check
// The items of storages that a program has named, and the imports by which it reaches them.

import { addressArea, attempt } from "./boundary.js";

/**
 * An item that a program has named. `text` is the one that the program has read or stored last;
 * `stamp` is a number that grows when it changes. The inspector adds facts.
 * @typedef {{ area: number, key: string, storage: Storage, stamp: number, text?: any }} Item
 */

/**
 * Returns the imports storage_*, and the functions of the page's side for the items.
 * @param {(area: number) => Storage} open
 * @param {ReturnType<import("./texts.js").textsOf>} texts
 * @param {any} program gets the items, for the inspector
 * @param {(area: number, key: string) => void} tellOthers is called when an item is stored
 */
export function itemsOf(open, { text: textAt, give }, program, tellOthers) {
  /** @type {Item[]} */
  const items = program.items = [];
  /** @type {any} the number of an item by its area and key */
  const numbers = program.numbers = { __proto__: null };
  /** @type {number[]} the numbers of items that were removed for good */
  const free = [];

  // Notes the text of an item, and returns its stamp.
  const stamped = (item, text) => {
    if (item.text !== text) item.stamp++;
    item.text = text;
    return item.stamp;
  };

  const read = (item) => stamped(item, item.storage.getItem(item.key));

  const calls = {
    // WebKit sends a page the events of a storage only after the page has read it.
    storage_probe: (area) => open(area).length >= 0,

    storage_key: (area, index, buffer, capacity) => give(open(area).key(index), buffer, capacity),

    storage_item(area, pointer, count) {
      const key = textAt(pointer, count), storage = open(area);
      const known = numbers[area + key];
      if (known >= 0) return known;
      const number = free.pop() ?? items.length;
      items[number] = { area, key, storage, stamp: 0 };
      return numbers[area + key] = number;
    },

    storage_stamp: (number) => read(items[number]),

    storage_get: (number, buffer, capacity) => give(items[number].text, buffer, capacity),

    // A count of -1 removes the item; -2 removes it for good, and its number may be used again.
    storage_set(number, pointer, count) {
      const item = items[number], text = textAt(pointer, count);
      const { area, key, storage } = item;
      try {
        if (text === null) storage.removeItem(key);
        else storage.setItem(key, text);
      } catch (error) {
        program.note?.(item, { by: "program", error });
        throw error;
      }
      program.note?.(item, { by: "program", error: null });
      if (area !== addressArea) tellOthers(area, key); // of the address, there is an event
      if (count === -2 && numbers[area + key] === number) {
        delete numbers[area + key];
        free.push(number);
      }
      return stamped(item, text);
    },
  };

  return {
    calls,
    // Reads all items, up to the first one that cannot be read.
    readAll: () => attempt(() => items.forEach(read), () => {}),
  };
}
