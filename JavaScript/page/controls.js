// @ts-check
// The controls that `data-model` can bind: how each is read, written and observed. One table.

/**
 * A kind of control.
 * @typedef {object} Kind
 * @property {string} event the event that brings a person's value; "open" is a change of the
 *   attribute
 * @property {(control: any, shown: string) => string} read returns the text of the control's value.
 *   `shown` is the program's text
 * @property {(control: any, text: string) => void} write shows a text
 * @property {(control: any) => boolean} [isDefault] whether the control is as the HTML has it
 * @property {boolean} [hasText] whether an action gets the text of the value
 * @property {boolean} [hasValue] whether the text is in the property `value`
 * @property {boolean} [isTyped] whether a person types into it, letter by letter
 * @property {(control: any) => boolean} [isPartial] whether the value is not whole yet
 * @property {MutationObserverInit} [watched] the changes of the element after which the value is
 *   written again; with "open", after which it is read
 * @property {(text: string) => string} [normal] returns a text in the form that `read` has
 */

const isOn = (text) => text !== "" && text !== "false";

const flag = (isSo) => isSo ? "true" : "false";

const flagText = (text) => flag(isOn(text));

const listOf = (text) => {
  try {
    return [...JSON.parse(text)].map(String);
  } catch {
    return []; // nothing is shown yet
  }
};

const listText = (text) => JSON.stringify(listOf(text));

// Adds values to a list, or removes them; the others stay, also those that no control has.
const changed = (shown, choices) => {
  let list = listOf(shown);
  for (const [value, isChosen] of choices) {
    if (!isChosen) list = list.filter((other) => other !== value);
    else if (!list.includes(value)) list.push(value);
  }
  return JSON.stringify(list);
};

/**
 * Returns whether a person is in an element. While another window is active, `:focus` does not
 * match: the element keeps its place, and the person comes back to it.
 * @param {Element} element
 */
export const isEntered = (element) => element.contains(element.ownerDocument.activeElement);

/**
 * Sets the text of a field. To set an equal one could move the caret, and another one moves it to
 * the end.
 * @param {any} field
 * @param {string} text
 */
export const setValue = (field, text) => {
  if (field.value === text) return;
  const { selectionStart, selectionEnd, value } = field;
  field.value = text;
  if (selectionStart == null || selectionStart === value.length) return;
  if (isEntered(field)) field.setSelectionRange(selectionStart, selectionEnd);
};

/** Changes an element in the document. A new row gets into it later in this turn. */
export const whenConnected = (element, change) =>
  element.isConnected ? change() : Promise.resolve().then(() => element.isConnected && change());

const isShown = (element) => element.matches(":popover-open");

// JSON begins no number with a point, or with more zeros than one.
const numberOf = ({ value }) => value.replace(/^(-?)0*(?=\d)/, "$1").replace(/^(-?)\./, "$10.");

const text = {
  event: "input",
  hasText: true,
  hasValue: true,
  read: ({ value }) => value,
  write: setValue,
  isDefault: ({ value, defaultValue }) => value === defaultValue,
};

// Without a value in the HTML, the browser chooses one.
const isUnset = ({ value, defaultValue }) => !defaultValue || value === defaultValue;

// A value may be shown only after these have come.
const limits = { attributeFilter: ["min", "max", "step"] };
const content = { attributes: true, characterData: true, childList: true, subtree: true };

const box = {
  event: "change",
  read: ({ checked }) => flag(checked),
  write: (box, text) => box.checked = isOn(text),
  isDefault: ({ checked, defaultChecked }) => checked === defaultChecked,
  normal: flagText,
};

const boxOfList = {
  ...box,
  read: ({ value, checked }, shown) => changed(shown, [[value, checked]]),
  write: (box, text) => box.checked = listOf(text).includes(box.value),
  normal: listText,
};

const field = { ...text, isTyped: true };

const day = { ...field, isPartial: ({ value }) => !value, watched: limits };

const opened = {
  event: "toggle",
  read: ({ open }) => flag(open),
  write: (details, text) => details.open = isOn(text),
  normal: flagText,
};

/**
 * The kinds by the property `type` of fields, or by the name of the element.
 * @type {Record<string, Kind>}
 */
const kinds = {
  // @ts-ignore: no type has a name that every object has
  __proto__: null,
  text: field,
  search: field,
  email: field,
  tel: field,
  url: field,
  password: field,
  textarea: field,
  number: { ...day, read: numberOf },
  date: day,
  time: day,
  month: day,
  week: day,
  "datetime-local": day,
  range: { ...text, isDefault: isUnset, watched: limits },
  color: { ...text, isDefault: isUnset },
  checkbox: box,
  radio: {
    event: "change",
    read: ({ value, checked }, shown) => checked ? value : shown,
    write: (button, text) => button.checked = button.value === text,
    isDefault: (button) => box.isDefault(button) || !button.checked,
    hasText: true,
  },
  "select-one": {
    ...text,
    event: "change",
    write: (select, text) => select.value = text,
    isDefault({ options, selectedIndex }) {
      const index = [...options].findIndex(({ defaultSelected }) => defaultSelected);
      return selectedIndex < 0 || selectedIndex === Math.max(0, index);
    },
    watched: content,
  },
  "select-multiple": {
    event: "change",
    read: ({ options }, shown) => changed(shown, [...options].map((o) => [o.value, o.selected])),
    write({ options }, text) {
      const list = listOf(text);
      for (const option of options) option.selected = list.includes(option.value);
    },
    isDefault: ({ options }) => [...options].every((o) => o.selected === o.defaultSelected),
    normal: listText,
    hasText: true,
    watched: content,
  },
  details: opened,
  dialog: {
    ...opened,
    event: "open",
    watched: { attributeFilter: ["open"] },
    write: (dialog, text) =>
      whenConnected(dialog, () => {
        if (dialog.open !== isOn(text)) isOn(text) ? dialog.showModal() : dialog.close();
      }),
  },
};

const popover = {
  ...opened,
  read: (element) => flag(isShown(element)),
  write: (element, text) =>
    whenConnected(element, () => {
      if (isShown(element) !== isOn(text)) element.togglePopover();
    }),
};

const editedText = {
  event: "input",
  read: ({ textContent }) => textContent,
  write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  },
  hasText: true,
  isTyped: true,
};

/**
 * Returns the kind of an element; undefined if it is no control with a value.
 * @param {any} element
 * @returns {Kind | undefined}
 */
export function kindOf(element) {
  const { type, localName } = element;
  if (type === "checkbox" && element.hasAttribute("value")) return boxOfList;
  const kind = kinds[type] ?? kinds[localName];
  if (kind) return kind;
  if (element.matches("[popover]")) return popover;
  if (element.matches("[contenteditable=plaintext-only]")) return editedText;
}
