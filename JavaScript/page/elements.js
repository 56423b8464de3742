// @ts-check
// How an element shows a value: the targets of `data-text` and `data-bind`, and its control.

import { setValue, whenConnected } from "./controls.js";
import { modelOf } from "./models.js";

const receive = (element, value) => modelOf(element)?.receive(value);

/**
 * The targets with a meaning of their own; the others are classes and attributes.
 * @type {Record<string, (element: any, value: any) => void>}
 */
const targets = {
  // @ts-ignore: no target has a name that every object has
  __proto__: null,

  // A live region would say an equal text again.
  text(element, value) {
    const text = `${value ?? ""}`;
    if (element.textContent !== text) element.textContent = text;
  },

  value: (field, value) => setValue(field, `${value ?? ""}`),

  // A click changes it, too: `bind` sets it again after each event.
  checked: (element, value) => element.checked = element.isOn = value,

  focus(element, value) {
    if (value) whenConnected(element, () => element.focus({ preventScroll: true }));
  },

  model: receive,
  edit: receive,
  "data-rows": (list, value) => list.showRows(Array.isArray(value) ? value : []),
};

// Without these attributes an element has no such state: to assistive technology, a button that can
// be pressed is of another kind.
const states = /^aria-(checked|expanded|pressed|selected)$/;

// Attributes with an address, which a browser may open.
const addresses = /^(href|xlink:href|src|action|formaction)$/i;

// Whether a browser would run a text as a program. The element `a` knows how browsers read it.
const isProgram = (element, target, text) => {
  if (!addresses.test(target)) return false;
  const { protocol } = Object.assign(element.ownerDocument.createElement("a"), { href: text });
  // An image runs nothing.
  return protocol === "javascript:" || protocol === "data:" && element.localName !== "img";
};

/**
 * Shows a value in a target of an element.
 * @param {any} element
 * @param {string} target
 */
export function show(element, target, value) {
  if (targets[target]) return targets[target](element, value);
  if (target[0] === ".") return element.classList.toggle(target.slice(1), !!value);
  let text = value || value === 0 ? `${value}` : states.test(target) ? "false" : null;
  if (text !== null && isProgram(element, target, text)) {
    console.error(`"${text}" is not set as ${target}: it would run.`, element);
    text = null;
  }
  if (text === null) element.removeAttribute(target);
  else if (element.getAttribute(target) !== text) element.setAttribute(target, text);
}

// Whether a browser would run any value in this place.
const isRun = ({ localName }, target) =>
  target === "text" ? /^(script|style)$/.test(localName) : /^(on|srcdoc$)/i.test(target);

/**
 * Returns the bindings of an element: pairs of a target and the name of a value. A target may have
 * colons in it, as the class `.md:flex`: the name is behind the last one. Reports a target in which
 * a browser would run the value.
 */
export function bindings(element) {
  const { text, bind, model, edit, rows } = element.dataset;
  const pairs = (bind?.match(/\S+:\S+/g) ?? []).map((pair) => {
    const end = pair.lastIndexOf(":");
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
  if (text) pairs.push(["text", text.trim()]);
  if (model) pairs.push(["model", model]);
  if (edit) pairs.push(["edit", edit]);
  if (rows) pairs.push(["data-rows", rows]);
  return pairs.filter(([target, name]) => {
    if (!isRun(element, target)) return true;
    console.error(`"${name}" is not set as ${target}: it would run.`, element);
    return false;
  });
}
