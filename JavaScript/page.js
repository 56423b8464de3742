// @ts-check
// Binds the elements of a page to a program; page.d.ts documents it. A build makes one file of this
// module and those in page/.

import { bindings, isEntered, show, showAgain, showValue } from "./page/elements.js";
import { joined, messages } from "./page/messages.js";
import { rowsOf } from "./page/rows.js";

const keys = { __proto__: null, Enter: "enter", Escape: "escape" };

const listened = "click dblclick focusout keydown input change compositionend".split(" ");

// The attribute of an event, behind `data-`. Chromium sends no "input" after a composition.
const nameOf = ({ type, key }) => {
  if (type === "keydown") return keys[key];
  return type === "compositionend" ? "input" : type;
};

// JSON begins no number with a point, or with more zeros than one.
const textOf = ({ type, value }) =>
  type === "number" ? value.replace(/^(-?)0*(?=\d)/, "$1").replace(/^(-?)\./, "$10.") : value;

// Returns the arguments of an event's action: the key of its row, and the value of its field.
function wordsOf(event, row, field) {
  const { type, key } = event;
  const words = row ? [row.key] : [];
  const kind = field.matches("textarea,select,input") ? field.type : "button";
  if (/checkbox|radio/.test(kind)) {
    // The binding of another program may have reset the box before this one: see `sendEvent`.
    event.isChecked ??= field.checked;
    if (/input|change/.test(type)) words.push(event.isChecked ? "true" : "");
  } else if (key !== "Escape" && !/button|submit|reset|image|file/.test(kind)) {
    words.push(textOf(field));
  }
  return words.join(" ");
}

/** The programs that run in each document. */
const running = new WeakMap();

/** @returns {import("./sharing.d.ts").Page} */
export const bind = (/** @type {any} */ root) => {
  const document = root.ownerDocument ?? root;
  /** @type {Set<object>} */
  const programs = running.get(document) ?? new Set();
  running.set(document, programs);
  /** @type {any} the functions that show a value in its places, by its name */
  const places = { __proto__: null };
  const program = { isStopped: false };
  const lists = [];
  let listening = new AbortController(); // ends the listeners of a program
  /** @type {any} */
  let asked; // the field whose text was sent last
  /** @type {any} */
  let acting; // the element whose event was sent last
  /** @type {any} */
  let refused; // the element of the shown refusal
  /** @type {any} */
  let entered; // the element whose event "enter" was sent, until the next key
  let isSending = false;
  const waiting = []; // functions that send the events caused by the one under way

  const add = (name, place) => (places[name] ??= []).push(place);
  for (const element of root.querySelectorAll("*")) {
    for (const [target, name] of bindings(element)) {
      add(name, (text) => {
        const all = messages.has(name) ? joined(element, target, program, text) : text;
        show(element, target, all);
      });
    }
    const { rows } = element.dataset;
    if (rows) {
      const list = rowsOf(element, rows);
      lists.push(list);
      add(rows, list.show);
    }
  }

  // A refused text is no value. It stays while the field has the focus, so that it can be mended.
  const refuse = (field) => {
    field.isRefused = true;
    if (!isEntered(field)) showAgain(field);
  };

  const set = (name, text) => {
    const failures = [];
    // With two programs, the action may be one of the other program.
    if (name === "unknown-action" && programs.size === 1) {
      document.defaultView.console.error(text);
    }
    if (name === "refused") {
      // The reason stays until a person's next action, whatever this one has caused.
      if (!text && isSending) return;
      if (text && asked) refuse(asked);
      refused = text ? acting : null;
    }
    for (const place of places[name] ?? []) {
      try {
        place(text);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length) throw failures[0];
  };

  // Sends an event, and then those that its action has caused.
  const inOrder = (sendOne) => {
    waiting.push(sendOne);
    if (isSending) return;
    isSending = true;
    try {
      while (waiting.length) waiting.shift()();
    } finally {
      isSending = false;
    }
  };

  const report = (message, running, stopped) => {
    set("program-error", message);
    set("stopped", stopped);
    set("running", running);
  };

  const endRows = () => lists.forEach((list) => list.end());

  return {
    set,

    ready(send, signal) {
      program.isStopped = false;
      programs.add(program);
      // A program that has failed has not ended its listeners.
      listening.abort();
      listening = new AbortController();
      const whileItRuns = { signal: listening.signal };

      const sendEvent = (event, element, name) => {
        const row = element.closest("[data-rows]>*");
        const field = document.getElementById(element.dataset.field) ?? element;
        const text = wordsOf(event, row, field);
        const own = /input|change/.test(name) && "shown" in field ? field : null;
        // A person's event is not within another one, as that of a field that goes with its row.
        // Nor does a script make it, as a timer's; but such an event ends the refusal of its own
        // element. Enter is one action, though browsers send a "change" after it.
        const isPersons = event.isTrusted || !refused || refused === element;
        if (!isSending && isPersons && (name !== "change" || entered !== element)) {
          asked = null;
          set("refused", "");
        }
        // UTF-8 has no half a surrogate pair.
        if (/\p{Cs}/u.test(text)) {
          const before = [asked, acting];
          [asked, acting] = [own, element];
          // An action that ends editing also leaves the field, whose text is given up then.
          if (!isSending || own) set("refused", "An incomplete character cannot be stored.");
          [asked, acting] = before;
        } else {
          const action = element.dataset[name];
          if (name === "enter") entered = element;
          field.known = field.value;
          inOrder(() => {
            [asked, acting] = [own, element];
            if (own) own.isRefused = false;
            send(action, text);
          });
        }
        // The browser has changed the box that was clicked, and of radio buttons another one too.
        for (const box of [element, ...document.getElementsByName(element.name)]) {
          if ("isOn" in box) box.checked = box.isOn;
        }
      };

      const hear = (event) => {
        const { type, keyCode, isComposing, repeat, shiftKey, target } = event;
        const name = nameOf(event);
        if (type === "keydown") entered = null;
        const element = name && target.closest?.(`[data-${name}]`);
        // In another window, the field of this one keeps its place.
        const stays = type === "focusout" && target === document.activeElement;
        if (type === "focusout" && !stays) {
          if (target.held != null) showValue(target, target.held);
          else if (target.isRefused) showAgain(target);
        }
        // A choice stays, whatever options come.
        if (type === "change" && target.isFollowed) target.wanted = target.value;
        // In Safari the key that ends a composition follows it, and only its code, 229, says so.
        if (!element || isComposing || keyCode === 229 || stays) return;
        if (name === "enter" && target.matches("textarea")) {
          if (shiftKey) return; // a line break
          event.preventDefault();
        }
        if (!repeat) sendEvent(event, element, name);
      };

      const stop = () => {
        listening.abort();
        set("stopped", "true");
        set("running", "");
        endRows();
        program.isStopped = true;
        programs.delete(program);
      };

      for (const type of listened) root.addEventListener(type, hear, whileItRuns);
      signal?.addEventListener("abort", stop, whileItRuns);
      report("", "true", "");
    },

    fail(message) {
      programs.delete(program);
      endRows();
      report(`${message} What was stored is safe; a reload may help.`, "", "true");
    },
  };
};
