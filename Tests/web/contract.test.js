// @ts-check
// The contract of engines: a store in memory keeps it, and each mistake breaks a rule of it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { contractFailures } from "../../JavaScript/testing/contract.js";
import { MemoryStore } from "./memory.js";

const options = { severalKeys: true, times: 20 };

test("a store in memory keeps the contract, also one that is not empty", async () => {
  const store = new MemoryStore();
  assert.deepEqual(await contractFailures(store.connect, options), []);
  assert.deepEqual(await contractFailures(store.connect, options), []);
});

/** Returns an engine that modifies its commits before making them. */
const changing = (/** @type {(commit: any) => any} */ change) => (/** @type {any} */ engine) => ({
  commit: (/** @type {any} */ commit, /** @type {any} */ rebase) =>
    engine.commit({ ...commit, ...change(commit) }, rebase),
});

/** Returns an engine that modifies the entries of its commits. */
const changingEntries = (/** @type {(entry: any) => any} */ change) =>
  changing(({ entries }) => ({
    entries: entries.map((/** @type {any} */ entry) => ({ ...entry, ...change(entry) })),
  }));

/** Returns an engine that calls a modified `rebase`. */
const rebasing =
  (/** @type {(rebase: any) => any} */ change) => (/** @type {any} */ { commit }) => ({
    commit: (/** @type {any} */ given, /** @type {any} */ rebase) => commit(given, change(rebase)),
  });

/** Returns an engine that loads modified values. */
const loading = (/** @type {(stored: any) => any} */ change) => (/** @type {any} */ { load }) => ({
  load: async (/** @type {any} */ keys, /** @type {any} */ client) => {
    const { stored, applied } = await load(keys, client);
    return {
      stored: stored.map((/** @type {any} */ each) => ({ ...each, ...change(each) })),
      applied,
    };
  },
});

/** Returns an engine that renames keys. */
const naming =
  (/** @type {(key: string) => string} */ name) =>
  (/** @type {any} */ _, /** @type {MemoryStore} */ store) => void (store.name = name);

/** @type {[mistake: string, rule: RegExp, make: (engine: any, store: MemoryStore) => any][]} */
const mistakes = [
  ["knows every client", /^a key that was never/, ({ load }) => ({
    load: async (/** @type {any} */ keys, /** @type {any} */ client) => {
      const { stored, applied } = await load(keys, client);
      return { stored, applied: applied ?? 0 };
    },
  })],
  [
    "has revisions before it has values",
    /^a key that was never/,
    loading(({ revision, text }) => ({
      revision: revision + (text === null ? 1 : 0),
    })),
  ],
  [
    "forgets clients",
    /^a commit that comes twice/,
    changing(() => ({ client: "" + Math.random() })),
  ],
  ["stores what is stale", /^two clients that count/, changingEntries(() => ({ expected: null }))],
  [
    "does not ask for what is unknown",
    /unknown revision/,
    changingEntries(({ expected }) => ({
      expected: expected < 0 ? null : expected,
    })),
  ],
  [
    "asks for what may be any",
    /^null as the expected/,
    changingEntries(({ expected }) => ({
      expected: expected ?? -1,
    })),
  ],
  [
    "does not say which step was the last",
    /older revision/,
    rebasing((rebase) => (stored) => rebase(stored, 0)),
  ],
  [
    "does not look at others' steps",
    /first step is already stored/,
    ({ load, commit }) => ({
      async commit(/** @type {any} */ given, /** @type {any} */ rebase) {
        const { applied } = await load([], given.client);
        return commit({ ...given, after: Math.min(applied ?? given.after, given.through) }, rebase);
      },
    }),
  ],
  [
    "stores what was to be made again",
    /rebase throws fails/,
    rebasing((rebase) => (...given) => {
      try {
        return rebase(...given);
      } catch {
        return given[0].map(({ key }) => ({ key, expected: null, text: "x" }));
      }
    }),
  ],
  [
    "stores one key only",
    /of more keys/,
    rebasing((rebase) => (...given) => rebase(...given).slice(0, 1)),
  ],
  [
    "forgets what was removed",
    /^a removed value/,
    loading(({ revision, text }) => ({
      revision: text === null ? 0 : revision,
    })),
  ],
  ["takes no text for none", /^a removed value/, loading(({ text }) => ({ text: text || null }))],
  ["trims texts", /^any text comes back/, loading(({ text }) => ({ text: text?.trim() ?? null }))],
  ["is full early", /^any text comes back/, ({ commit }) => ({
    commit(/** @type {any} */ given, /** @type {any} */ rebase) {
      if (given.entries[0].text?.length > 60_000) throw { name: "QuotaError" };
      return commit(given, rebase);
    },
  })],
  ["has keys without case", /^any text may be a key/, naming((key) => key.toLowerCase())],
  [
    "has keys that are paths",
    /^any text may be a key/,
    naming((key) => new URL(encodeURIComponent(key), "http://localhost/values/").href),
  ],
  ["sorts keys", /order of the keys/, ({ load }) => ({
    load: async (/** @type {any} */ keys, /** @type {any} */ client) => {
      const { stored, applied } = await load(keys, client);
      return { stored: stored.reverse(), applied };
    },
  })],
  ["tells nothing", /^a reported change/, () => ({ watch() {} })],
  ["tells of what never was", /^a reported change/, ({ watch }) => ({
    watch: (/** @type {any} */ onChange) =>
      watch((/** @type {any} */ [first, ...others]) =>
        onChange([{ ...first, text: "x" }, first, ...others])
      ),
  })],
  ["does not answer", /no answer/, () => ({ load: () => new Promise(() => {}) })],
  ["stores each key by itself", /no key of the commit/, ({ commit }) => ({
    async commit(/** @type {any} */ given, /** @type {any} */ rebase) {
      const stored = [];
      for (const entry of given.entries) {
        const client = given.client + (given.entries.length > 1 ? entry.key : "");
        stored.push(...(await commit({ ...given, client, entries: [entry] }, rebase)).stored);
      }
      return { stored, applied: given.through };
    },
  })],
];

for (const [mistake, rule, make] of mistakes) {
  test(`the contract finds an engine that ${mistake}`, async () => {
    const store = new MemoryStore();
    const connect = () => {
      const engine = store.connect();
      return { ...engine, ...make(engine, store) };
    };
    const failures = await contractFailures(connect, { ...options, patience: 100 });
    assert.ok(failures.some((each) => rule.test(each)), failures.join("\n"));
  });
}
