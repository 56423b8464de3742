// @ts-check
// Forms with `data-submit`: their fields, and the field that a program refuses.

/**
 * Returns the text of a form for an action: the names and texts of its fields, in turn.
 * @param {HTMLFormElement} form
 * @param {string[]} keys those of the rows around the form
 */
export function fieldsOf(form, keys) {
  /** @type {any[]} */
  const fields = [...new FormData(form)].filter(([, value]) => typeof value === "string");
  const texts = [...keys.map((key) => ["", key]), ...fields].flat();
  return texts.map((text) => text.replaceAll("\0", "\ufffd")).join("\0");
}

/**
 * Shows why a field was refused, until it changes: in the element `data-error="FIELD"` of its form,
 * to assistive technology, and to the browser's validation.
 * @param {any} form
 * @param {string} name
 * @param {string} reason
 * @returns {boolean} whether the form has an element that shows the reason
 */
export function refuseField(form, name, reason) {
  const field = [...form.elements].find((one) => one.name?.toLowerCase() === name.toLowerCase());
  const place = form.querySelector(`[data-error="${CSS.escape(name)}" i]`);
  if (place) place.textContent = reason;
  if (!field) return !!place;
  field.setCustomValidity(reason);
  field.ariaInvalid = "true";
  field.focus();
  const accept = () => {
    field.setCustomValidity("");
    field.ariaInvalid = null;
    if (place) place.textContent = "";
  };
  field.addEventListener("input", accept, { once: true });
  field.addEventListener("change", accept, { once: true });
  return !!place;
}
