// @ts-check

import {
  commit,
  count,
  entry,
  isSame,
  isThrown,
  load,
  notAgain,
  put,
  RUN,
  unique,
  until,
} from "./clients.js";

const KEYS = [
  ["", ".", "..", "../..", "/", "//", "a/b", "a/b/", "%2F", "%", "a b", " ", "a+b", "a?b=c&d=e#f"],
  ['"', "'", "\\", "\n", "\t", "a.b", "*", ">", "a:b", "Key", "key", "__proto__", "constructor"],
  ["ä", "a\u0308", "日本語", "😀", "\u2028", "x".repeat(200)],
].flat();

const TEXTS = ["", "0", "null", '"', "\\", "\n", "\r\n\u2028", "\u0000", "\ufeff1", "ä😀日本語"];

// Each is a rule, and whether two engines of one store keep it.
export const RULES = {
  async "a key that was never stored has revision 0, and an unknown client no last step"({ one }) {
    const key = unique("key"), { stored, applied } = await one.load([key], unique("client"));
    return applied === null && isSame(stored[0], { key, revision: 0, text: null });
  },

  async "a commit is stored, with the client's last step"({ one, two }) {
    const key = unique("key"), client = unique("client");
    const answer = await commit(one, client, 0, 3, [entry(key, 0, "1")]);
    const loaded = await two.load([key], client), [{ revision, text }] = answer.stored;
    return revision > 0 && text === "1" && answer.applied === 3 && loaded.applied === 3 &&
      isSame(loaded.stored[0], answer.stored[0]);
  },

  async "loaded values are in the order of the keys"({ one }) {
    const keys = [unique("key"), unique("key"), unique("key")];
    await put(one, keys[2], "2");
    await put(one, keys[0], "0");
    const { stored } = await one.load(keys, unique("client"));
    return stored.map(({ key, text }) => key + text).join() ===
      [keys[0] + "0", keys[1] + "null", keys[2] + "2"].join();
  },

  async "a commit that comes twice is stored once"({ one, two }) {
    const key = unique("key"), client = unique("client");
    await commit(one, client, 0, 1, [entry(key, 0, "1")]);
    const other = await put(two, key, "2");
    const again = await commit(two, client, 0, 1, [entry(key, 0, "1")]);
    return again.applied === 1 && isSame(again.stored[0], other) &&
      isSame(await load(one, key), other);
  },

  async "a commit from an older revision is rebased on the stored value"(engines) {
    const { one, two } = engines, key = unique("key"), client = unique("client");
    await commit(one, client, 0, 4, [entry(key, 0, "1")]);
    const before = await put(two, key, "2"), calls = [];
    const rebase = (stored, applied) => {
      calls.push([stored, applied]);
      return [entry(key, stored[0].revision, "3")];
    };
    const answer = await commit(one, client, 4, 5, [entry(key, 0, "x")], rebase);
    const [[stored, applied]] = calls, now = await load(two, key);
    return calls.length === 1 && isSame(stored[0], before) && applied === 4 && now.text === "3" &&
      isSame(answer.stored[0], now) && answer.applied === 5;
  },

  async "a commit from an unknown revision is rebased"({ one }) {
    const key = unique("key");
    for (const after of [0, 1]) {
      const text = "" + after;
      const rebase = ([{ revision }]) => [entry(key, revision, text)];
      await commit(one, "unknown " + key, after, after + 1, [entry(key, -1, "x")], rebase);
      if ((await load(one, key)).text !== text) return false;
    }
    return true;
  },

  async "a commit whose first step is already stored is rebased after that step"({ one, two }) {
    const key = unique("key"), client = unique("client");
    const { stored } = await commit(two, client, 0, 1, [entry(key, 0, "1")]), steps = [];
    const rebase = ([{ revision }], applied) => {
      steps.push(applied);
      return [entry(key, revision, "2")];
    };
    const entries = [entry(key, stored[0].revision, "x")];
    const answer = await commit(one, client, 0, 2, entries, rebase);
    return steps.join() === "1" && answer.applied === 2 && (await load(two, key)).text === "2";
  },

  async "a client's steps count, whatever their keys"({ one, two }) {
    const [key, other] = [unique("key"), unique("key")], client = unique("client"), steps = [];
    await commit(one, client, 0, 1, [entry(key, 0, "1")]);
    await commit(one, client, 1, 2, [entry(other, 0, "1")]);
    await put(two, key, "2");
    const rebase = ([{ revision }], applied) => {
      steps.push(applied);
      return [entry(key, revision, "3")];
    };
    const answer = await commit(one, client, 2, 3, [entry(key, 0, "x")], rebase);
    return steps.join() === "2" && answer.applied === 3;
  },

  async "a commit whose rebase throws fails, and nothing is stored"({ one }) {
    const key = unique("key"), client = unique("client"), before = await put(one, key, "1");
    const isFailed = await isThrown(commit(one, client, 0, 1, [entry(key, 0, "2")]));
    const { stored: [now], applied } = await one.load([key], client);
    return isFailed && isSame(now, before) && applied === null;
  },

  async "a rebase may return entries of more keys, or of others"({ one }) {
    const key = unique("key"), copy = unique("copy"), client = unique("client");
    await put(one, copy, "old");
    const before = await put(one, key, "1");
    const rebase = ([{ revision }]) => [entry(key, revision, "2"), entry(copy, null, "new")];
    const { stored: made } = await commit(one, client, 0, 1, [entry(key, 0, "x")], rebase);
    const { stored: [both, copied] } = await one.load([key, copy], client);
    const other = () => [entry(copy, null, "newer")];
    const { stored: [refused] } = await commit(one, client, 1, 2, [entry(key, 0, "x")], other);
    const { stored: [kept, newer] } = await one.load([key, copy], client);
    return both.text === "2" && both.revision > before.revision && copied.text === "new" &&
      [both, copied].every((each) => made.some((one) => isSame(each, one))) &&
      isSame(kept, both) && isSame(newer, refused) && newer.text === "newer" &&
      newer.revision > copied.revision;
  },

  async "entries of a rebase are made again if one of them is from another revision"(
    { one, two },
  ) {
    const key = unique("key"), list = unique("list"), client = unique("client");
    const before = await put(two, key, "1"), old = await put(two, list, "2");
    const rebase = ([value, known]) => [
      entry(key, value.revision, "x"),
      entry(list, known?.revision ?? -1, `${known?.text} x`),
    ];
    await commit(one, client, 0, 1, [entry(key, 0, "x")], rebase);
    const { stored: [now, listed] } = await two.load([key, list], client);
    return now.text === "x" && now.revision > before.revision && listed.text === "2 x" &&
      listed.revision > old.revision;
  },

  async "null as the expected revision accepts any"({ one, two }) {
    const key = unique("key"), before = await put(two, key, "1");
    await commit(one, unique("client"), 0, 1, [entry(key, null, "2")]);
    const now = await load(two, key);
    return now.text === "2" && now.revision > before.revision;
  },

  async "a removed value has a revision, and so has one that is stored again"({ one, two }) {
    const key = unique("key"), texts = ["1", null, "2", null, null, ""], revisions = [0];
    for (const [at, text] of texts.entries()) {
      const stored = await put(at % 2 ? one : two, key, text), now = await load(one, key);
      if (!isSame(stored, now) || now.text !== text || now.revision <= revisions[0]) return false;
      revisions.unshift(now.revision);
    }
    return true;
  },

  async "any text comes back as it was, also a large one"({ one, two }) {
    const key = unique("key");
    for (const text of [...TEXTS, "x😀".repeat(50_000)]) {
      await put(one, key, text);
      if ((await load(two, key)).text !== text) return false;
    }
    return true;
  },

  async "any text may be a key, and each has a value of its own"({ one, two }) {
    const { stored: old } = await one.load(KEYS, unique("client"));
    for (const [at, key] of KEYS.entries()) {
      const entries = [entry(key, old[at].revision, RUN + key)];
      await commit(one, unique("client"), 0, 1, entries);
    }
    const { stored } = await two.load(KEYS, unique("client"));
    return KEYS.every((key, at) => stored[at].key === key && stored[at].text === RUN + key);
  },

  async "the keys of one commit are all stored, and once"({ one, two }) {
    const keys = [unique("key"), unique("key")], client = unique("client");
    const entries = [entry(keys[0], 0, "1"), entry(keys[1], 0, "2")];
    const first = await commit(one, client, 0, 1, entries);
    const again = await commit(two, client, 0, 1, entries);
    return [first, again].every(({ stored, applied }) => stored.length === 2 && applied === 1) &&
      first.stored.every((each, at) =>
        each.text === "" + (at + 1) && isSame(each, again.stored[at])
      );
  },

  async "two clients that count at once lose nothing"({ one, two, times }) {
    const key = unique("key");
    await Promise.all([count(one, key, times), count(two, key, times)]);
    return (await load(one, key)).text === "" + 2 * times;
  },

  async "a reported change is the stored value"({ one, two, changes, patience }) {
    const key = unique("key"), stored = [];
    await load(two, key);
    for (const text of ["1", null, "2"]) stored.push(await put(one, key, text));
    const heard = () => changes.filter((each) => each.key === key);
    return await until(() => heard().some((each) => isSame(each, stored[2])), patience / 2) &&
      heard().every((each) => stored.some((one) => isSame(each, one)));
  },
};

export const RULES_OF_SEVERAL_KEYS = {
  async "if a rebase throws, no key of the commit is stored"({ one }) {
    const keys = [unique("key"), unique("key"), unique("key")],
      client = unique("client"),
      seen = [];
    const before = await put(one, keys[1], "1");
    const entries = [entry(keys[0], 0, "x"), entry(keys[1], 0, "x"), entry(keys[2], null, "x")];
    const isFailed = await isThrown(commit(one, client, 0, 1, entries, (stored) => {
      seen.push(...stored.map(({ key }) => key));
      return notAgain();
    }));
    const { stored, applied } = await one.load(keys, client);
    return isFailed && seen.join() === keys.join() && applied === null &&
      isSame(stored[1], before) &&
      stored[0].revision === 0 && stored[2].revision === 0;
  },
};
