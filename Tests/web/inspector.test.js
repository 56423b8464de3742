// @ts-check
// The notes that the shim keeps for the inspector, and what the inspector reads from them.

import assert from "node:assert/strict";
import { test } from "node:test";
// @ts-ignore: it is not a part of the module's interface
import { stateOf } from "../../JavaScript/inspector.js";
import { overwrite } from "../../JavaScript/inspector/changes.js";
import { FakeWindow, launch, put } from "./fakes.js";
import { MemoryStore } from "./memory.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** Launches a program with the inspector; `found` is the program that it is told of. */
async function launchInspected(/** @type {any} */ given = {}) {
  /** @type {any[]} */
  const keys = [];
  let loads = 0;
  const inspector = () => {
    loads += 1;
    return Promise.resolve({ onKey: (/** @type {any} */ ...key) => keys.push(key) });
  };
  const launched = await launch({ inspector, ...given });
  const { window, imports: { sharing }, memory } = launched;
  window.tell("keydown", { key: "F8" });
  await settled();
  const program = keys[0]?.[1];
  const item = (/** @type {number} */ area, /** @type {string} */ key) =>
    sharing.storage_item(area, ...put(memory, [key]));
  const set = (/** @type {number} */ number, /** @type {string} */ text) =>
    sharing.storage_set(number, ...put(memory, [text]));
  const rows = () =>
    Object.fromEntries(
      stateOf([program], window).rows.map((/** @type {any} */ row) => [
        row.key,
        row,
      ]),
    );
  return { ...launched, keys, program, item, set, rows, loads: () => loads };
}

test("the inspector is loaded by F8 and no other key", async () => {
  const { window, keys, loads } = await launchInspected();
  assert.equal(loads(), 1);
  window.tell("keydown", { key: "F9" });
  await settled();
  assert.equal(loads(), 1);
  assert.equal(keys[0][0].key, "F8");
});

test("a program that is stopped does not hear the key", async () => {
  const { window, started, loads } = await launchInspected();
  started?.stop();
  window.tell("keydown", { key: "F8" });
  assert.equal(loads(), 1);
});

test("an inspector that cannot be loaded is reported", async () => {
  const { window } = await launch({ inspector: () => Promise.reject(Error("gone")) });
  window.tell("keydown", { key: "F8" });
  await settled();
  const [[level, error]] = /** @type {any} */ (window.logged);
  assert.deepEqual([level, error.message], ["error", "gone"]);
});

test("without an inspector nothing is noted", async () => {
  const { window, imports: { sharing }, memory } = await launch();
  window.tell("keydown", { key: "F8" });
  const number = sharing.storage_item(0, ...put(memory, ["count"]));
  sharing.storage_set(number, ...put(memory, ["1"]));
  assert.deepEqual(window.logged, []);
  assert.equal(window.localStorage.getItem("count"), "1");
});

test("each used key has its text, and its last writer", async () => {
  const { window, item, set, rows, started } = await launchInspected();
  item(0, "unset");
  set(item(0, "count"), "1");
  set(item(1, "visit"), "2");
  assert.deepEqual(rows().count.by, "program");
  assert.deepEqual([rows().visit.place, rows().visit.text], ["sessionStorage", "2"]);
  assert.deepEqual([rows().unset.text, rows().unset.status], [null, "not stored"]);
  window.localStorage.setItem("count", "5");
  window.tell("storage", { key: "count", storageArea: window.localStorage });
  window.tell("storage", { key: "unknown", storageArea: window.localStorage });
  assert.deepEqual([rows().count.by, rows().count.text], ["tab", "5"]);
  assert.equal(rows().unknown, undefined);
  started?.changed("count");
  assert.equal(rows().count.by, "page");
});

test("a write that fails is not saved, until one succeeds", async () => {
  const { window, item, set, rows } = await launchInspected();
  const number = item(0, "count");
  set(number, "1");
  const setItem = window.localStorage.setItem;
  window.localStorage.setItem = () => {
    throw Object.assign(Error("no room"), { name: "QuotaExceededError" });
  };
  assert.equal(set(number, "2"), -3);
  assert.deepEqual([rows().count.status, rows().count.text], ["not saved", "1"]);
  assert.equal(rows().count.problem, "QuotaExceededError: no room");
  window.localStorage.setItem = setItem;
  set(number, "3");
  assert.deepEqual([rows().count.status, rows().count.problem], ["stored", undefined]);
});

test("an error without a message is shown by its name", async () => {
  const { window, item, set, rows } = await launchInspected();
  window.localStorage.setItem = () => {
    throw { name: "SecurityError" };
  };
  set(item(0, "count"), "1");
  assert.equal(rows().count.problem, "SecurityError");
});

test("an error in the page is shown at its key, and the rest as a message", async () => {
  const { program, window, item, set, imports: { sharing }, memory } = await launchInspected();
  set(item(0, "count"), "1");
  set(item(0, "list"), "[");
  const text = 'Nothing is kept. "list": damaged. "count": old.';
  sharing.page_set(...put(memory, ["storage-details", text]));
  const { rows, message } = stateOf([program], window);
  const problems = rows.map((/** @type {any} */ { key, status, problem }) => [
    key,
    status,
    problem,
  ]);
  assert.deepEqual(problems, [["count", "error", "old."], ["list", "error", "damaged."]]);
  assert.equal(message, "Nothing is kept.");
});

/** A window whose storages list their items, as a browser's do. */
const windowWith = (/** @type {Record<string, string>} */ items) => {
  const window = new FakeWindow();
  window.localStorage = Object.assign(
    Object.create({
      getItem: (/** @type {string} */ key) => items[key] ?? null,
    }),
    items,
  );
  return window;
};

test("copies are listed with their key, and damage is told by them", () => {
  const window = windowWith({ "count": "1{", "count.corrupt": "1{", "count.corrupted": "x" });
  const items = ["count", "count.corrupt"].map((key) => ({
    area: 0,
    key,
    storage: window.localStorage,
  }));
  const program = { items, numbers: { "0count": 0, "0count.corrupt": 1 } };
  const found = stateOf([program], window).rows.map((/** @type {any} */ { key, status }) => [
    key,
    status,
  ]);
  assert.deepEqual(found, [["count", "damaged"], ["count.corrupt", "copy"]]);
});

test("a list of replaced texts is a row for each, of which one is dropped", async () => {
  const list = [
    { id: "1", time: 1732796000000, text: "5" },
    { id: "2", time: 1732796000001, bytes: [255] },
  ];
  const items = { "count": "7", "count.replaced": JSON.stringify(list) };
  const window = windowWith(items);
  const item = { area: 0, key: "count", storage: window.localStorage };
  const program = { items: [item], numbers: { "0count": 0 } };
  const rows = () => stateOf([program], window).rows;
  assert.deepEqual(
    rows().map((/** @type {any} */ { key, text, status, replaced }) => [
      key,
      text,
      status,
      replaced,
    ]),
    [
      ["count", "7", "stored", undefined],
      ["count.replaced", "5", "copy", 1732796000000],
      ["count.replaced", "[255]", "copy", 1732796000001],
    ],
  );
  window.localStorage.setItem = (/** @type {"count"} */ key, /** @type {string} */ text) =>
    items[key] = text;
  await overwrite(rows()[1], null, window);
  assert.deepEqual(JSON.parse(items["count.replaced"]), [list[1]]);

  const store = new MemoryStore(), key = "a.replaced", text = JSON.stringify(list);
  store.values.set(key, { revision: 3, text });
  const record = { engine: "mine", key, revision: 2, text };
  const engines = { mine: store.connect() }, records = { [key]: record };
  const stored = /** @type {any[]} */ ([]);
  const change = (/** @type {any} */ ...given) => stored.push(...given);
  const [row] = stateOf([{ engines, records, change }], windowWith({})).rows;
  await overwrite(row, null, window);
  assert.deepEqual(JSON.parse(store.find(key).text ?? ""), [list[1]]);
  assert.deepEqual(stored, ["mine", [store.find(key)]]);

  items["count.replaced"] = "[7]";
  assert.deepEqual(rows()[1].text, "[7]");
});

test("a journal is listed with its text", () => {
  const journal = '{"committed":4,"order":1,"steps":[]}';
  const window = windowWith({
    "sharing.journal.me.3": journal,
    "sharing/app.journal@world/tally.me.1": "[",
    "sharing.copy.tally": "7",
    "other": "1",
  });
  const record = { engine: "indexedDB", key: "tally", revision: 3, text: "1" };
  const { rows } = stateOf([{ records: { tally: record } }], window);
  assert.deepEqual(
    rows.map((/** @type {any} */ { place, key, text, status }) => [place, key, text, status]),
    [
      ["localStorage", "sharing.journal.me.3", journal, "journal"],
      ["localStorage", "sharing/app.journal@world/tally.me.1", "[", "journal"],
      ["indexedDB", "tally", "1", "stored"],
    ],
  );
});

test("what an engine stores, refuses and tells is noted", async () => {
  /** @type {any} */
  let commit;
  /** @type {any} */
  let change = null;
  const engine = {
    load: (/** @type {string[]} */ keys) =>
      Promise.resolve({
        stored: keys.map((key) => ({ key, revision: 1, text: "1" })),
        applied: null,
      }),
    commit: () => new Promise((resolve, reject) => commit = { resolve, reject }),
    watch: (/** @type {any} */ onChange) => change = onChange,
  };
  const { rows, imports: { sharing }, memory, window } = await launchInspected({
    engines: { mine: engine },
  });
  window.localStorage = windowWith({}).localStorage;
  const send = async (/** @type {unknown[]} */ ...message) => {
    sharing.engine_send(...put(memory, [JSON.stringify(message)]));
    await settled();
  };
  const row = () => {
    const { text, revision, by, status, problem } = rows().a;
    return [text, revision, by, status, problem];
  };
  await send("watch", "mine");
  await send("load", "mine", "1", "me", "a");
  assert.deepEqual(row(), ["1", 1, undefined, "stored", undefined]);
  await send("commit", "mine", "2", "me", "0", "1", "a", "1", "2");
  assert.deepEqual(row(), ["1", 1, undefined, "pending", undefined]);
  commit.reject({ name: "Unavailable", message: "It is away." });
  await settled();
  assert.deepEqual(row(), ["1", 1, undefined, "not saved", "It is away."]);
  await send("commit", "mine", "3", "me", "0", "1", "a", "1", "2");
  commit.resolve({ stored: [{ key: "a", revision: 2, text: "2" }], applied: 1 });
  await settled();
  assert.deepEqual(row(), ["2", 2, "program", "stored", undefined]);
  change([{ key: "a", revision: 2, text: "2" }]);
  assert.equal(row()[2], "program");
  change([{ key: "a", revision: 3, text: "7" }]);
  assert.deepEqual(row(), ["7", 3, "other", "stored", undefined]);
});
