// @ts-check
// Runs a program in a page; sharing.d.ts documents it. A build makes one file of this module and
// those in sharing/.

import { guarded } from "./sharing/boundary.js";
import { loadEngines } from "./sharing/engine-modules.js";
import { hostOf } from "./sharing/host.js";

export { abiVersion } from "./sharing/boundary.js";

// The modules beside this one that only some programs need: files of their own.
const beside = {
  connect: () => import("./connect.js"),
  engines: () => import("./engines.js"),
  indexeddb: () => import("./indexeddb.js"),
};

/**
 * Runs a program as its loader.
 * @param {Promise<Response>} source
 * @param {any} window
 * @param {any} page
 * @param {import("./sharing.d.ts").Options} [options]
 * @param {any} [modules] functions that load the modules beside this one
 */
export const start = async (source, window, page, options, modules = beside) => {
  Promise.resolve(source).catch(() => {}); // it may fail before it is waited for
  const host = hostOf(window, page);
  try {
    for (const name of ["set", "ready", "fail"]) {
      if (!page?.[name]?.call) throw Error(`page.${name} is missing`);
    }
    const calls = host.calls(options);
    const module = await compile(window.WebAssembly, await source);
    const load = engineLoader(options, modules);
    const loaded = await load(importsOf(window.WebAssembly, module));
    if (loaded) Object.assign(calls, host.engines(loaded, host.texts));
    const imports = { sharing: host.sharing(calls), wasi_snapshot_preview1: host.wasi() };
    addOwn(imports, options?.imports ?? {}, host);
    const { exports } = await window.WebAssembly.instantiate(module, imports);
    host.own(exports);
    exports._initialize?.();
    host.checkVersion();
  } catch (error) {
    host.fail(error, "cannot start");
    return;
  }
  return host.run(host.begin);
};

/**
 * Connects a program that another loader runs.
 * @param {any} window
 * @param {import("./sharing.d.ts").ConnectOptions} [options]
 * @param {any} [modules] functions that load the modules beside this one
 */
export const connect = async (window, options, modules = beside) => {
  const host = hostOf(window, { fail: options?.fail });
  const { connection } = await modules.connect().catch((error) => {
    host.fail(error, "cannot start");
    throw error;
  });
  return connection(host, options, window, engineLoader(options, modules));
};

// Returns a function that loads the engines of a program, given a test for its imports.
const engineLoader = (options, modules) => (wants) =>
  loadEngines(modules, import.meta.url, wants, options?.engines);

async function compile(wasm, response) {
  if (!response.ok) throw Error(`${response.status} for ${response.url}`);
  // Browsers keep the compiled code of a streamed program, and stream only this type.
  return response.headers.get("content-type") === "application/wasm"
    ? await wasm.compileStreaming(response)
    : await wasm.compile(await response.arrayBuffer());
}

// Returns whether a program imports a function of "sharing".
function importsOf(wasm, module) {
  const names = wasm.Module.imports(module).map(({ module, name }) => `${module}.${name}`);
  return (name) => names.includes(`sharing.${name}`);
}

// Adds the import modules of the page.
function addOwn(imports, own, { texts, report }) {
  if (typeof own === "function") own = own(texts);
  if (Object(own) !== own) throw Error("imports is not an object");
  for (const name in own) {
    if (Object.hasOwn(imports, name)) throw Error(`imports.${name} is taken`);
    // A program whose imports are missing does not start: nothing stands in for these.
    imports[name] = guarded(own[name], report, null);
  }
}
