// @ts-check
// The rows of a list: copies of its template, one for each element, by the text of its key.

import { isEntered, kindOf } from "./controls.js";
import { bindings, show } from "./elements.js";
import { kindFor, Model } from "./models.js";

/**
 * A row, whose properties keep its element's `key`, its `parts` and the `fields` it shows. If it is
 * removed while a person edits it, `isGone` is true until that ends.
 * @typedef {any} Row
 */

const isFollowing = 4; // Node.DOCUMENT_POSITION_FOLLOWING

const partsOf = (element) => [element, ...element.querySelectorAll("*")];

// JSON may name a field as something that every object has.
const own = (fields, name) => Object.hasOwn(fields, name) ? fields[name] : undefined;

/**
 * The common plan of a list's rows: the template's element, and the bindings of each of its parts
 * with the control or the list that they need.
 * @typedef {{ pattern: any, plan: any[][] }} Plan
 */

/**
 * Reads the template of a list. Mistakes are reported in the console.
 * @param {any} list
 * @param {number} [depth] the number of rows around an element of a row, and that row
 * @returns {Plan}
 */
function planOf(list, depth = 1) {
  const { rows, key } = list.dataset;
  const pattern = list.firstElementChild?.content?.firstElementChild;
  if (!pattern || !key) {
    throw Error(`data-rows="${rows}" needs data-key, and first a <template> of one element.`);
  }
  const plan = partsOf(pattern).map((part) =>
    bindings(part).map(([target, name]) => {
      const inner = target === "data-rows" && planOf(part, 2);
      return { target, name, kind: kindFor(part, target, depth), inner };
    })
  );
  return { pattern, plan };
}

/**
 * Returns the function that shows a change of a list; see `Page.set` of sharing.d.ts.
 * @param {any} list
 * @param {string} listName
 * @param {(model: import("./models.js").Model) => void} hear is called when a control changes
 *   without an event
 */
export function rowsOf(list, listName, hear, { pattern, plan } = planOf(list)) {
  const { firstElementChild: template, dataset, ownerDocument: document } = list;
  const { key: keyField } = dataset;
  /** @type {Map<string, Row>} */
  const rows = new Map();

  const remove = (key) => {
    const row = rows.get(key);
    if (row?.contains(list.edited?.control)) return row.isGone = true;
    if (!rows.delete(key)) return;
    const { activeElement } = document;
    const index = row.parts.indexOf(activeElement);
    // Chromium sends the events of a field that is removed with the focus, other browsers do not:
    // leaving it enters the typed text.
    if (row.contains(activeElement)) activeElement.blur();
    const neighbour = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    // Not a field: typing would change another row.
    const control = neighbour.parts?.[index];
    if (control && !kindOf(control)?.isTyped) control.focus({ preventScroll: true });
  };

  const make = (key) => {
    const row = document.importNode(pattern, true);
    rows.set(key, row);
    const ended = () => row.isGone && remove(key);
    Object.assign(row, { key, ended, parts: partsOf(row), fields: { __proto__: null } });
    plan.forEach((bound, index) => {
      const part = row.parts[index];
      for (const { kind, name, inner } of bound) {
        if (inner) part.showRows = rowsOf(part, name, hear, inner);
        if (!kind) continue;
        if (part.dataset.edit) part.readOnly = true;
        new Model(part, kind, name).hear = hear;
      }
    });
    return row;
  };

  const draw = (row, fields, force) => {
    plan.forEach((bound, index) => {
      for (const { target, name } of bound) {
        const value = own(fields, name);
        if (value === undefined || !force && value === row.fields[name]) continue;
        try {
          show(row.parts[index], target, value);
        } catch (error) {
          console.error(error);
        }
      }
    });
    Object.assign(row.fields, fields);
  };

  // A row without changes is sent as its key.
  const keyOf = (fields) => {
    const key = Object(fields) === fields ? own(fields, keyField) : fields;
    if (key == null) console.error(`An element under "${listName}" has no "${keyField}".`);
    return "" + key;
  };

  const update = (key, fields, force) => {
    const row = rows.get(key) ?? make(key);
    row.isGone = false;
    if (Object(fields) === fields) draw(row, fields, force);
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
        console.error(`Two elements under "${listName}" have the key ${key}.`);
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

  return (change) => {
    // Rows of a program that ran before this one.
    if (!rows.size) {
      list.edited = null;
      [...list.children].forEach((row) => row.fields && row.remove());
    }
    if (Array.isArray(change)) {
      showAll(change);
    } else if (Object.hasOwn(change, "gone") && !Object.hasOwn(change, keyField)) {
      remove("" + change.gone);
    } else {
      const row = update(keyOf(change), change, true);
      if (!row.parentNode) list.append(row);
    }
  };
}
