// @ts-check
// The element <site-search>: a field, and a list of the pages that have its words. The index is
// loaded at the first use. Every address is relative to this file, so the site may be in any folder
// of its server.

import { excerpt, find, marked, wordsOf } from "./find.js";

/** @typedef {import("./find.js").Hit} Hit */

const SITE = new URL("../", import.meta.url);
const INDEX = new URL("index.json", import.meta.url);
const LIMIT = 6; // results of each group
const GROUPS = [
  { name: "Articles", holds: (/** @type {Hit} */ { page }) => page.kind === "Article" },
  { name: "API", holds: (/** @type {Hit} */ { page }) => page.kind !== "Article" },
];

class SiteSearch extends HTMLElement {
  /** @type {Promise<import("./find.js").Page[]> | undefined} */
  #pages;
  #input = element("input", {
    type: "search",
    role: "combobox",
    placeholder: "Search",
    autocomplete: "off",
    spellcheck: "false",
    "aria-label": "Search the documentation",
    "aria-autocomplete": "list",
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
    "aria-controls": "search-results",
    "aria-keyshortcuts": "/",
  });
  #list = element("div", { id: "search-results", role: "listbox", "aria-label": "Results" });
  #message = element("p", { class: "message", "aria-hidden": "true" });
  #panel = element("div", { class: "panel", hidden: "" }, this.#list, this.#message);
  // The same message for screen readers, which ignore an element that was hidden until now.
  #status = element("p", { class: "spoken", role: "status" });

  connectedCallback() {
    const hint = element("kbd", { "aria-hidden": "true" }, "/");
    this.setAttribute("role", "search");
    this.replaceChildren(this.#input, hint, this.#panel, this.#status);
    this.#input.addEventListener("focus", () => this.#load().catch(() => {}));
    this.#input.addEventListener("input", () => this.#show());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.#list.addEventListener("click", () => this.#close());
    this.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.contains(relatedTarget))) this.#close();
    });
    addEventListener("keydown", this.#focusBySlash, { capture: true });
  }

  disconnectedCallback() {
    removeEventListener("keydown", this.#focusBySlash, { capture: true });
  }

  /** @param {KeyboardEvent} event */
  #focusBySlash = (event) => {
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== "/" || isCommand || isField(event.composedPath()[0])) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#input.focus();
    this.#input.select();
  };

  /** Returns the pages of the index. After a failure, the next call tries again. */
  #load() {
    this.#pages ??= fetch(INDEX).then((answer) => {
      if (!answer.ok) throw new Error(`${INDEX} answers with the status ${answer.status}`);
      return answer.json();
    });
    this.#pages.catch(() => this.#pages = undefined);
    return this.#pages;
  }

  async #show() {
    if (wordsOf(this.#input.value).length === 0) return this.#close();
    try {
      const pages = await this.#load();
      // The field may have changed while the index was loaded.
      const query = this.#input.value.trim();
      if (query !== "") this.#showHits(find(pages, query), query);
    } catch {
      this.#list.replaceChildren();
      this.#open("The index of the search could not be loaded. Reload the page.");
    }
  }

  /** @param {Hit[]} hits @param {string} query */
  #showHits(hits, query) {
    const groups = GROUPS.map(({ name, holds }) => ({ name, hits: hits.filter(holds) }))
      .filter(({ hits }) => hits.length > 0)
      .sort((one, other) => other.hits[0].score - one.hits[0].score);
    const words = wordsOf(query);
    this.#list.replaceChildren(...groups.map(({ name, hits }) => group(name, hits, words)));
    this.#options().forEach((option, index) => option.id = `search-result-${index}`);
    this.#activate(0);
    this.#open(message(hits.length, this.#options().length, query));
  }

  /** @param {string} message */
  #open(message) {
    this.#panel.hidden = false;
    this.#input.setAttribute("aria-expanded", String(this.#options().length > 0));
    this.#message.textContent = message;
    this.#status.textContent = message;
  }

  #close() {
    this.#panel.hidden = true;
    this.#status.textContent = "";
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.isComposing) return;
    const options = this.#panel.hidden ? [] : this.#options();
    const active = options.findIndex((option) => option.ariaSelected === "true");
    if (event.key === "Escape") {
      if (this.#panel.hidden) this.#input.value = "";
      this.#close();
    } else if (event.key === "ArrowDown" && this.#panel.hidden) {
      this.#show();
    } else if (options.length === 0) {
      return;
    } else if (event.key === "ArrowDown") {
      this.#activate((active + 1) % options.length);
    } else if (event.key === "ArrowUp") {
      this.#activate((active + options.length - 1) % options.length);
    } else if (event.key === "Enter") {
      options[active].click();
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Selects a result; nothing if there is none at that position. @param {number} index */
  #activate(index) {
    const options = this.#options();
    options.forEach((option, other) => option.ariaSelected = String(other === index));
    this.#input.removeAttribute("aria-activedescendant");
    if (index >= options.length) return;
    this.#input.setAttribute("aria-activedescendant", options[index].id);
    options[index].scrollIntoView({ block: "nearest" });
  }

  /** @returns {HTMLElement[]} */
  #options() {
    return [...this.#list.querySelectorAll("a")];
  }
}

/** @param {string} name @param {Hit[]} hits @param {string[]} words */
function group(name, hits, words) {
  const title = element("p", { "aria-hidden": "true" }, name);
  const options = hits.slice(0, LIMIT).map((hit) => option(hit, words));
  return element("div", { role: "group", "aria-label": name }, title, ...options);
}

/** @param {Hit} hit @param {string[]} words */
function option({ page, section }, words) {
  const [anchor, heading, text] = section ?? ["", "", page.summary];
  const href = new URL(page.path + (anchor && `#${anchor}`), SITE).href;
  const where = [page.kind === "Article" ? "" : page.kind, page.place, heading].filter(Boolean);
  return element(
    "a",
    { role: "option", href, tabindex: "-1" },
    element("strong", {}, ...withMarks(page.title, words)),
    element("small", {}, ...withMarks(where.join(" › "), words)),
    element("span", {}, ...withMarks(excerpt(text, words), words)),
  );
}

/** @param {string} text @param {string[]} words */
function withMarks(text, words) {
  return marked(text, words).map((piece, index) =>
    index % 2 === 1 ? element("mark", {}, piece) : piece
  );
}

/** @param {number} found @param {number} shown @param {string} query */
function message(found, shown, query) {
  if (found === 0) return `No page has “${query}”.`;
  if (found > shown) return `${shown} of ${found} pages. More words find fewer.`;
  return found === 1 ? "1 page" : `${found} pages`;
}

/** @param {EventTarget} target */
function isField(target) {
  return target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input, textarea, select"));
}

/**
 * Creates an element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

customElements.define("site-search", SiteSearch);
