// @ts-check
// Programs that another loader runs.

import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-types="../../JavaScript/sharing.d.ts"
import { abiVersion, connect } from "../../JavaScript/sharing.js";
import { assemble, op } from "./assemble.js";
import { decode, FakeWindow, put } from "./fakes.js";

const inbox = 1024;

/** Lets promises be fulfilled. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Connects a program in JavaScript, whose exports record their calls, and attaches it.
 * @param {{
 *   exports?: any,
 *   options?: any,
 *   attaching?: any,
 *   window?: FakeWindow,
 *   modules?: any,
 * }} given
 */
async function attached(
  { exports = {}, options = {}, attaching, window = new FakeWindow(), modules } = {},
) {
  const memory = new WebAssembly.Memory({ initial: 2 });
  /** @type {string[]} */
  const failures = [];
  /** @type {unknown[][]} */
  const calls = [];
  const text = (/** @type {number} */ count) =>
    count < 0 ? null : decode(new Uint8Array(memory.buffer, inbox, count));
  const instance = {
    exports: {
      memory,
      _initialize: () => calls.push(["initialize"]),
      _start: () => calls.push(["start"]),
      sharing_abi_version: () => abiVersion,
      sharing_inbox: () => inbox,
      sharing_turn_begin() {},
      sharing_turn_end() {},
      sharing_storage_changed: (/** @type {number} */ area, /** @type {number} */ count) =>
        calls.push(["changed", area, text(count)]),
      sharing_page_shown: (/** @type {number} */ persisted) => calls.push(["shown", persisted]),
      sharing_page_hidden: () => calls.push(["hidden"]),
      sharing_timer_fired: (/** @type {number} */ number) => calls.push(["timer", number]),
      sharing_engine_event: (/** @type {number} */ count) =>
        calls.push(["engine", ...JSON.parse(text(count) ?? "")]),
      main: () => calls.push(["main"]),
      ...exports,
    },
  };
  const fail = (/** @type {string} */ message) => failures.push(message);
  /** @type {any} */
  const connectWith = connect;
  const connection = await connectWith(window, { fail, ...options }, modules);
  const { sharing } = connection.imports;
  const attach = () => connection.attach(instance, attaching);
  return { attach, calls, connection, failures, instance, memory, sharing, window };
}

test("the loader's calls are turns, and events of the page reach the program", async () => {
  const { attach, calls, connection, failures, window } = await attached();
  assert.equal(connection.program, undefined);
  const instance = attach(), { exports } = instance;
  assert.ok(connection.program);
  connection.wasi.setInstance(instance);
  connection.wasi.initialize(instance);
  assert.equal(exports.main(), 2);
  window.tell("pageshow", { persisted: true });
  window.tell("pagehide");
  assert.deepEqual(calls, [["initialize"], ["main"], ["shown", 1], ["hidden"], ["hidden"]]);
  assert.deepEqual(failures, []);
  assert.equal("_start" in exports, false);
  assert.ok(exports.memory instanceof WebAssembly.Memory);
});

test("another program of the page follows one that a loader runs", async () => {
  const window = new FakeWindow();
  const one = await attached({ window }), other = await attached({ window });
  one.attach();
  other.attach();
  const item = one.sharing.storage_item(0, ...put(one.memory, ["count"]));
  other.sharing.storage_item(0, ...put(other.memory, ["count"]));
  one.sharing.storage_set(item, ...put(one.memory, ["5"]));
  await settled();
  assert.deepEqual(other.calls, [["changed", 0, "count"]]);
  one.connection.program.stop();
  other.connection.program.stop();
});

test("a call joins the turn under way, and events wait for its end", async () => {
  /** @type {string[]} */
  const order = [];
  const { attach, window } = await attached({
    exports: {
      sharing_page_shown: () => order.push("shown"),
      outer() {
        order.push("outer");
        window.tell("pageshow", { persisted: true });
        order.push(`inner ${exports.inner()}`);
      },
      inner: () => 7,
    },
  });
  const { exports } = attach();
  exports.outer();
  assert.deepEqual(order, ["outer", "inner 7", "shown"]);
});

test("the program's turn ends with the outermost call, and a signal ends it", async () => {
  class Yield {}
  /** @type {string[]} */
  const order = [];
  const { attach, connection, window } = await attached({
    attaching: { signals: [Yield] },
    exports: {
      sharing_turn_begin: () => order.push("begin"),
      sharing_turn_end: () => order.push("end"),
      sharing_page_shown: () => order.push("shown"),
      outer() {
        exports.inner();
        window.tell("pageshow", { persisted: true });
      },
      inner: () => order.push("inner"),
      leave() {
        throw new Yield();
      },
    },
  });
  const { exports } = attach();
  exports.outer();
  assert.deepEqual(order.splice(0), [
    "begin",
    "begin",
    "inner",
    "end",
    "end",
    "begin",
    "shown",
    "end",
  ]);
  assert.throws(() => exports.leave(), Yield);
  assert.deepEqual(order.splice(0), ["begin", "end"]);
  connection.program.call("inner", null);
  assert.equal(order.filter((name) => name === "inner").length, 1);
  assert.equal(order.at(-1), "end");
});

test("the program's turn does not end if a call throws, also if the loader catches that", async () => {
  /** @type {string[]} */
  const order = [];
  const { attach, failures, window } = await attached({
    exports: {
      sharing_turn_begin: () => order.push("begin"),
      sharing_turn_end: () => order.push("end"),
      outer: () => assert.throws(() => exports.inner(), /no/),
      inner() {
        throw new Error("no");
      },
    },
  });
  const { exports } = attach();
  exports.outer();
  assert.deepEqual(order, ["begin", "begin"]);
  assert.deepEqual(failures, ["The program has stopped."]);
  assert.deepEqual(window.told, ["The program has stopped. no"]);
});

test("what is thrown at the end of the program's turn stops it, and the loader gets it", async () => {
  const mistake = new Error("the setter says no");
  const { attach, failures, window } = await attached({
    exports: {
      sharing_turn_end() {
        throw mistake;
      },
    },
  });
  const { exports } = attach();
  assert.throws(() => exports.main(), mistake);
  assert.deepEqual(failures, ["The program has stopped."]);
  assert.deepEqual(window.told, ["The program has stopped. the setter says no"]);
});

test("a call that throws stops the program, and the loader gets the exception", async () => {
  const mistake = new Error("the setter says no");
  const { attach, calls, failures, window } = await attached({
    exports: {
      clicked() {
        window.tell("pageshow", { persisted: true });
        throw mistake;
      },
    },
  });
  const { exports } = attach();
  assert.throws(() => exports.clicked(), mistake);
  assert.throws(() => exports.main(), mistake);
  window.tell("pagehide");
  assert.deepEqual(calls, []);
  assert.deepEqual(failures, ["The program has stopped."]);
  assert.deepEqual(window.told, ["The program has stopped. the setter says no"]);
});

test("a joined call that throws stops the program, also if a loader catches the exception", async () => {
  for (const isCaught of [true, false]) {
    const { attach, failures, window } = await attached({
      exports: {
        outer() {
          try {
            exports.inner();
          } catch (error) {
            if (!isCaught) throw error; // an element does not, for its listeners
          }
        },
        inner() {
          throw new Error("no");
        },
      },
    });
    const { exports } = attach();
    if (isCaught) exports.outer();
    else assert.throws(() => exports.outer(), /no/);
    assert.throws(() => exports.main(), /no/);
    assert.deepEqual(failures, ["The program has stopped."]);
    assert.deepEqual(window.told, ["The program has stopped. no"]);
  }
});

test("an event that throws after a loader's call is not the loader's", async () => {
  const { attach, failures, window } = await attached({
    exports: {
      clicked() {
        window.tell("pageshow", { persisted: true });
        return 3;
      },
      sharing_page_shown() {
        throw new Error("no");
      },
    },
  });
  const { exports } = attach();
  assert.equal(exports.clicked(), 3);
  assert.deepEqual(failures, ["The program has stopped."]);
  assert.deepEqual(window.told, ["The program has stopped. no"]);
});

test("an exception that the loader uses as a signal gets through, and the turn ends", async () => {
  class Yield {}
  const { attach, calls, failures, window } = await attached({
    attaching: { signals: [Yield] },
    exports: {
      main() {
        window.tell("pageshow", { persisted: true });
        throw new Yield();
      },
    },
  });
  const { exports } = attach();
  assert.throws(() => exports.main(), Yield);
  assert.deepEqual(calls, [["shown", 1]]);
  exports._initialize();
  assert.deepEqual(failures, []);
});

test("a program that traps in its own main is reported, with its last words in the console", async () => {
  const { attach, connection, failures, memory, window } = await attached({
    exports: {
      main() {
        new Uint32Array(memory.buffer, 4, 2).set([4096, 6]);
        put(memory, ["fatal\n"]);
        connection.wasi.wasiImport.fd_write(2, 4, 1, 1000);
        throw new WebAssembly.RuntimeError("unreachable");
      },
    },
  });
  const { exports } = attach();
  assert.throws(() => exports.main(), /unreachable/);
  assert.deepEqual(failures, ["The program has stopped."]);
  assert.deepEqual(window.told, ["fatal", "The program has stopped. unreachable"]);
});

test("a stopped program writes, and refuses calls", async () => {
  const { attach, calls, connection, failures } = await attached();
  const { exports } = attach();
  connection.program.stop();
  assert.deepEqual(calls, [["hidden"]]);
  assert.throws(() => exports.main(), /^Error: The program was stopped\.$/);
  assert.deepEqual(failures, []);
});

test("a call before attach is told once, with what to do", async () => {
  const { attach, connection, failures, sharing, window } = await attached();
  assert.equal(sharing.storage_item(0, 0, 1), -4);
  sharing.host_version();
  connection.wasi.wasiImport.environ_get();
  assert.deepEqual(failures, ["The program cannot start."]);
  assert.deepEqual(window.told, [
    "The program cannot start. It calls storage_item before attach: pass the instance to attach " +
    "of connect, and call its exports after that.",
  ]);
  attach();
});

test("an export that is called without its turn is told once", async () => {
  const { attach, sharing, window } = await attached();
  attach();
  sharing.host_version();
  sharing.host_version();
  assert.deepEqual(window.logged.map(([level]) => level), ["warn"]);
  assert.match(String(window.logged[0][1]), /Give the loader the result of attach\.$/);
});

test("a second instance is refused, and the first one goes on", async () => {
  const { attach, calls, failures } = await attached();
  const { exports } = attach();
  assert.throws(attach, /attach has an instance: call connect once for each program/);
  exports.main();
  assert.deepEqual(calls, [["main"]]);
  assert.deepEqual(failures, []);
});

test("another ABI version, or no instance, is refused", async () => {
  const old = await attached({ exports: { sharing_abi_version: () => 7 } });
  assert.throws(old.attach, /ABI version is 7/);
  const message = `its ABI version is 7, not ${abiVersion}: reload, or rebuild`;
  assert.deepEqual(old.failures, ["The program cannot start."]);
  assert.deepEqual(old.window.told, [`The program cannot start. ${message}`]);
  for (const instance of [undefined, {}, { exports: {} }]) {
    const { connection, window } = await attached();
    assert.throws(() => connection.attach(instance), /attach needs an instance/);
    assert.match(window.told[0], /^The program cannot start\. attach needs an instance/);
  }
});

test("a name that is none is refused", async () => {
  await assert.rejects(() => attached({ options: { name: "a b" } }), /a name has 1 to 64 letters/);
  const window = new FakeWindow();
  await assert.rejects(() => connect(/** @type {any} */ (window), { name: "" }));
  assert.match(window.told[0], /^The program cannot start\. options.name/);
});

test("imports under another name are explained, in the words of each browser", async () => {
  const bytes = assemble({ imports: [["sharing", "host_version", 0, 1]] });
  const { connection, failures, window, attach } = await attached();
  const error = await WebAssembly.instantiate(bytes, { shared: connection.imports.sharing })
    .then(() => assert.fail(), (error) => error);
  window.tell("unhandledrejection", { reason: error });
  window.tell("error", { error: new TypeError("import object field 'sharing' is not an Object") });
  window.tell("error", { error: new Error("something else") });
  const message = 'The program cannot start. Its loader gives it no module "sharing": pass the ' +
    "imports of connect on under their name, as in { ...others, ...imports }. ";
  assert.deepEqual(failures, Array(2).fill("The program cannot start."));
  assert.ok(window.told.every((text) => text.startsWith(message)));
  attach();
  window.tell("unhandledrejection", { reason: error });
  assert.equal(failures.length, 2);
});

test("a program that is not at its address is explained, in the words of each browser", async () => {
  const { failures, window } = await attached();
  for (
    const message of [
      "Failed to execute 'instantiateStreaming' on 'WebAssembly': HTTP status code is not ok",
      "WebAssembly: Response does not have ok status",
      "Response has not returned OK status",
      "Response has unsupported MIME type 'text/html' expected 'application/wasm'",
      "Unexpected response MIME type. Expected 'application/wasm'",
      "WebAssembly.instantiate(): expected magic word 00 61 73 6d, found 4e 6f 74 20 @+0",
      "wasm validation error: at offset 4: failed to match magic number",
      "WebAssembly.Module doesn't parse at byte 0: module doesn't start with '\\0asm'",
    ]
  ) {
    window.tell("unhandledrejection", { reason: new TypeError(message) });
    assert.equal(failures.pop(), "The program cannot start.");
    assert.equal(
      window.told.pop(),
      "The program cannot start. No program could be loaded: build it, and check its address in " +
        `the page. ${message}`,
    );
  }
  window.tell("unhandledrejection", { reason: new TypeError("the status of the magician") });
  assert.deepEqual(failures, []);
});

test("a Content Security Policy that forbids WebAssembly is explained", async () => {
  const { failures, window } = await attached();
  for (
    const message of [
      "WebAssembly.compileStreaming(): Refused to compile or instantiate WebAssembly module " +
      "because 'unsafe-eval' is not an allowed source of script in the following Content " +
      'Security Policy directive: "script-src self"',
      "call to WebAssembly.compileStreaming() blocked by CSP",
      "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not " +
      "an allowed source of script",
    ]
  ) {
    window.tell("unhandledrejection", { reason: new WebAssembly.CompileError(message) });
    assert.equal(failures.pop(), "The program cannot start.");
    assert.match(
      window.told.pop() ?? "",
      /Add 'wasm-unsafe-eval' to script-src of its Content-Security-Policy\. /,
    );
  }
});

test("programs of two copies of sharing.js in one page follow each other", async () => {
  const address = new URL("../../JavaScript/sharing.js?copy", import.meta.url).href;
  const copy = await import(address);
  const window = new FakeWindow();
  const one = await attached({ window }), other = await attached({ window });
  one.attach();
  const connection = await copy.connect(window);
  connection.attach(other.instance);
  const item = one.sharing.storage_item(0, ...put(one.memory, ["count"]));
  connection.imports.sharing.storage_item(0, ...put(other.memory, ["count"]));
  one.sharing.storage_set(item, ...put(one.memory, ["5"]));
  await settled();
  assert.deepEqual(other.calls, [["changed", 0, "count"]]);
  one.connection.program.stop();
  connection.program.stop();
});

test("the modules of engines are loaded when the program uses one", async () => {
  /** @type {string[]} */
  const loaded = [];
  const own = {
    load: () => Promise.resolve({ stored: [], applied: 7 }),
    watch() {},
  };
  const modules = {
    connect: () => import("../../JavaScript/connect.js"),
    engines() {
      loaded.push("engines");
      return import("../../JavaScript/engines.js");
    },
    indexeddb() {
      loaded.push("indexeddb");
      return Promise.resolve({ indexedDB: () => own });
    },
  };
  const program = await attached({ modules, options: { engines: { mine: own } } });
  const { attach, calls, memory, sharing } = program;
  attach();
  const send = (/** @type {unknown[]} */ ...message) =>
    sharing.engine_send(...put(memory, [JSON.stringify(message)]));
  assert.equal(sharing.engine_find(...put(memory, ["other"])), 0);
  assert.equal(sharing.engine_find(...put(memory, ["indexedDB"])), 0);
  assert.equal(send("load", "other", "1", "me", "a"), 0);
  assert.equal(send("load", "mine", "2", "me", "a"), 1);
  assert.equal(sharing.engine_indexeddb(...put(memory, [""])), 1);
  assert.equal(sharing.engine_indexeddb(...put(memory, [""])), 1);
  assert.equal(sharing.engine_find(...put(memory, ["indexedDB"])), 1);
  assert.equal(send("load", "indexedDB", "3", "me", "a"), 1);
  await settled();
  await settled();
  assert.equal(send("load", "mine", "4", "me", "a"), 1);
  assert.equal(send("load", "other", "5", "me", "a"), 0);
  await settled();
  assert.deepEqual([...new Set(loaded)], ["engines", "indexeddb"]);
  assert.deepEqual(calls, ["2", "3", "4"].map((id) => ["engine", "loaded", id, "7"]));
});

test("a module of engines that cannot be loaded later is named on the page, each time", async () => {
  /** @type {string[]} */
  const failures = [];
  const modules = {
    connect: () => import("../../JavaScript/connect.js"),
    engines: () => Promise.reject(new TypeError("Failed to fetch")),
  };
  const options = {
    engines: { mine: {} },
    fail: (/** @type {string} */ text) => failures.push(text),
  };
  const program = await attached({ modules, options });
  program.attach();
  const message = JSON.stringify(["load", "mine", "1", "me", "a"]);
  for (const count of [1, 2]) {
    assert.equal(program.sharing.engine_send(...put(program.memory, [message])), 1);
    await settled();
    await settled();
    assert.deepEqual(failures, Array(count).fill("The program cannot reach its engines."));
    assert.match(
      program.window.told[count - 1],
      /^The program cannot reach its engines\. .*engines\.js could not be loaded: put it beside/,
    );
  }
});

test("a missing connect.js is told", async () => {
  const error = new TypeError("Failed to fetch dynamically imported module: connect.js");
  const window = new FakeWindow();
  const modules = { connect: () => Promise.reject(error) };
  await assert.rejects(() => attached({ window, modules }), error);
  assert.deepEqual(window.logged, [["error", "The program cannot start.", "", error]]);
});

test("an engine that throws is in the console, and the program goes on", async () => {
  const mistake = new Error("no such engine");
  const load = () => {
    throw mistake;
  };
  const { attach, failures, memory, sharing, window } = await attached({
    options: { engines: { mine: { load } } },
  });
  attach();
  const message = JSON.stringify(["load", "mine", "1", "me", "a"]);
  assert.equal(sharing.engine_send(...put(memory, [message])), 1);
  const isLogged = () => window.logged.some(([, error]) => error === mistake);
  for (let looks = 0; looks < 100 && !isLogged(); looks++) await settled();
  assert.ok(isLogged());
  assert.deepEqual(failures, []);
});

test("a trap of a module of its own is a trap of the program", async () => {
  const bytes = assemble({
    imports: [["sharing", "host_version", 0, 1]],
    functions: {
      sharing_abi_version: { results: 1, code: [op.const(abiVersion)] },
      sharing_turn_begin: { code: [] },
      sharing_turn_end: { code: [] },
      main: { results: 1, code: [op.call(0)] },
      trap: { code: [op.unreachable] },
    },
  });
  const { connection, failures } = await attached();
  const { instance } = await WebAssembly.instantiate(bytes, connection.imports);
  const { exports } = connection.attach(instance);
  assert.equal(exports.main(), abiVersion);
  assert.throws(() => exports.trap(), WebAssembly.RuntimeError);
  assert.deepEqual(failures, ["The program has stopped."]);
});
