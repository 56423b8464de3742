// @ts-check
// The rows of a list: copies of its template, one for each element, by the text of its key.

import { isEntered, kindOf } from "./controls.js";
import { bindings, show } from "./elements.js";
import { kindFor, Model } from "./models.js";

/**
 * A row, whose properties keep its element's `key`, its `parts` and the `fields` it shows. While it
 * is edited, changes wait: of its fields in `held`, and in `isGone` that it is removed.
 * @typedef {any} Row
 */

const isFollowing = 4; // Node.DOCUMENT_POSITION_FOLLOWING

const partsOf = (element) => [element, ...element.querySelectorAll("*")];

// JSON may name a field as something that every object has.
const own = (fields, name) => Object.hasOwn(fields, name) ? fields[name] : undefined;

/**
 * Returns the functions of a list:
 * - `show` shows the JSON of a change; see `Page.set` of sharing.d.ts. It throws the first mistake
 *   once it has shown the rest;
 * - `end` notes that the program has ended. Another one may start with the same binding.
 * @param {any} list
 * @param {string} listName
 * @param {(model: import("./models.js").Model) => void} hear is called when a control changes
 *   without an event
 */
export function rowsOf(list, listName, hear) {
  const { firstElementChild: template, dataset, ownerDocument: document } = list;
  const { key: keyField, hold: holdField = "" } = dataset;
  const pattern = template?.content?.firstElementChild;
  if (!pattern || !keyField) {
    throw Error(
      `data-rows="${listName}" needs data-key, and first a <template> of one element.`,
    );
  }
  const plan = partsOf(pattern).map(bindings);
  const controls = partsOf(pattern).flatMap((part, index) =>
    plan[index].map(([target, name]) => ({ index, kind: kindFor(part, target), name }))
  );
  /** @type {Map<string, Row>} */
  const rows = new Map();
  let failure;
  let isOver = false; // whether the program that has shown the rows has ended

  const remove = (key) => {
    const row = rows.get(key);
    if (row?.fields[holdField]) return row.isGone = true;
    if (!rows.delete(key)) return;
    const index = row.parts.indexOf(document.activeElement);
    // Chromium sends the events of a field that is removed with the focus, other browsers do not:
    // leaving it enters the typed text.
    if (isEntered(row)) document.activeElement.blur();
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    // Not a field: what is typed next would change another row.
    const control = neighbour.parts?.[index];
    if (control && !kindOf(control)?.isTyped) control.focus({ preventScroll: true });
  };

  const make = (key) => {
    const row = document.importNode(pattern, true);
    rows.set(key, row);
    Object.assign(row, { key, parts: partsOf(row), fields: { __proto__: null } });
    for (const { index, kind, name } of controls) {
      if (kind) new Model(row.parts[index], kind, name).hearers.add(hear);
    }
    return row;
  };

  const draw = (row, fields, force) => {
    plan.forEach((pairs, index) => {
      for (const [target, name] of pairs) {
        const value = own(fields, name);
        if (value === undefined || !force && value === row.fields[name]) continue;
        try {
          show(row.parts[index], target, value);
        } catch (error) {
          failure ??= error;
        }
      }
    });
    Object.assign(row.fields, fields);
  };

  const keyOf = (fields) => {
    const key = own(fields, keyField);
    if (key == null) failure ??= Error(`An element under "${listName}" has no "${keyField}".`);
    return "" + key;
  };

  const update = (key, fields, force) => {
    const row = rows.get(key) ?? make(key);
    const isHeld = row.fields[holdField] && !Object.hasOwn(fields, holdField);
    if (isHeld || !force) row.isGone = false;
    if (isHeld) {
      row.held = { ...row.held, ...fields };
    } else if (row.held && !fields[holdField]) {
      draw(row, { ...row.held, ...fields }, force);
      row.held = null;
    } else {
      draw(row, fields, force);
    }
    if (row.isGone) remove(key);
    return row;
  };

  // Returns elements by their keys. Of two with one key, the program changes the first one.
  const byKey = (elements) => {
    const found = new Map();
    for (const element of elements) {
      const key = keyOf(element);
      if (!found.has(key)) {
        found.set(key, element);
      } else {
        failure ??= Error(
          `Two elements under "${listName}" have the key ${key}.`,
        );
      }
    }
    return found;
  };

  const showAll = (elements) => {
    const kept = byKey(elements);
    for (const key of rows.keys()) {
      if (!kept.has(key)) remove(key);
    }
    let next = template.nextElementSibling;
    for (const [key, fields] of kept) {
      while (next && !kept.has(next.key)) next = next.nextElementSibling;
      const row = update(key, fields);
      // A row that is moved loses the focus: instead, the rows before it go to the end.
      while (next?.compareDocumentPosition(row) & isFollowing && isEntered(row)) {
        const other = next;
        next = next.nextElementSibling;
        list.append(other);
      }
      if (row === next) next = next.nextElementSibling;
      else list.insertBefore(row, next);
    }
  };

  // A program does not know which rows the one before it holds.
  const endHolds = () => {
    isOver = false;
    for (const [key, row] of rows) {
      if (!row.fields[holdField]) continue;
      update(key, { [holdField]: false }, true);
      row.fields = { __proto__: null }; // so that each is shown again, in place of typed text
    }
  };

  const showChange = (json) => {
    const change = JSON.parse(json);
    failure = undefined;
    if (isOver) endHolds();
    // Rows of a program that ran before this one.
    if (!rows.size) [...list.children].forEach((row) => row.fields && row.remove());
    if (Array.isArray(change)) {
      showAll(change);
    } else if (Object.hasOwn(change, "gone") && !Object.hasOwn(change, keyField)) {
      remove("" + change.gone);
    } else {
      const row = update(keyOf(change), change, true);
      if (!row.parentNode && !row.isGone) list.append(row);
    }
    if (failure) throw failure;
  };

  return { show: showChange, end: () => isOver = true };
}
