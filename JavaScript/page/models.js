// @ts-check
// A control that is bound both ways, by `data-model` or `data-edit`, as a state machine.
// controls.js has the table of controls.

import { isEntered, kindOf } from "./controls.js";

/** @type {WeakMap<Element, Model>} */
const models = new WeakMap();

/**
 * Returns the model of a control; undefined if it has none.
 * @param {any} control
 */
export const modelOf = (control) => models.get(control);

// Whether two texts are one number, as "1.50" and "1.5", which a person may be typing.
const isSameNumber = (one, other) =>
  one !== "" && +one === +other && Math.abs(+one) <= Number.MAX_SAFE_INTEGER;

/**
 * The states of a control; a field with `data-edit` is in the state `edited` or `refused` from the
 * beginning to the end of its editing:
 * - `shown`: it shows the program's value, or that of the HTML before there is one;
 * - `edited`: it has a person's value that is not sent yet, as half a number, or a text that is
 *   sent when the field is left;
 * - `refused`: it has a text that the program has refused, which a person may mend.
 */
export class Model {
  /** @type {"shown" | "edited" | "refused"} */
  state = "shown";
  /** The text of the program's value. @type {string | undefined} */
  value;
  /** Is called when the control changes without an event. @type {(model: Model) => void} */
  hear = () => {};
  /**
   * The text of a field with `data-edit` before a person has changed it.
   * @type {string | undefined}
   */
  begun;
  /** The element that has the focus after the editing. @type {any} */
  opener;

  constructor(control, kind, name) {
    models.set(control, this);
    this.control = control;
    this.kind = kind;
    this.name = name;
    this.first = kind.read(control, "");
    if (!kind.watched) return;
    const isHeard = kind.event === "open";
    const change = () => isHeard ? this.hear(this) : this.showAgain();
    new MutationObserver(change).observe(control, kind.watched);
  }

  get isLazy() {
    return "lazy" in this.control.dataset;
  }

  get text() {
    return this.kind.read(this.control, this.value ?? "");
  }

  /**
   * The program sets its value.
   * @param {unknown} value
   * @param {boolean} isEarly whether a person has used a control of this name, and that is not sent
   */
  receive(value, isEarly = false) {
    const text = Array.isArray(value) ? JSON.stringify(value) : `${value ?? ""}`;
    this.value = this.kind.normal?.(text) ?? text;
    if (isEarly || this.begun !== undefined) return;
    if (this.state !== "shown" && isEntered(this.control)) return;
    this.state = "shown";
    this.showAgain();
  }

  /** Shows the program's value, unless a person's one is there. */
  showAgain() {
    const { control, kind, state, value } = this;
    if (state !== "shown" || value === undefined) return;
    if (kind.isTyped && isEntered(control) && isSameNumber(this.text, value)) return;
    kind.write(control, value);
  }

  /**
   * A person has changed the control.
   * @param {boolean} isEnd whether that is for good, as on leaving a field
   * @returns {boolean} whether to send the text now
   */
  edited(isEnd) {
    const { control, kind, isLazy, state, text, value } = this;
    if (!isEnd && kind.event === "change") return false; // it follows
    if (!isEnd && (isLazy || kind.isPartial?.(control))) {
      this.state = "edited";
      return false;
    }
    // Of fields that send each letter, a "change" has nothing new.
    if (isEnd && kind.event === "input" && !isLazy && state !== "edited") return false;
    return state !== "shown" || text !== value;
  }

  /** The text is sent. The program's value may arrive before `answered`. */
  sent() {
    this.state = "shown";
  }

  /** The program has had the text. It may have kept its value. */
  answered() {
    if (this.value !== undefined && this.text !== this.value) this.showGroup();
  }

  refused() {
    this.state = "refused";
    if (this.begun !== undefined) return;
    if (!this.kind.isTyped || !isEntered(this.control)) this.left();
  }

  /** A person begins to edit a field with `data-edit`. */
  edit(opener) {
    this.showValue(); // after a return to the page, WebKit may have emptied the field
    [this.state, this.begun, this.opener] = ["edited", this.text, opener];
  }

  endEdit() {
    [this.state, this.begun] = ["shown", undefined];
    this.showValue();
  }

  showValue() {
    this.kind.write(this.control, this.value ?? "");
  }

  /** The control is left, or a person gives up the text in it. */
  left() {
    this.state = "shown";
    this.showGroup();
  }

  // A click on a radio button changes another one, too.
  showGroup() {
    this.showAgain();
    if (this.control.type !== "radio") return;
    for (const other of this.control.ownerDocument.getElementsByName(this.control.name)) {
      modelOf(other)?.showAgain();
    }
  }
}

/**
 * Returns the kind of control that a target of a binding needs; undefined if it needs none. Reports
 * an element that is no such control, or in a wrong place.
 * @param {any} element
 * @param {string} target
 * @param {number} depth the number of rows around the element
 */
export function kindFor(element, target, depth) {
  if (target !== "model" && target !== "edit") return;
  const kind = kindOf(element);
  const isEdit = target === "edit";
  if (kind && (isEdit ? kind.isTyped && kind.hasValue && depth === 1 : depth < 2)) return kind;
  const needed = isEdit ? "a text field in a row" : "a control, or a row";
  console.error(
    `data-${target}="${element.dataset[target]}" needs ${needed} of one list.`,
    element,
  );
}
