// Runs a wasm program as a command, with Node: node.mjs FOLDER PROGRAM ARGUMENT…
// Imports that a page would provide return 0, which means "no such host".

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [folder, path, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: [path, ...rest],
  preopens: { "/state": folder },
});
const sharing = new Proxy({}, { get: () => () => 0 });
const program = await WebAssembly.instantiate(await readFile(path), {
  ...wasi.getImportObject(),
  sharing,
});
// The program is a page's, too, and Node refuses to start one that has `_initialize`.
const { memory, _start } = program.instance.exports;
process.exitCode = wasi.start({ exports: { memory, _start } });
