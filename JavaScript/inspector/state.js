// @ts-check
// The stored values of programs: a row for each key.

import { addressArea, attempt } from "../sharing/boundary.js";

const places = ["localStorage", "sessionStorage", "address"]; // by the numbers of their areas

// The name of a copy ends so.
const copySuffix = /\.(corrupt|replaced)(\.\d+)?$/;
// Items of the library itself.
const libraryItem = /^sharing(\/[\w-]+)?\.((journal|copy)[.@]|waiting($|@))/;
const journalItem = /^sharing(\/[\w-]+)?\.journal[.@]/;

// The copies that the program has made of damaged and replaced texts of a key.
function copiesOf(storage, key) {
  const names = attempt(() => Object.keys(storage), () => []).filter((name) =>
    name.startsWith(key) && copySuffix.exec(name)?.index === key.length
  );
  return names.map((key) => ({ key, text: storage.getItem(key) }));
}

// A copy equal to the stored text shows that the program cannot decode it: then it makes the copy.
function itemKeys({ items = [], numbers = {} }) {
  const used = Object.values(numbers).map((number) => items[number]);
  const names = new Set(used.map(({ area, key }) => area + key));
  const isCopy = ({ area, key }) =>
    copySuffix.test(key) && names.has(area + key.replace(copySuffix, ""));
  return used.filter((item) => !libraryItem.test(item.key) && !isCopy(item)).flatMap((item) => {
    const { area, key, storage, by, time, error } = item, place = places[area];
    const text = attempt(() => storage.getItem(key), () => null);
    const copies = area === addressArea ? [] : copiesOf(storage, key);
    const damage = copies.find((copy) => text !== null && copy.text === text);
    const row = { place, area, storage, key, text, by, time, status: "stored" };
    if (error) {
      row.status = "not saved";
      row.problem = [error.name, error.message].filter(Boolean).join(": ");
    } else if (damage) {
      row.status = "damaged";
      row.problem = `The text cannot be read. "${damage.key}" is a copy of it.`;
    } else if (text === null) {
      row.status = "not stored";
    }
    return [row, ...copies.map((copy) => ({ ...copy, place, area, storage, status: "copy" }))];
  });
}

function recordKeys({ records = {} }) {
  const all = Object.values(records), engines = all.filter(({ key }) => key === null);
  // A program loads the copies of a key with it, also if there are none.
  const isListed = ({ key, text = null }) =>
    key !== null && (text !== null || !copySuffix.test(key));
  return all.filter(isListed).map((record) => {
    const { engine, key, text = null, revision = 0, by, time, isSent } = record;
    const whole = engines.find((other) => other.engine === engine);
    const error = record.error ?? (isSent ? whole?.error : null);
    const row = { place: engine, key, text, revision, by, time };
    row.problem = error ? error.message || String(error.name ?? error) : whole?.status;
    if (error) row.status = isSent ? "not saved" : "may be old";
    else if (isSent) row.status = "pending";
    else if (copySuffix.test(key)) row.status = "copy";
    else row.status = text === null ? "not stored" : "stored";
    return row;
  });
}

// A row for each text in a list of replaced texts; another text stays one row.
function partsOf(row) {
  const list = row.key.endsWith(".replaced") && attempt(() => JSON.parse(row.text), () => null);
  if (!Array.isArray(list) || list.some((each) => typeof each?.id !== "string")) return [row];
  return list.map(({ id, time, text, bytes }, index) => (
    { ...row, part: id, number: index + 1, replaced: time, text: text ?? JSON.stringify(bytes) }
  ));
}

// The journals of all tabs: changes that may not be committed yet, as texts.
function journalsIn(storage) {
  return Object.keys(storage).filter((key) => journalItem.test(key)).map((key) => (
    { place: places[0], area: 0, storage, key, text: storage.getItem(key), status: "journal" }
  ));
}

// Adds the errors that the program shows in its page, which begin with the name of their key.
// Returns the rest of the text.
function addErrors(message, rows) {
  const starts = rows.map(({ key }) => message.indexOf(`"${key}": `));
  rows.forEach((row, index) => {
    const start = starts[index];
    if (start < 0) return;
    const end = Math.min(message.length, ...starts.filter((other) => other > start));
    row.problem = message.slice(start + `"${row.key}": `.length, end).trim();
    if (/^(stored|not stored)$/.test(row.status)) row.status = "error";
  });
  return message.slice(0, Math.min(message.length, ...starts.filter((start) => start >= 0))).trim();
}

/** Returns the identity of a row. */
export const idOf = ({ place, key, part }) => JSON.stringify([place, key, part]);

/**
 * Returns the stored values of some programs: a row for each key, and the messages without a key.
 * @param {any[]} programs
 * @param {any} window
 */
export const stateOf = (programs, window) => {
  const rows = new Map(), messages = new Set();
  for (const row of attempt(() => journalsIn(window.localStorage), () => [])) {
    rows.set(idOf(row), row);
  }
  for (const program of programs) {
    const own = [...itemKeys(program), ...recordKeys(program)];
    messages.add(addErrors(program.message ?? "", own));
    for (const row of own.flatMap(partsOf)) {
      const id = idOf(row), known = rows.get(id);
      if (!known || (row.time ?? 0) > (known.time ?? 0)) rows.set(id, { ...row, program });
    }
  }
  const order = ({ place }) => places.includes(place) ? places.indexOf(place) : places.length;
  const sorted = [...rows.values()].sort((one, other) =>
    order(one) - order(other) || (idOf(one) < idOf(other) ? -1 : 1)
  );
  return { rows: sorted, message: [...messages].filter(Boolean).join(" ") };
};
