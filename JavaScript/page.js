// @ts-check
// Binds the elements of a page to a program; page.d.ts documents it. A build makes one file of this
// module and those in page/.

import { isEntered } from "./page/controls.js";
import { askedModel, beginEdit, endEdit } from "./page/edit.js";
import { bindings, show } from "./page/elements.js";
import { isRepeatedByLabel, keysOf, late, listened, nameOf, rowOf, textOf } from "./page/events.js";
import { fieldsOf, refuseField } from "./page/forms.js";
import { kindFor, Model, modelOf } from "./page/models.js";
import { rowsOf } from "./page/rows.js";

const messages = "running stopped program-error storage-error outdated unsaved refused update"
  .split(" ");

/** @returns {import("./sharing.d.ts").Page} */
export const bind = (/** @type {any} */ root) => {
  const document = root.ownerDocument ?? root;
  const window = document.defaultView;
  /** @type {any} the functions that show a value in its places, by its name */
  const places = { __proto__: null };
  const models = []; // outside of rows
  /** @type {Set<any>} the models of the controls that a person has used before the program ran */
  const used = new Set();
  const known = new Set(messages); // the names that the program has set
  /** @type {Set<any>} the forms that a person has submitted before the program ran */
  const submitted = new Set();
  /** @type {any} the functions for a person's changes, with or without a program; see `begin` */
  let phase;
  const waiting = []; // functions that send the event under way, and those that it has caused
  /**
   * The action that was sent last: its element, its model, and the field and the reason of its
   * refusal.
   * @type {{ element?: any, model?: any, field?: string, refused?: string }}
   */
  let action = {};
  /** @type {any} */
  let entered; // the element whose event "enter" was sent, until the next key

  function noteUse(model) {
    if (model.text !== model.first && !rowOf(model.control)) use(model);
  }

  function use(model) {
    model.state = "edited";
    used.add(model);
  }

  // Whether a person has used a control of a name: of several boxes, the others are as they were.
  const isUsed = (name) => [...used].some((model) => model.name === name);

  // After these, browsers restore fields by themselves.
  const [navigation] = window.performance.getEntriesByType("navigation");
  const isRestored = /reload|back/.test(navigation?.type);

  const hearModel = (model) => phase.change(model);
  const add = (name, place) => (places[name] ??= []).push(place);
  for (const element of root.querySelectorAll("*")) {
    if (rowOf(element)) continue; // of a program that ran before
    for (const [target, name] of bindings(element)) {
      const kind = kindFor(element, target, 0);
      if (kind) {
        const model = modelOf(element) ?? new Model(element, kind, name);
        model.hear = hearModel;
        models.push(model);
        if (!isRestored && kind.isDefault?.(element) === false) use(model);
        add(name, (text) => model.receive(text, isUsed(name)));
        continue;
      }
      if (target === "data-rows") {
        element.showRows = rowsOf(element, name, hearModel);
        add(name, (text) => element.showRows(JSON.parse(text)));
        continue;
      }
      add(name, (text) => show(element, target, text));
    }
  }

  const hearTarget = ({ target }) => {
    const model = modelOf(target);
    if (model) hearModel(model);
  };

  // Lets the browser ask before the page is left.
  const ask = (event) => event.preventDefault();

  const set = (name, text) => {
    known.add(name);
    if (name === "unsaved") {
      // Firefox keeps no page with such a listener for the way back.
      const change = text ? "addEventListener" : "removeEventListener";
      window[change]("beforeunload", ask);
    }
    if (name === "mistake") console.error(text, action.element ?? "");
    if (/^sharing-/.test(name)) console.error("The page needs files.js.");
    if (name === "refused-field") action.field = text;
    if (name === "refused") {
      // The reason stays until a person's next action, whatever this one has caused.
      if (!text && waiting.length) return;
      action.refused = text;
      if (text) action.model?.refused();
      const { element, field } = action, form = element?.closest("form");
      action.field = "";
      if (form && field && refuseField(form, field, text)) return;
    }
    for (const place of places[name] ?? []) {
      try {
        place(text);
      } catch (error) {
        console.error(error);
      }
    }
  };

  // Sends an event, and then those that its action has caused.
  const inOrder = (sendOne) => {
    if (waiting.push(sendOne) > 1) return;
    try {
      for (const each of waiting) each();
    } finally {
      waiting.length = 0;
    }
  };

  // Ends a phase with its listeners, and begins another one. Its signal is for its listeners.
  const begin = (change, submit) => {
    phase?.end.abort(); // a program that has failed has not ended its listeners
    phase = { change, submit, end: new AbortController() };
    return phase.end;
  };

  // Until the program runs, and while none does.
  const listenEarly = () => {
    set("unsaved", "");
    const { signal } = begin(noteUse, (form) => submitted.add(form));
    for (const type of ["input", "change", "toggle"]) {
      root.addEventListener(type, hearTarget, { capture: true, signal });
    }
  };
  listenEarly();

  const report = (message, running) => {
    if (!running) listenEarly();
    set("program-error", message);
    set("stopped", running ? "" : "true");
    set("running", running);
  };

  root.addEventListener("submit", (event) => {
    if (!event.target.dataset.submit) return;
    event.preventDefault();
    phase.submit(event.target);
  });

  return {
    set,

    ready(send, leaving) {
      const delayed = []; // functions that send the events of clicks

      // A person's event is not within another one, as that of a field that goes with its row.
      const endRefusal = () => {
        if (waiting.length) return;
        action.model = null;
        set("refused", "");
      };

      const deliver = (element, model, name, text, done) => {
        inOrder(() => {
          action = { element, model };
          send(name, text);
          done?.();
        });
      };

      const sendModel = (model, done = () => model.answered()) => {
        const { control, name, text } = model;
        const row = rowOf(control);
        const sent = row ? row.parentElement.dataset.rows : name;
        if (entered !== control) endRefusal();
        model.sent();
        deliver(control, model, sent, row ? `${row.key} ${name}=${text}` : text, done);
      };

      // Returns whether the event begins the editing of a field in a row, or is of such a field.
      const hearEditing = (event, name) => {
        const { target, repeat, shiftKey } = event;
        const row = rowOf(target);
        const model = modelOf(target);
        const isField = target.dataset?.edit;
        // A held Enter submits no form around the list.
        if (isField && repeat && name === "enter" && !shiftKey) event.preventDefault();
        if (!row || repeat) return isField;
        const asked = askedModel(event, row);
        if (asked && (asked.begun === undefined || asked !== model)) {
          event.preventDefault();
          beginEdit(row, asked);
          return true;
        }
        if (model?.begun === undefined) return isField;
        if (!/enter|escape|focusout/.test(name) || shiftKey && name === "enter") return true;
        const isDone = name !== "focusout";
        if (isDone) event.preventDefault();
        endRefusal();
        const isGivenUp = name === "escape" || model.text === model.begun;
        if (isGivenUp) endEdit(row, model, isDone);
        else sendModel(model, () => model.state === "refused" || endEdit(row, model, isDone));
        return true;
      };

      const sendEvent = (event, element, name) => {
        const field = document.getElementById(element.dataset.field) ?? element;
        const text = textOf(event, field);
        // Enter is one action, though browsers send a "change" after it.
        if (name !== "change" || entered !== element) endRefusal();
        if (name === "enter") entered = element;
        const words = keysOf(element);
        if (text !== undefined) {
          words.push(text);
          modelOf(field)?.sent();
        }
        deliver(element, null, element.dataset[name], words.length ? words.join(" ") : undefined);
        // The browser has changed the box that was clicked.
        if ("isOn" in element) element.checked = element.isOn;
      };

      const sendDelayed = () => {
        while (delayed.length) delayed.shift()();
      };

      const change = (model, event) => {
        const isEnd = !/input|compositionend/.test(`${event?.type}`);
        if (model.edited(isEnd)) sendModel(model);
      };

      const hear = (event) => {
        sendDelayed();
        const { type, keyCode, isComposing, repeat, shiftKey, target } = event;
        const model = modelOf(target);
        const name = nameOf(event);
        if (type === "keydown") entered = null;
        // In another window, the field of this one keeps its place.
        const stays = type === "focusout" && target === document.activeElement;
        // In Safari the key that ends a composition follows it, and only its code, 229, says so.
        const isHalf = isComposing || keyCode === 229;
        if (!isHalf && !stays && hearEditing(event, name)) return;
        if (model && !stays && !target.dataset.edit) {
          const isLeft = type === "focusout" && model.state !== "edited";
          if (isLeft || name === "escape" && model.isLazy) model.left();
          else if (name === "input" && isComposing) model.state = "edited";
          else if (/input|change|focusout/.test(name)) change(model, event);
        }
        const element = name && target.closest?.(`[data-${name}]`);
        if (!element || isHalf || stays || isRepeatedByLabel(event, element)) return;
        if (name === "enter" && target.matches("textarea")) {
          if (shiftKey) return; // a line break
          event.preventDefault();
        }
        if (repeat) return;
        if (type !== "click" || !target.closest(late)) return sendEvent(event, element, name);
        delayed.push(() => sendEvent(event, element, name));
        setTimeout(sendDelayed);
      };

      const submit = (form) => {
        endRefusal();
        // The action has the texts, so the form is emptied. Stored values stay.
        deliver(form, null, `${form.dataset.submit}?`, fieldsOf(form, keysOf(form)), () => {
          // A button may have the name "reset".
          if (!action.refused) HTMLFormElement.prototype.reset.call(form);
        });
      };

      // Sends the entries from before the start. Until all are sent, the program's values are not
      // shown in controls of these names.
      const sendUsed = () => {
        for (const model of used) {
          used.delete(model);
          const waits = model.isLazy && isEntered(model.control);
          if (!waits) sendModel(model);
        }
        for (const model of models) model.showAgain();
        for (const form of submitted) {
          submitted.delete(form);
          submit(form);
        }
      };

      // The form is reset after its event.
      const hearReset = (event) => {
        const isOwn = waiting.length; // after its action
        setTimeout(() => {
          if (event.defaultPrevented || signal.aborted) return;
          for (const control of event.target.elements) {
            const model = modelOf(control);
            if (!model) continue;
            model.sent();
            // No number is an empty text.
            const isKept = isOwn || control.type === "number" && !control.value;
            if (control.dataset.edit) model.showValue();
            else if (isKept) model.left();
            else if (model.text !== model.value) use(model);
          }
          sendUsed();
        });
      };

      // A name without a value by then may be misspelt.
      const sayUnset = () => {
        const unset = Object.keys(places).filter((name) => !known.has(name));
        if (unset[0]) console.info(`The program has set no value for ${unset}.`);
      };

      const { signal } = begin(change, submit);
      for (const type of listened) root.addEventListener(type, hear, { signal });
      root.addEventListener("toggle", hearTarget, { capture: true, signal });
      root.addEventListener("reset", hearReset, { signal });
      window.addEventListener("pagehide", sendDelayed, { capture: true, signal });
      leaving?.addEventListener("abort", () => report("", ""), { signal });
      report("", "true");
      setTimeout(sayUnset, 1000);
      // The first turn of the program ends before.
      Promise.resolve().then(() => {
        if (!signal.aborted) sendUsed();
      });
    },

    fail(message) {
      report(`${message} Stored values are safe. Reload the page.`, "");
    },
  };
};
