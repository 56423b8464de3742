// @ts-check
// The calls between a program and its engines.

import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, put } from "./fakes.js";

/** Waits until promises are settled. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** Launches a program with one engine. */
async function launchWith(/** @type {any} */ engine, exports = {}) {
  const launched = await launch({ engines: { mine: engine }, exports });
  const { imports: { sharing }, memory } = launched;
  const send = (/** @type {unknown[]} */ ...message) =>
    sharing.engine_send(...put(memory, [JSON.stringify(message)]));
  return { ...launched, send };
}

const heard = (/** @type {any} */ { calls }) =>
  calls.filter((/** @type {any} */ [name]) => name === "engine")
    .map((/** @type {any} */ [, ...message]) => message);

test("an engine is found by its name", async () => {
  const { imports: { sharing }, memory } = await launchWith({});
  assert.equal(sharing.engine_find(...put(memory, ["mine"])), 1);
  for (const name of ["other", "constructor", "__proto__", "toString"]) {
    assert.equal(sharing.engine_find(...put(memory, [name])), 0);
  }
});

test("a program in a page without engines finds none, and nobody takes its messages", async () => {
  const { imports: { sharing } } = await launch();
  assert.ok(!(sharing.engine_find?.(0, 0) > 0));
  assert.ok(!(sharing.engine_send?.(0, 0) > 0));
});

test("a message is taken if there is such an engine, and it can be called", async () => {
  const program = await launchWith({ load: () => Promise.reject(Error("no")) });
  assert.equal(program.send("load", "mine", "1", "me", "a"), 1);
  assert.equal(program.send("load", "other", "2", "me", "a"), 0);
  assert.ok(program.send("lose", "mine", "3") < 0);
  await settled();
  assert.deepEqual(heard(program), [["failed", "1", "failed", "no"]]);
});

test("what is stored is loaded, with the client's last step", async () => {
  const asked = [];
  const program = await launchWith({
    load(/** @type {any} */ ...given) {
      asked.push(given);
      const stored = [{ key: "a", revision: 7, text: "1" }, { key: "b", revision: 0, text: null }];
      return Promise.resolve({ stored, applied: 4 });
    },
  });
  program.send("load", "mine", "1", "me", "a", "b");
  await settled();
  assert.deepEqual(asked, [[["a", "b"], "me"]]);
  assert.deepEqual(heard(program), [["loaded", "1", "4", "a", "7", "1", "b", "0", null]]);
});

/**
 * Launches a program that commits again on the answer to its first commit; returns the engine's
 * calls.
 */
async function launchCommittingTwice() {
  const committed = [];
  const exports = {
    sharing_engine_event() {
      if (committed.length === 1) program.send("commit", "mine", "2", "me", "1", "2");
    },
  };
  const program = await launchWith({
    commit(/** @type {any} */ { through }) {
      committed.push(through);
      return Promise.resolve({ stored: [], applied: through });
    },
  }, exports);
  return { ...program, committed };
}

test("a commit that follows another one at once waits a moment, and no other does", async () => {
  const { committed, send, window } = await launchCommittingTwice();
  send("commit", "mine", "1", "me", "0", "1");
  await settled();
  assert.deepEqual(committed, [1]);
  const [[resume, delay]] = window.timers;
  assert.equal(delay, 1);
  resume();
  await settled();
  assert.deepEqual(committed, [1, 2]);
  send("commit", "mine", "3", "me", "2", "3");
  await settled();
  assert.deepEqual(committed, [1, 2, 3]);
});

test("in a hidden tab a commit that follows another one at once does not wait", async () => {
  const { committed, send, window } = await launchCommittingTwice();
  window.document.hidden = true;
  send("commit", "mine", "1", "me", "0", "1");
  await settled();
  assert.deepEqual(committed, [1, 2]);
});

test("a commit is made again with the transaction open, and answered", async () => {
  const committed = [];
  const exports = {
    sharing_engine_event(/** @type {number} */ count) {
      const message = JSON.parse(
        new TextDecoder().decode(new Uint8Array(program.memory.buffer, 1024, count).slice()),
      );
      committed.push(message);
      if (message[0] === "rebase") program.send("entries", "mine", "a", "8", "3");
    },
  };
  const program = await launchWith({
    commit(/** @type {any} */ commit, /** @type {any} */ rebase) {
      committed.push(commit, rebase([{ key: "a", revision: 8, text: "2" }], 1));
      return Promise.resolve({ stored: [{ key: "a", revision: 9, text: "3" }], applied: 2 });
    },
  }, exports);
  program.send("commit", "mine", "5", "me", "1", "2", "a", "7", "2", "b", null, null);
  await settled();
  assert.deepEqual(committed, [
    ["rebase", "5", "1", "a", "8", "2"],
    {
      client: "me",
      after: 1,
      through: 2,
      entries: [{ key: "a", expected: 7, text: "2" }, { key: "b", expected: null, text: null }],
    },
    [{ key: "a", expected: 8, text: "3" }],
    ["accepted", "5", "a", "9"],
  ]);
});

test("a commit that was stored before is answered with the stored texts", async () => {
  const stored = [{ key: "a", revision: 9, text: "2" }], none = { key: "b", text: null };
  for (
    const [answer, ...told] of [
      [{ stored, applied: 3 }, "found", "1", "3", "a", "9", "2"],
      [{ stored, applied: 2 }, "accepted", "1", "a", "9"],
      [{ stored: [{ ...stored[0], text: "5" }], applied: 2 }, "found", "1", "2", "a", "9", "5"],
      [{ stored: [...stored, { ...none, revision: 1 }], applied: 2 }, "found", "1", "2", "a"],
    ]
  ) {
    const program = await launchWith({ commit: () => Promise.resolve(answer) });
    program.send("commit", "mine", "1", "me", "1", "2", "a", "8", "2");
    await settled();
    assert.deepEqual(heard(program)[0].slice(0, told.length), told);
  }
});

test("an engine may have a commit made again before it waits for anything", async () => {
  /** @type {any} */
  const program = await launchWith({
    commit(/** @type {any} */ { through }, /** @type {any} */ rebase) {
      const [entry] = rebase([{ key: "a", revision: 8, text: "2" }], 0);
      return Promise.resolve({ stored: [{ ...entry, revision: 9 }], applied: through });
    },
  }, {
    sharing_page_event: () => program.send("commit", "mine", "1", "me", "0", "1", "a", "7", "2"),
    sharing_engine_event(/** @type {number} */ count) {
      const bytes = new Uint8Array(program.memory.buffer, 1024, count).slice();
      program.calls.push(["engine", ...JSON.parse(new TextDecoder().decode(bytes))]);
      if (heard(program).length === 1) program.send("entries", "mine", "a", "8", "3");
    },
  });
  program.page.send("increment");
  await settled();
  assert.deepEqual(heard(program), [
    ["rebase", "1", "0", "a", "8", "2"],
    ["accepted", "1", "a", "9"],
  ]);
});

test("a commit that the program cannot make again fails, and so does one that throws", async () => {
  const failures = [
    (/** @type {any} */ _, /** @type {any} */ rebase) =>
      Promise.resolve().then(() => rebase([], 0)),
    () => Promise.reject(new DOMException("It is full.", "QuotaExceededError")),
    () => Promise.reject(new DOMException("Not here.", "SecurityError")),
    () => Promise.reject({ name: "DeniedError", message: "It is another's." }),
    () => Promise.reject({ name: "UnavailableError", message: "It does not answer." }),
    () => Promise.reject(),
  ];
  const codes = [];
  for (const commit of failures) {
    const program = await launchWith({ commit });
    program.send("commit", "mine", "1", "me", "0", "1", "a", "0", "1");
    await settled();
    codes.push(heard(program).at(-1).slice(0, 3));
  }
  assert.deepEqual(codes, [
    ["failed", "1", "failed"],
    ["failed", "1", "quota"],
    ["failed", "1", "denied"],
    ["failed", "1", "denied"],
    ["failed", "1", "failed"],
    ["failed", "1", "failed"],
  ]);
});

test("an error that the browser has made is told by its name, and its text is in the console", async () => {
  const mistake = new TypeError("Cannot read properties of undefined (reading 'text')");
  const program = await launchWith({ load: () => Promise.reject(mistake) });
  program.send("load", "mine", "1", "me", "a");
  await settled();
  assert.deepEqual(heard(program), [["failed", "1", "failed", "TypeError"]]);
  assert.deepEqual(program.window.logged, [["error", mistake]]);
});

test("changes are told", async () => {
  /** @type {any} */
  let onChange;
  const program = await launchWith({ watch: (/** @type {any} */ given) => onChange = given });
  program.send("watch", "mine");
  onChange([{ key: "a", revision: 3, text: "1" }]);
  onChange(); // the store is reachable again
  assert.deepEqual(heard(program), [["changed", "mine", "a", "3", "1"], ["changed", "mine"]]);
});

/** Launches a program whose engine has a value with these records in each message. */
async function launchTelling(/** @type {any[]} */ stored) {
  /** @type {any} */
  const program = await launchWith({
    load: () => Promise.resolve({ stored, applied: null }),
    commit: (/** @type {any} */ _, /** @type {any} */ rebase) =>
      Promise.resolve({ stored: rebase(stored, 1) && stored, applied: 2 }),
    watch: (/** @type {any} */ onChange) => onChange(stored),
  }, {
    sharing_engine_event(/** @type {number} */ count) {
      const bytes = new Uint8Array(program.memory.buffer, 1024, count).slice();
      program.calls.push(["engine", ...JSON.parse(new TextDecoder().decode(bytes))]);
      if (heard(program).at(-1)[0] === "rebase") program.send("entries", "mine", "a", "7", "3");
    },
  });
  program.send("load", "mine", "1", "me", "a");
  await settled();
  program.send("commit", "mine", "2", "me", "1", "2", "a", "6", "2");
  await settled();
  program.send("watch", "mine");
  return heard(program);
}

test("a text with half a surrogate pair becomes one that does not decode, and no message is lost", async () => {
  const tell = String.prototype.isWellFormed;
  for (const isOld of [false, true]) {
    // @ts-ignore: browsers before 2023
    if (isOld) delete String.prototype.isWellFormed;
    const told = await launchTelling([
      { key: "a", revision: 7, text: "a\ud800b" },
      { key: "b", revision: 8, text: "🔑" },
      { key: "c", revision: 0, text: null },
    ]);
    String.prototype.isWellFormed = tell;
    const stored = ["a", "7", 'No record: "a\\ud800b"', "b", "8", "🔑", "c", "0", null];
    assert.deepEqual(told, [
      ["loaded", "1", null, ...stored],
      ["rebase", "2", "1", ...stored],
      ["found", "2", "2", ...stored],
      ["changed", "mine", ...stored],
    ]);
  }
});

test("a record whose key is no text of a program is left out, and the others are told", async () => {
  const [revision, text] = [7, "1"];
  const told = await launchTelling([
    { key: 5, revision, text },
    { key: ["b"], revision, text },
    { key: "a\ud800", revision, text },
    { key: "a", revision, text },
  ]);
  assert.deepEqual(told, [
    ["loaded", "1", null, "a", "7", "1"],
    ["rebase", "2", "1", "a", "7", "1"],
    ["found", "2", "2", "a", "7", "1"],
    ["changed", "mine", "a", "7", "1"],
  ]);
});

test("a reason with half a surrogate pair, or none, is told", async () => {
  const program = await launchWith({
    load: () => Promise.reject(new Error("no 🔑".slice(0, 4))),
    watch: (/** @type {any} */ _, /** @type {any} */ onFailure) =>
      onFailure({ message: "\udc00" }, "a"),
    status(/** @type {any} */ onStatus) {
      onStatus({ isConnected: false, message: "\ud800 is 7" });
      onStatus({ isConnected: true, message: 7 });
      onStatus({ isConnected: true });
    },
  });
  program.send("watch", "mine");
  program.send("load", "mine", "1", "me", "a");
  await settled();
  assert.deepEqual(heard(program), [
    ["interrupted", "mine", "failed", "\ufffd", "a"],
    ["status", "mine", null, "\ufffd is 7"],
    ["status", "mine", "connected", "7"],
    ["status", "mine", "connected", ""],
    ["failed", "1", "failed", "no \ufffd"],
  ]);
});

test("that something may not be heard of any more is told, of a key and of all", async () => {
  /** @type {any} */
  let onFailure;
  const program = await launchWith({
    watch: (/** @type {any} */ ...given) => [, onFailure] = given,
  });
  program.send("watch", "mine");
  onFailure({ name: "DeniedError", message: "It is another's." }, "a");
  onFailure(new DOMException("It is full.", "QuotaExceededError"));
  onFailure();
  assert.deepEqual(heard(program), [
    ["interrupted", "mine", "denied", "It is another's.", "a"],
    ["interrupted", "mine", "quota", "QuotaExceededError", null],
    ["interrupted", "mine", "failed", "", null],
  ]);
});

test("a program that is stopped ends what its engine tells it", async () => {
  /** @type {any[]} */
  const signals = [];
  const program = await launchWith({
    watch: (/** @type {any} */ ...[, , signal]) => signals.push(signal),
    status: (/** @type {any} */ _, /** @type {any} */ signal) => signals.push(signal),
  });
  program.send("watch", "mine");
  assert.deepEqual(signals.map(({ aborted }) => aborted), [false, false]);
  program.started?.stop();
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true, true]);
});
