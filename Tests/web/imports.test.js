// @ts-check
// A page's own import modules.

import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-types="../../JavaScript/sharing.d.ts"
import { abiVersion, start } from "../../JavaScript/sharing.js";
import { assemble, op } from "./assemble.js";
import { FakePage, FakeWindow, launch, put, response } from "./fakes.js";

const failed = -4;
const buffer = 70_000;

/** A program that imports mine.beep and shows nothing. */
const beeping = assemble({
  imports: [["mine", "beep", 1, 1]],
  functions: {
    sharing_abi_version: { results: 1, code: [op.const(abiVersion)] },
    sharing_start: { code: [] },
    beep: { parameters: 1, results: 1, code: [op.get(0), op.call(0)] },
  },
});

/** Returns the exports of the program above, with these functions as its imports. */
async function beeper(/** @type {any} */ own) {
  const launched = await launch({ bytes: beeping, own });
  return { ...launched, exports: /** @type {any} */ (launched.started?.exports) };
}

test("a program calls functions of the page's own, whose answer is a number", async () => {
  /** @type {number[]} */
  const heard = [];
  const { exports, page } = await beeper({
    mine: { beep: (/** @type {number} */ tone) => heard.push(tone) + 40 },
  });
  assert.deepEqual(page.failures, []);
  assert.deepEqual([exports.beep(440), exports.beep(-1)], [41, 42]);
  assert.deepEqual(heard, [440, -1]);
  for (const [answer, number] of [[undefined, 0], [null, 0], [true, 1], ["7", 7], [2.9, 2]]) {
    const { exports } = await beeper({ mine: { beep: () => answer } });
    assert.equal(exports.beep(1), number);
  }
});

test("a module may be any object with methods", async () => {
  class Horn {
    tones = 0;
    beep() {
      return ++this.tones;
    }
  }
  const frozen = Object.freeze({ beep: () => 1 });
  const namespace = await import("data:text/javascript,export const beep = () => 1");
  for (const mine of [new Horn(), frozen, namespace]) {
    const { exports, page } = await beeper({ mine });
    assert.deepEqual(page.failures, []);
    assert.equal(exports.beep(1), 1);
  }
});

test("what a function of the page's own throws is in the console, and the program goes on", async () => {
  const mistake = new Error("a mistake of the embedder's");
  for (
    const thrown of [mistake, null, "text", {
      get name() {
        throw mistake;
      },
    }]
  ) {
    const { exports, page, window } = await beeper({
      mine: {
        beep() {
          throw thrown;
        },
      },
    });
    assert.equal(exports.beep(1), failed);
    assert.equal(exports.beep(2), failed);
    assert.deepEqual(window.logged, [["error", thrown], ["error", thrown]]);
    assert.deepEqual(page.failures, []);
  }
});

test("an answer that is no number is a mistake like one that is thrown", async () => {
  for (const answer of [Symbol(), 2n, { valueOf: () => assert.fail() }]) {
    const { exports, window } = await beeper({ mine: { beep: () => answer } });
    assert.equal(exports.beep(1), failed);
    assert.equal(window.logged.length, 1);
  }
});

test("no exception gets past an import of the page's own when the console throws, too", async () => {
  const window = new FakeWindow();
  const throwing = () => {
    throw new Error("not even this");
  };
  window.console.error = throwing;
  const { started } = await launch({ window, bytes: beeping, own: { mine: { beep: throwing } } });
  assert.equal(/** @type {any} */ (started?.exports).beep(1), failed);
});

test("texts cross in both directions, in memory that has grown, too", async () => {
  /** @type {any} */
  let given;
  const { imports, memory } = await launch({
    own: (/** @type {any} */ texts) => {
      given = texts;
      return {
        mine: {
          greet(
            /** @type {number} */ name,
            /** @type {number} */ count,
            /** @type {number} */ answer,
            /** @type {number} */ capacity,
          ) {
            const text = texts.text(name, count);
            memory.grow(1);
            return texts.give(text && `Hello, ${text}!`, answer, capacity);
          },
        },
      };
    },
  });
  const { mine: { greet } } = imports;
  const [pointer, count] = put(memory, ["Zoë 🔑"]);
  const wanted = "Hello, Zoë 🔑!";
  const needed = greet(pointer, count, buffer, 5);
  assert.ok(needed > 5, "no room");
  assert.equal(greet(pointer, count, buffer, 100), 17);
  assert.equal(given.text(buffer, 17), wanted);
  assert.deepEqual([...given.bytes(buffer, 2)], [0x48, 0x65]);
  assert.equal(greet(0, -1, buffer, 100), -1, "no text");
  assert.equal(greet(1 << 30, 1, buffer, 100), failed);
});

test("bytes that are no text are a mistake that is told", async () => {
  const { imports, memory, window } = await launch({
    own: (/** @type {any} */ { text }) => ({ mine: { say: text } }),
  });
  const pointer = put(memory, [Uint8Array.of(0x61, 0xff)]);
  assert.equal(imports.mine.say(...pointer), failed);
  assert.ok(window.logged[0][1] instanceof TypeError);
});

test("an import that is missing, or no function, keeps the program from starting", async () => {
  for (
    const own of [undefined, {}, { mine: {} }, { mine: 3 }, { mine: null }, { mine: { beep: 3 } }]
  ) {
    const { page, started, window } = await beeper(own);
    assert.equal(started, undefined);
    assert.deepEqual(page.failures, ["The program cannot start."]);
    assert.match(window.told[0], /^The program cannot start\. .*(mine|beep)/);
  }
});

test("imports that are no object keep the program from starting", async () => {
  for (const own of [7, "mine", true, Symbol(), () => null, () => undefined, () => 7]) {
    const { page, started, window } = await launch({ own });
    assert.equal(started, undefined);
    assert.deepEqual(page.failures, ["The program cannot start."]);
    assert.deepEqual(window.told, ["The program cannot start. imports is not an object"]);
  }
});

test("what the function of the imports throws keeps the program from starting", async () => {
  const { page, window } = await launch({
    own: () => {
      throw new Error("no audio");
    },
  });
  assert.deepEqual(page.failures, ["The program cannot start."]);
  assert.deepEqual(window.told, ["The program cannot start. no audio"]);
});

test("no module of the page's own takes the place of one that a program gets anyway", async () => {
  for (const name of ["sharing", "wasi_snapshot_preview1"]) {
    const { calls, page, started, window } = await launch({ own: { mine: {}, [name]: {} } });
    assert.equal(started, undefined);
    assert.deepEqual(calls, []);
    assert.deepEqual(page.failures, ["The program cannot start."]);
    assert.deepEqual(window.told, [`The program cannot start. imports.${name} is taken`]);
  }
});

test("options without imports are none", async () => {
  for (const options of [undefined, {}, { imports: undefined }]) {
    const page = new FakePage();
    const bytes = assemble({
      functions: {
        sharing_abi_version: { results: 1, code: [op.const(abiVersion)] },
        sharing_start: { code: [] },
      },
    });
    await start(response(bytes), /** @type {any} */ (new FakeWindow()), page, options);
    assert.deepEqual(page.failures, []);
  }
});

test("a module may be called like what every object has", async () => {
  const { page } = await launch({ own: { constructor: {}, toString: {} } });
  assert.deepEqual(page.failures, []);
});
