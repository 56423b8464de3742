// @ts-check
// Binds a page to a program: the program decides, the HTML says where that shows.
//   data-text="name"    shows the text that the program sets under that name
//   data-click="name"   sends the event of that name
//   data-controls       a fieldset that is enabled while the program runs
// The name "status" is the binder's own: what a visitor should know about the program itself.

/**
 * @typedef {(name: string, value?: string) => void} Send hands an event to the program
 * @typedef {object} Page
 * @property {(name: string, text: string) => number} set shows a text; in how many places
 * @property {(send: Send) => void} ready the program has started
 * @property {(message: string) => void} fail it could not start, or has stopped
 */

/** @returns {Page} */
export function bind(/** @type {ParentNode & EventTarget} */ root) {
  /** @type {(selector: string) => HTMLElement[]} */
  const all = (selector) => [...root.querySelectorAll(selector)].map(/** @type {any} */ (Object));
  /** @type {Page["set"]} */
  const set = (name, text) => {
    const places = all("[data-text]").filter(({ dataset }) => dataset.text === name);
    for (const place of places) place.textContent = text;
    return places.length;
  };
  /** @type {(message: string, works: boolean) => void} */
  const report = (message, works) => {
    set("status", message);
    for (const controls of all("[data-controls]")) controls.toggleAttribute("disabled", !works);
  };
  return {
    set,
    ready(send) {
      // One listener for the whole page: rows that come later need none of their own.
      root.addEventListener("click", ({ target }) => {
        const element = /** @type {Element} */ (target).closest("[data-click]");
        if (element) send(element.getAttribute("data-click") ?? "");
      });
      report("", true);
    },
    fail: (message) => report(`${message} What was stored is safe; a reload may help.`, false),
  };
}
