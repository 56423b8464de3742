// @ts-check
// The meaning of a person's event for a program.

import { kindOf } from "./controls.js";

const keys = { __proto__: null, Enter: "enter", Escape: "escape" };

/** The events that may run an action. */
export const listened = "click dblclick focusout keydown input change compositionend".split(" ");

/** Elements that a browser changes after the event of a click. */
export const late = "summary,a[href],[type=reset],[popovertarget],[commandfor]";

/**
 * Returns the attribute of an event, behind `data-`. Chromium sends no "input" after a composition.
 */
export function nameOf({ type, key }) {
  if (type === "keydown") return keys[key];
  return type === "compositionend" ? "input" : type;
}

/**
 * Returns the row of an element: a child of a list, with the key of its element. Other children are
 * the page's own.
 */
export function rowOf(element) {
  const row = element.closest?.("[data-rows]>*");
  return !row || "key" in row ? row : rowOf(row.parentElement);
}

/** Returns the keys of the rows around an element, the outer ones first. */
export function keysOf(element) {
  const row = rowOf(element);
  return row ? [...keysOf(row.parentElement), row.key] : [];
}

/** Returns the text of a field for an action; undefined if it has none. */
export function textOf({ type, key }, field) {
  if (field.type === "checkbox") {
    return /input|change/.test(type) ? field.checked ? "true" : "" : undefined;
  }
  const kind = kindOf(field);
  return kind?.hasText && key !== "Escape" ? kind.read(field, "") : undefined;
}

/** Whether a label repeats a click for its control, which may be in the same element. */
export function isRepeatedByLabel({ type, target }, element) {
  if (type !== "click" || target.closest("a,button,input,select,textarea")) return false;
  const { control } = target.closest("label") ?? {};
  return control && !control.disabled && element.contains(control);
}
