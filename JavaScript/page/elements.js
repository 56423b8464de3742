// @ts-check
// How an element shows a value: the targets of `data-text` and `data-bind`.

/**
 * An element with properties for the state of its field:
 * - `shown`: the value of a field, as a text;
 * - `wanted`: the choice of a select, whose option may come later;
 * - `known`: the text of a field that the program has shown or got last;
 * - `held`: a value that waits for the end of typing in the field;
 * - `isRefused`: whether the program has refused the text in the field;
 * - `isOn`: whether a box is checked.
 * @typedef {any} Field
 */

/**
 * The targets with a meaning of their own; the others are classes and attributes.
 * @type {Record<string, (element: Field, value: any) => void>}
 */
const targets = {
  // @ts-ignore: no target has a name that every object has
  __proto__: null,

  text: (element, value) => element.textContent = value,

  value: showValue,

  // A click changes it, too: `bind` sets it again after each event.
  checked: (element, value) => element.checked = element.isOn = value,

  focus(element, value) {
    const focus = () => element.focus({ preventScroll: true });
    // A new row gets into the document later in this turn.
    if (value) element.isConnected ? focus() : Promise.resolve().then(focus);
  },

  time: (element, value) => element.textContent = value ? new Date().toLocaleTimeString() : "",
};

/**
 * Returns whether a person is in an element. While another window is active, `:focus` does not
 * match: the element keeps its place, and the person comes back to it.
 * @param {Element} element
 */
export const isEntered = (element) => element.contains(element.ownerDocument.activeElement);

/**
 * Shows a value in a field; null, as of an optional field of a row, is an empty text.
 * @param {Field} field
 */
export function showValue(field, value) {
  const { dataset: { change, input }, known = field.value } = field;
  const isChoice = field.matches("select");
  const isTyped = (change || input) && (known !== field.value || field.isRefused);
  field.held = null;
  field.shown = field.wanted = "" + (value ?? "");
  // A text that is being typed, composed or mended stays until it is sent, or the field is left.
  if (isTyped && isEntered(field) && !isChoice) {
    field.held = field.shown;
    return;
  }
  field.isRefused = false;
  // To set an equal value could move the caret.
  if (field.value !== field.shown) field.value = field.shown;
  field.known = field.value;
  if (isChoice) followOptions(field);
}

/**
 * Shows the last value again, in place of a text that the program has refused.
 * @param {Field} field
 */
export function showAgain(field) {
  field.value = field.known = field.wanted = field.shown;
  field.isRefused = false;
}

// Options may come after the choice among them. A select without that option shows the first one.
function followOptions(select) {
  if (select.isFollowed) return;
  select.isFollowed = true;
  const { MutationObserver } = select.ownerDocument.defaultView;
  const choose = () => {
    if (select.value !== select.wanted) select.value = select.wanted;
    select.known = select.value;
  };
  const options = { attributes: true, characterData: true, childList: true, subtree: true };
  new MutationObserver(choose).observe(select, options);
}

// Without these attributes an element has no such state: to assistive technology, a button that can
// be pressed is of another kind.
const states = /^aria-(checked|expanded|pressed|selected)$/;

/**
 * Shows a value in a target of an element.
 * @param {Field} element
 * @param {string} target
 */
export function show(element, target, value) {
  if (targets[target]) targets[target](element, value);
  else if (target[0] === ".") element.classList.toggle(target.slice(1), !!value);
  else if (value || value === 0) element.setAttribute(target, value);
  else if (states.test(target)) element.setAttribute(target, "false");
  else element.removeAttribute(target);
}

/**
 * Returns the bindings of an element: pairs of a target and the name of a value. A target may have
 * colons in it, as the class `.md:flex`: the name is behind the last one.
 */
export const bindings = ({ dataset: { text, bind } }) => {
  const pairs = (bind?.match(/\S+:\S+/g) ?? []).map((pair) => {
    const end = pair.lastIndexOf(":");
    return [pair.slice(0, end), pair.slice(end + 1)];
  });
  return text ? [...pairs, ["text", text.trim()]] : pairs;
};
