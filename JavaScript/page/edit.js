// @ts-check
// Editing in place: a field with `data-edit` in a row can be changed once a person asks for it. A
// list has one such field at a time; its row has the class "editing".

import { bindings } from "./elements.js";
import { modelOf } from "./models.js";

const controls = "a,button,input,select,textarea";

// A double click has another meaning in these.
const active = `${controls},summary,[contenteditable],[data-dblclick]`;

/**
 * Returns the field that a person asks to edit; undefined if they do not. Of several fields, it is
 * the one whose text was clicked, also if that is formatted.
 * @param {any} event
 * @param {any} row
 */
export function askedModel({ type, key, target }, row) {
  // Enter does nothing else on a box.
  const isAsked = type === "dblclick"
    ? target.dataset.edit || !target.closest(active)
    : key === "F2" ||
      key === "Enter" && (target.dataset.edit || /checkbox|radio/.test(target.type));
  if (!isAsked) return;
  const names = bindings(target).map(([, name]) => name);
  const fields = row.parts.filter(({ dataset }) => dataset.edit);
  return modelOf(fields.find(({ dataset }) => names.includes(dataset.edit)) ?? fields[0]);
}

/**
 * Begins, unless another field of the list has a text that was refused: that gets the focus.
 * @param {any} row
 * @param {import("./models.js").Model} model
 */
export function beginEdit(row, model) {
  const { control } = model;
  const list = row.parentElement;
  if (list.edited) return list.edited.control.focus();
  const { activeElement } = row.ownerDocument;
  const opener = row.contains(activeElement) ? activeElement : row.querySelector(controls);
  row.classList.add("editing");
  control.readOnly = false;
  model.edit(opener);
  list.edited = model;
  control.focus({ preventScroll: true });
}

/**
 * Ends: the field shows the element's value, and a row that was removed meanwhile goes.
 * @param {any} row
 * @param {import("./models.js").Model} model
 * @param {boolean} isDone whether the person has ended it, and has not only left the field
 */
export function endEdit(row, model, isDone) {
  const { control, opener } = model;
  row.parentElement.edited = null;
  model.endEdit();
  control.readOnly = true;
  row.classList.remove("editing");
  if (isDone) opener?.focus({ preventScroll: true });
  row.ended();
}
