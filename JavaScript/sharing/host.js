// @ts-check
// The host of a program: the page's side of the boundary, with any loader.

import { abiVersion, codeOf, guarded } from "./boundary.js";
import { listenToWindow, running, tellOthers } from "./events.js";
import { itemsOf } from "./items.js";
import { explained, messagesOf } from "./messages.js";
import { storagesOf } from "./storages.js";
import { bytesOf, inboxOf, lenient, textsOf } from "./texts.js";
import { turnsOf } from "./turns.js";
import { notSupported, wasiCalls } from "./wasi.js";

/** @typedef {ReturnType<typeof hostOf>} Host */

/**
 * Returns the host of one program.
 * @param {any} window
 * @param {any} page gets the texts and messages of the program
 */
export function hostOf(window, page) {
  const { console } = window;
  /** @type {{ exports: any }} */
  const instance = { exports: undefined }; // until it is instantiated
  const leaving = new AbortController();
  // The part of this program that the inspector and the other programs of the page use.
  const program = { window, changed };
  const messages = messagesOf(window, page, program);
  const { fail, report, tell } = messages;
  const { opened, open } = storagesOf(window);
  const bytes = bytesOf(instance);
  const texts = textsOf(bytes);
  const { text: textAt } = texts;
  const post = inboxOf(instance, bytes);
  const items = itemsOf(open, texts, program, tellOthers(program));

  const turn = turnsOf((error) => {
    running.delete(program);
    fail(error, "has stopped");
  });

  // A stored item has changed; without a key, any of its area. `by` names the writer.
  function changed(area, key, by = "page") {
    program.note?.(program.items[program.numbers[area + key]] ?? {}, { by });
    turn(() => instance.exports.sharing_storage_changed(area, ...post(key)));
  }

  const listen = (type, hear, target = window, capture) =>
    target.addEventListener(type, hear, { capture, signal: leaving.signal });

  const shown = (isKept) => turn(() => instance.exports.sharing_page_shown(+isKept));

  const hidden = () => {
    // Firefox may stop a script of a hidden page that waits for a storage. So the items are read
    // here first: it shall stop this script, and not the program in the middle of a turn.
    items.readAll();
    turn(() => instance.exports.sharing_page_hidden());
  };

  // Notes facts of items for the inspector, which F8 loads.
  const inspect = (load) => {
    program.note = (item, facts) => Object.assign(item, { time: Date.now() }, facts);
    listen("keydown", (event) => {
      if (event.key === "F8") load().then(({ onKey }) => onKey(event, program), report);
    });
  };

  const sendOfEngine = (...message) =>
    turn(() => instance.exports.sharing_engine_event(...post(JSON.stringify(message))));

  return {
    explained,
    fail,
    report,
    texts,
    turn,
    own: (exports) => instance.exports = exports,

    // The functions of the import module "sharing" that any program gets.
    calls(options) {
      const name = appName(options);
      if (options?.inspector) inspect(options.inspector);
      return {
        host_version: () => abiVersion,
        ...items.calls,
        page_set: (part, partCount, text, textCount) =>
          tell("set", textAt(part, partCount, lenient), textAt(text, textCount, lenient)),
        console_write(level, text, textCount) {
          console[["info", "warn", "error"][level]](textAt(text, textCount, lenient));
        },
        timer_set: (id, delay) =>
          window.setTimeout(() => turn(() => instance.exports.sharing_timer_fired(id)), delay),
        time_zone: () => -new Date().getTimezoneOffset(),
        app_name: (buffer, capacity) => texts.give(name, buffer, capacity),
      };
    },

    // The functions that only programs with engines get.
    engines: ({ calls, engines, indexedDB }, texts) =>
      calls(engines, indexedDB, texts, sendOfEngine, program, leaving.signal),

    // The import module "sharing" with these functions.
    sharing: (calls, check) => guarded(calls, codeOf, codeOf, check),

    // The import module of WASI. A function that the page lacks is not supported.
    wasi: (check) => guarded(wasiCalls(bytes, window), notSupported, notSupported, check),

    checkVersion() {
      const version = instance.exports.sharing_abi_version?.() ?? "missing";
      if (version !== abiVersion) {
        throw Error(`its ABI version is ${version}, not ${abiVersion}: reload, or rebuild`);
      }
    },

    // The first turn of a program that `start` has loaded.
    begin() {
      instance.exports.sharing_start();
      const send = (name, text) =>
        turn(() => instance.exports.sharing_page_event(...post(name ?? "", text)));
      tell("ready", send, leaving.signal);
    },

    // Runs the program from a first turn on, or from the first call of its loader.
    run(first) {
      if (first) turn(first);
      if (turn.isOver()) return;
      running.add(program);
      listenToWindow(program, listen, opened, shown, hidden);
      return {
        exports: instance.exports,
        call: (name, text, ...numbers) =>
          turn(() => instance.exports[name](...numbers, ...post(text))),
        changed: (key) => opened.forEach((_, area) => changed(area, key)),
        stop() {
          leaving.abort(); // engines may send something
          hidden();
          turn.stop();
          running.delete(program);
        },
      };
    },
  };
}

// The name of an app, a part of the names of its databases, channels and items in its origin.
function appName(options) {
  const name = options?.name ?? null;
  if (name === null || (typeof name === "string" && /^[\w-]{1,64}$/.test(name))) return name;
  throw Error(`options.name is "${name}": a name has 1 to 64 letters, digits, - or _`);
}
