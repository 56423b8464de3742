// @ts-check
// In place of elementary-ui's runtime, over that in place of JavaScriptKit's.

import { SwiftRuntime } from "./runtime.js";

/** A WASI of its own, which has no function that the program needs. */
const wasi = new Proxy({}, { get: () => () => 52 });

export const runApplication = async (
  /** @type {(imports: WebAssembly.Imports) => Promise<any>} */ instantiate,
) => {
  const swift = new SwiftRuntime();
  const imports = { javascript_kit: swift.wasmImports, wasi_snapshot_preview1: wasi };
  const instance = await instantiate(/** @type {any} */ (imports));
  swift.setInstance(instance);
  instance.exports._initialize();
  swift.main();
};
