// @ts-check
// Runs ControlsPage. `shown()` returns the state of each control: by its id, or in a row by the
// row's number and the control's class.

// @ts-types="../../../JavaScript/page.d.ts"
import { bind } from "../../../JavaScript/page.js";
// @ts-types="../../../JavaScript/sharing.d.ts"
import { start } from "../../../JavaScript/sharing.js";

const stateOf = (/** @type {any} */ control) => {
  if (control.matches("[type=checkbox],[type=radio]")) return control.checked;
  if (control.matches("[multiple]")) {
    return [...control.selectedOptions].map(({ value }) => value);
  }
  if (control.matches("details,dialog")) return control.open;
  if (control.matches("[popover]")) return control.matches(":popover-open");
  return control.matches("[contenteditable],output") ? control.textContent : control.value;
};

const shown = () => {
  /** @type {Record<string, any>} */
  const states = {};
  for (const control of document.querySelectorAll("[data-model],#mirror,output[data-text]")) {
    const row = control.closest("[data-rows]>*");
    const number = row && [...row.parentElement?.children ?? []].indexOf(row) - 1;
    states[row ? `${number}.${control.className}` : control.id] = stateOf(control);
  }
  return states;
};

const page = bind(document);
Object.assign(globalThis, { page, shown });
start(fetch("controls.wasm"), window, page);
