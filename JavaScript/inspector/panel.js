// @ts-check
// The panel of a window: opens, closes, and reads the values of programs twice a second.

import { makeCard, makerOf, set, showCards } from "./cards.js";
import { fill, makeRoom, overwrite, runningIn } from "./changes.js";
import { stateOf } from "./state.js";
import { style } from "./style.js";

// The elements of the panel, in a shadow root. `actions` are the handlers of its buttons.
function makeParts(window, make, actions) {
  const button = (textContent, className) =>
    make("button", { type: "button", textContent, className, onclick: actions[className] });
  const answer = make("p", { className: "answer", attributes: { role: "status" } });
  const message = make("p", { className: "message", attributes: { role: "alert" } });
  const list = make("ul", { attributes: { "aria-label": "Keys" } });
  const empty = make("p", { className: "empty", textContent: "The program has used no key yet." });
  const panel = make("section", {
    tabIndex: -1,
    attributes: { role: "dialog", "aria-labelledby": "title" },
  }, [
    make("div", { className: "bar" }, [
      make("h2", { id: "title", textContent: "Storage of this page" }),
      make("p", { className: "hint", textContent: "F8 or Escape closes" }),
      button("Close", "close"),
    ]),
    message,
    empty,
    list,
    make("div", { className: "bar" }, [
      button("Fill localStorage", "fill"),
      button("Make room again", "free"),
      answer,
    ]),
  ]);
  const host = make("sharing-inspector"), shadow = host.attachShadow({ mode: "open" });
  const sheet = new window.CSSStyleSheet();
  sheet.replaceSync(style); // a style element would need 'unsafe-inline' in the page's policy
  shadow.adoptedStyleSheets = [sheet];
  shadow.append(panel);
  return { answer, message, list, empty, panel, host };
}

/**
 * Returns the panel of a window.
 * @param {Window & typeof globalThis} window
 */
export function makePanel(window) {
  const { document } = window;
  const make = makerOf(document);
  const programs = new Set(); // also those that have stopped
  const cards = new Map();
  let ticking = 0;
  /** @type {any} */
  let former; // the element that had the focus

  const act = async (done, run) => {
    try {
      await run();
      set(parts.answer, done);
    } catch (error) {
      const { name, message } = /** @type {any} */ (error);
      set(parts.answer, [name, message].filter(Boolean).join(": "));
    }
    refresh();
  };
  const change = (row, text, done) => act(done, () => overwrite(row, text, window));
  const refresh = () => {
    if (!parts.host.isConnected) return;
    for (const program of runningIn(window)) if (program.note) programs.add(program);
    const { rows, message } = stateOf([...programs], window);
    showCards(parts.list, cards, rows, (row) => makeCard(make, row, change));
    parts.empty.hidden = rows.length > 0;
    set(parts.message, message);
  };
  const open = () => {
    former = document.activeElement;
    document.body.append(parts.host);
    refresh();
    ticking = window.setInterval(refresh, 500);
    parts.panel.focus();
  };
  const close = () => {
    const hasFocus = document.activeElement === parts.host;
    window.clearInterval(ticking);
    parts.host.remove();
    if (hasFocus) former?.focus?.();
  };

  const parts = makeParts(window, make, {
    close,
    fill: () => act("localStorage is full.", () => fill(window.localStorage)),
    free: () => act("There is room again.", () => makeRoom(window.localStorage)),
  });
  parts.panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.stopPropagation();
    close();
  });
  return { toggle: () => parts.host.isConnected ? close() : open() };
}
