// @ts-check
// The header, the shim and the built program agree.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { abiVersion } from "../../web/sharing.js";
import { launch } from "./fakes.js";

const file = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);
const header = readFileSync(file("Sources/CHost/include/CHost.h"), "utf8");

/** What the shim supplies under "sharing". */
const supplied = async () => Object.keys((await launch()).imports.sharing).sort();

/** The built program. */
function program() {
  try {
    return new WebAssembly.Module(readFileSync(file("web/demo.wasm")));
  } catch (error) {
    throw new Error("web/demo.wasm cannot be read: run ./build.sh first", { cause: error });
  }
}

test("the header's version is the shim's", () => {
  assert.equal(Number(header.match(/#define SHARING_ABI_VERSION (\d+)/)?.[1]), abiVersion);
});

test("the header's imports are what the shim supplies", async () => {
  const declared = [...header.matchAll(/^SHARING_IMPORT\((\w+)\)/gm)].map(([, name]) => name);
  assert.deepEqual(declared.sort(), await supplied());
});

test("the program imports from the shim only what it supplies, and else only WASI", async () => {
  const names = await supplied();
  for (const { module, name, kind } of WebAssembly.Module.imports(program())) {
    assert.equal(kind, "function", name);
    if (module === "sharing") assert.ok(names.includes(name), `${name} is not supplied`);
    else assert.equal(module, "wasi_snapshot_preview1", name);
  }
});

test("the program exports what the shim calls", () => {
  const called = readFileSync(file("web/sharing.js"), "utf8").matchAll(/exports\.(\w+)/g);
  const exported = WebAssembly.Module.exports(program()).map(({ name }) => name);
  for (const [, name] of called) assert.ok(exported.includes(name), `${name} is not exported`);
});
