// @ts-check
// The header, the shim and the built program agree.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { abiVersion } from "../../JavaScript/sharing.js";
import { demo } from "./demo.js";
import { FakeWindow, launch } from "./fakes.js";

const file = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);
const header = readFileSync(file("Sources/CHost/include/CHost.h"), "utf8");

/** The functions that the shim provides under "sharing". */
const supplied = async () => Object.keys((await launch({ engines: {} })).imports.sharing).sort();

test("the header's version is the shim's", () => {
  assert.equal(Number(header.match(/#define SHARING_ABI_VERSION (\d+)/)?.[1]), abiVersion);
});

test("the header's imports are what the shim supplies, parameter for parameter", async () => {
  const { imports: { sharing } } = await launch({ engines: {} });
  const declared = [...header.matchAll(/^SHARING_IMPORT\((\w+)\)\s*\w+ \w+\(([^)]*)\)/gm)].map(
    ([, name, parameters]) => [name, parameters === "void" ? 0 : parameters.split(",").length],
  );
  const supplied = Object.entries(Object.getOwnPropertyDescriptors(sharing)).map(
    ([name, { value }]) => [name, value.length],
  );
  assert.deepEqual(declared.sort(), supplied.sort());
});

test("the program imports from the shim only what it supplies, and else only WASI", async () => {
  const names = await supplied();
  for (const { module, name, kind } of WebAssembly.Module.imports(new WebAssembly.Module(demo()))) {
    assert.equal(kind, "function", name);
    if (module === "sharing") assert.ok(names.includes(name), `${name} is not supplied`);
    else assert.equal(module, "wasi_snapshot_preview1", name);
  }
});

test("the shim calls every export of the program, with as many arguments as it takes", async () => {
  const window = new FakeWindow();
  const engine = window.WebAssembly;
  /** @type {Map<string, number>} */
  const called = new Map();
  /** @type {Record<string, any>} */
  let exported = {};
  window.WebAssembly = {
    Module: engine.Module,
    compileStreaming: (/** @type {Response} */ source) => engine.compileStreaming(source),
    async instantiate(/** @type {WebAssembly.Module} */ module, /** @type {any} */ imports) {
      exported = (await engine.instantiate(module, imports)).exports;
      const spies = Object.entries(exported).map(([name, item]) => [
        name,
        typeof item !== "function" ? item : (/** @type {any[]} */ ...values) => {
          called.set(name, values.length);
          return item(...values);
        },
      ]);
      return { exports: Object.fromEntries(spies) };
    },
  };
  const bytes = demo();
  const engines = {
    indexedDB: {
      load: () => Promise.resolve({ stored: [], applied: null }),
      commit: () => Promise.resolve({ stored: [], applied: 0 }),
      watch: () => {},
    },
  };
  const { imports, page } = await launch({ window, bytes, engines });
  page.send?.("increment", "1");
  window.tell("storage", { key: "count", storageArea: window.localStorage });
  window.tell("pageshow", { persisted: true });
  window.tell("pagehide");
  imports.sharing.timer_set(1, 10);
  window.timers[0][0]();
  await undefined; // an engine's answer
  await undefined;
  // A loader calls these, and `connect` the ones of a turn: connect.test.js.
  const others = ["_start", "__main_argc_argv", "sharing_turn_begin", "sharing_turn_end"];
  const functions = Object.keys(exported).filter((name) =>
    typeof exported[name] === "function" && !others.includes(name)
  );
  assert.deepEqual([...called.keys()].sort(), functions.sort());
  for (const [name, count] of called) assert.equal(count, exported[name].length, name);
});
