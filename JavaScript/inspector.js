// @ts-check
// @ts-self-types="./inspector.d.ts"
// The inspector: one panel for each window. A build makes one file of this module and those in
// inspector/.

import { makePanel } from "./inspector/panel.js";

export { stateOf } from "./inspector/state.js";

const panels = new WeakMap();
const heard = new WeakSet(); // the events of its key

const panelOf = (window) => {
  if (!panels.has(window)) panels.set(window, makePanel(window));
  return panels.get(window);
};

export const toggle = (window) => panelOf(window).toggle();

// Each program of a page calls it for the same event.
export const onKey = (event, program) => {
  const { altKey, ctrlKey, metaKey, shiftKey, repeat, defaultPrevented } = event;
  if (altKey || ctrlKey || metaKey || shiftKey || repeat || defaultPrevented) return;
  if (heard.has(event)) return;
  heard.add(event);
  toggle(program.window);
};
