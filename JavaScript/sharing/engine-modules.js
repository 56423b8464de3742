// @ts-check
// The modules of engines, which only some programs need.

/** @typedef {import("../sharing.d.ts").Engine} Engine */

/**
 * The engines of a program by their names, and the exports of the modules.
 * @typedef {{ engines: Record<string, Engine>, calls: any, indexedDB: any }} Loaded
 */

/**
 * Loads the modules of engines that a program imports, in one round trip.
 * @param {any} modules functions that load a module, by their names
 * @param {string} home the address of sharing.js, which the modules are beside
 * @param {(name: string) => boolean} wants returns whether the program imports a function
 * @param {Record<string, Engine> | undefined} given the engines of the page
 * @returns {Promise<Loaded | null>} null for a program without engines
 */
export async function loadEngines(modules, home, wants, given) {
  if (!wants("engine_find") && !wants("engine_send")) return null;
  const load = (name) =>
    modules[name]().catch((error) => {
      const file = new URL(`${name}.js`, home);
      throw Error(
        `${file} could not be loaded: put it beside sharing.js`,
        {
          cause: error,
        },
      );
    });
  const [{ engineCalls }, database] = await Promise.all([
    load("engines"),
    wants("engine_indexeddb") && !given?.indexedDB && load("indexeddb"),
  ]);
  // No engine has a name that every object has.
  const engines = /** @type {any} */ ({ __proto__: null, ...given });
  return { engines, calls: engineCalls, indexedDB: database?.indexedDB };
}
