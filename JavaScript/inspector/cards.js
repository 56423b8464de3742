// @ts-check
// The cards of the panel: the elements of each row.

import { idOf } from "./state.js";

/** Makes elements of a document. */
export const makerOf = (document) => (name, properties = {}, children = []) => {
  const { attributes = {}, ...own } = properties;
  const element = Object.assign(document.createElement(name), own);
  for (const each in attributes) element.setAttribute(each, attributes[each]);
  element.append(...children);
  return element;
};

/** Sets the text of an element, unless it has that text: the selection stays. */
export const set = (element, text) => {
  if (element.textContent !== text) element.textContent = text;
};

const encoder = new TextEncoder();

const longest = 5000; // letters of a value that a card shows

const writers = {
  __proto__: null,
  program: "this program",
  tab: "another tab",
  page: "a script of this page",
  other: "another program",
  inspector: "the inspector",
};

// The facts in the body of a card, and their names.
const factNames = [
  ["size", "Size"],
  ["revision", "Revision"],
  ["writer", "Last write"],
  ["problem", "Problem"],
];

const shortened = (text, most) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length - most} more)` : text;

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function writerOf({ text, by, time, place, status, replaced }) {
  if (replaced) return `replaced, ${new Date(replaced).toLocaleString()}`;
  if (place === "address" || /copy|journal/.test(status)) return "";
  if (by) return `${writers[by]}, ${time ? new Date(time).toLocaleTimeString() : ""}`;
  return text === null ? "never" : "before this page";
}

function factsOf(row) {
  const { text, revision, problem = "" } = row;
  return {
    size: text === null ? "nothing is stored" : counted(encoder.encode(text).length, "byte"),
    revision: revision === undefined ? "" : String(revision),
    writer: writerOf(row),
    problem,
  };
}

const nameOf = ({ key, place, number }) => {
  if (place === "address") return "the text behind #";
  return number ? `${key} ${number}` : key || "(empty name)";
};

/**
 * Makes the elements of a row.
 * @param {(name: string, properties?: any, children?: any[]) => any} make
 * @param {any} row
 * @param {(row: any, text: string | null, done: string) => void} change stores another text; `done`
 *   says so then
 */
export function makeCard(make, row, change) {
  const name = nameOf(row);
  /** @type {any} */
  const card = { row };
  card.preview = make("span", { className: "preview" });
  card.status = make("span", { className: "status" });
  card.value = make("pre", {
    tabIndex: 0,
    attributes: { role: "group", "aria-label": `The text under ${name}` },
  });
  card.facts = factNames.map(([fact, textContent]) => {
    const dd = make("dd");
    const className = `${fact} ${fact === "problem" ? "wide" : ""}`;
    return [fact, dd, make("div", { className }, [make("dt", { textContent }), dd])];
  });
  const button = (textContent, done, textOf) =>
    make("button", {
      type: "button",
      textContent,
      className: textContent.toLowerCase(),
      onclick: () => change(card.row, textOf(card.row.text ?? ""), `${name} is ${done}.`),
      attributes: { "aria-label": `${textContent} ${name}` },
    });
  const damage = button("Damage", "damaged", (text) => text + "{");
  damage.hidden = /copy|journal/.test(row.status) || row.place === "address";
  const summary = make("summary", {}, [
    make("span", { className: "key", textContent: name }),
    card.preview,
    make("span", { className: "place", textContent: row.place }),
    card.status,
  ]);
  const body = make("div", { className: "body" }, [
    card.value,
    make("dl", {}, card.facts.map(([, , part]) => part)),
    make("div", { className: "buttons" }, [damage, button("Clear", "removed", () => null)]),
  ]);
  card.element = make("li", {}, [make("details", {}, [summary, body])]);
  return card;
}

function showCard(card, row) {
  const text = row.text ?? "";
  const facts = factsOf(row);
  card.row = row;
  set(card.preview, shortened(text, 200));
  set(card.value, shortened(text, longest));
  set(card.status, row.status);
  card.status.dataset.status = row.status;
  for (const [fact, dd, part] of card.facts) {
    set(dd, facts[fact]);
    part.hidden = facts[fact] === "";
  }
}

/**
 * Shows rows in a list. Elements keep their places, so that the focus stays where it is.
 * @param {Element} list
 * @param {Map<string, any>} cards by the identity of their rows
 * @param {any[]} rows
 * @param {(row: any) => any} makeCardOf
 */
export function showCards(list, cards, rows, makeCardOf) {
  const ids = new Set(rows.map(idOf));
  for (const [id, card] of cards) {
    if (ids.has(id)) continue;
    card.element.remove();
    cards.delete(id);
  }
  let next = list.firstElementChild;
  for (const row of rows) {
    const id = idOf(row);
    const isNew = !cards.has(id);
    const card = cards.get(id) ?? makeCardOf(row);
    cards.set(id, card);
    showCard(card, row);
    if (isNew) list.insertBefore(card.element, next);
    else next = card.element.nextElementSibling;
  }
}
