// @ts-check
// The modules of engines, which only some programs need, and the substitutes for those that cannot
// be loaded.

import { attempt } from "./boundary.js";

/** @typedef {import("../sharing.d.ts").Engine} Engine */

/**
 * The engines of a program by their names, and the exports of the modules. `reason` says why one
 * could not be loaded.
 * @typedef {{ engines: Record<string, Engine>, calls?: any, indexedDB?: any, reason: string }}
 *   Loaded
 */

/**
 * Loads the modules of engines that a program imports, in one round trip.
 * @param {any} modules functions that load a module, by their names
 * @param {string} home the address of sharing.js, which the modules are beside
 * @param {(name: string) => boolean} wants returns whether the program imports a function
 * @param {Record<string, Engine> | undefined} given the engines of the page
 * @param {(message: string, error: any) => void} complain
 * @returns {Promise<Loaded | null>} null for a program without engines
 */
export async function loadEngines(modules, home, wants, given, complain) {
  if (!wants("engine_find") && !wants("engine_send")) return null;
  /** @type {any} no engine has a name that every object has */
  const engines = { __proto__: null, ...given };
  let reason = "";
  const load = (name, part) =>
    modules[name]().then((module) => module[part], (error) => {
      const file = new URL(`${name}.js`, home);
      reason = `${file} could not be loaded (${error?.message}). Put it beside sharing.js, and ` +
        "load the page again.";
      complain(reason, error);
    });
  const [calls, indexedDB] = await Promise.all([
    load("engines", "engineCalls"),
    wants("engine_indexeddb") && !engines.indexedDB ? load("indexeddb", "indexedDB") : null,
  ]);
  return { engines, calls, indexedDB, reason };
}

/**
 * Returns the imports engine_* of a program.
 * @param {Loaded} loaded
 * @param {{ text: (pointer: any, count: number) => any }} texts
 * @param {(...message: any[]) => void} send sends the program a message
 * @param {any} program
 * @param {AbortSignal} leaving is aborted when the program is stopped
 */
export function engineImports(
  { engines, calls, indexedDB, reason },
  texts,
  send,
  program,
  leaving,
) {
  const open = (name) =>
    indexedDB ? indexedDB(program.window, name || undefined) : unavailable(reason);
  return {
    engine_indexeddb(pointer, count) {
      engines.indexedDB ??= attempt(
        () => open(texts.text(pointer, count)),
        (error) => unavailable(error?.message),
      );
      return 1;
    },
    ...(calls ?? unavailableCalls(reason))(engines, texts, send, program, leaving),
  };
}

// An engine that can never be reached: changes stay pending, and the program gets the reason.
function unavailable(message) {
  const fail = () => Promise.reject({ name: "UnavailableError", message });
  return { load: fail, commit: fail, list: fail, watch() {} };
}

// In place of `engineCalls` of engines.js.
const unavailableCalls = (reason) => (engines, { text }, send) => ({
  engine_find: (pointer, count) => +!!engines[text(pointer, count)],

  engine_send(pointer, count) {
    const [verb, , call] = JSON.parse(text(pointer, count));
    // An engine answers once the turn has ended, and so does the rejection.
    unavailable(reason)[verb]?.()?.catch(() => send("failed", call, "unavailable", reason));
    return 1;
  },
});
