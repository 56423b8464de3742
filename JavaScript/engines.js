// @ts-check
// The engines of a program: sharing.js loads this module for a program that has some.

/** @typedef {import("./sharing.d.ts").Engine} Engine */

// The code of an error, for the program. Browsers have several names for a database that a page may
// not have.
const codeOf = (name) =>
  /quota/i.test(name) ? "quota" : /security|unknown|denied/i.test(name) ? "denied" : "failed";

// The program would reject a message with half a surrogate pair, or with another thing than texts.
// Browsers before 2023 have no isWellFormed.
const isWellFormed = (text) => text.isWellFormed?.() ?? !/\p{Surrogate}/u.test(text);

const isKey = (key) => typeof key === "string" && isWellFormed(key);

// Such a text becomes one that does not decode: it is reported, and kept.
const readable = (text) =>
  text == null || isWellFormed(text) ? text : "No record: " + JSON.stringify(text);

const isMistake = (error) => /^(Type|Reference|Range|Syntax)Error$/.test(error?.name);

// The text of an error for the program. Browsers differ in their texts: of theirs, it is the name.
const messageOf = (/** @type {any} */ error) => {
  const isNative = isMistake(error) || error instanceof DOMException;
  const text = !isNative && error?.message || error?.name;
  return `${text ?? ""}`.replace(/\p{Surrogate}/gu, "\ufffd");
};

// An engine that can never be reached: changes stay pending, and the program gets the reason.
function unavailable(error) {
  const fail = () => Promise.reject(error);
  return { load: fail, commit: fail, watch() {} };
}

/**
 * Returns the imports through which a program reaches its engines; see EngineCalls.swift for the
 * messages.
 * @param {Record<string, Engine>} engines an engine may come later; no other names are in it
 * @param {any} indexedDB the function of indexeddb.js, for a program that imports it
 * @param {{ text: (pointer: any, count: number) => any }} texts
 * @param {(...message: any[]) => void} tell sends the program a message
 * @param {any} program
 * @param {AbortSignal} leaving is aborted when the program is stopped
 */
export const engineCalls = (engines, indexedDB, { text }, tell, program, leaving) => {
  const { window } = program;
  /** @type {any} the entries that the program has made again, while it is asked for them */
  let entries;
  let isAnswering = false;
  // For the inspector: the records by engine and key, and the engines under the key null.
  const records = program.records ??= { __proto__: null };
  const recordOf = (engine, key) => records[JSON.stringify([engine, key])] ??= { engine, key };
  const note = (engine, key, facts) => {
    if (!program.note) return;
    const record = recordOf(engine, key);
    // An engine may report a commit before it answers.
    const isOwn = facts.by === "program" && record.by === "other";
    const isWrite = facts.by && (isOwn || record.revision !== facts.revision);
    const { by, time } = isWrite ? { by: facts.by, time: Date.now() } : record;
    program.note(record, { ...facts, by, time });
  };
  const noteStored = (engine, stored = [], by) => {
    note(engine, null, { error: null });
    for (const { key, revision, text } of stored) {
      note(engine, key, { revision, text, error: null, by });
    }
  };
  const change = (name, stored) => {
    noteStored(name, stored, "other");
    tell("changed", name, ...flat(stored));
  };
  Object.assign(program, { engines, change });
  const flat = (stored = []) =>
    stored.filter(({ key }) => isKey(key))
      .flatMap(({ key, revision, text }) => [key, "" + revision, readable(text)]);
  const entriesOf = (words) => {
    const all = [];
    for (let at = 0; at < words.length; at += 3) {
      const expected = words[at + 1];
      all.push({ key: words[at], expected: expected && +expected, text: words[at + 2] });
    }
    return all;
  };
  const fail = (call, name) => (error) => {
    note(name, null, { error });
    if (isMistake(error)) program.window.console.error(error);
    tell("failed", call, codeOf(error?.name), messageOf(error));
  };
  const calls = {
    __proto__: null,
    load(engine, [id, client, ...keys], name) {
      for (const key of keys) note(name, key, {});
      return engine.load(keys, client).then(({ stored, applied }) => {
        noteStored(name, stored);
        tell("loaded", id, applied === null ? null : "" + applied, ...flat(stored));
      });
    },
    async commit(engine, [id, client, after, through, ...words], name) {
      const commit = { client, after: +after, through: +through, entries: entriesOf(words) };
      const sent = new Map(commit.entries.map(({ key, text }) => [key, text]));
      for (const key of sent.keys()) note(name, key, { isSent: true });
      const rebase = (stored, applied) => {
        noteStored(name, stored, "other");
        entries = null;
        tell("rebase", id, "" + applied, ...flat(stored));
        if (!entries) throw { name: "RebaseError", message: "The change cannot be rebased." };
        for (const { key, text } of entries) sent.set(key, text);
        return entries;
      };
      // It follows the last one: where changes come fast, they take less time in fewer commits. Not
      // in a hidden tab, where a timer can take a second. Any other is made as soon as its turn has
      // ended: until then no rebase can be answered, if the engine asks for one at once.
      await (isAnswering && !window.document.hidden &&
        new Promise((end) => window.setTimeout(end, 1)));
      const { stored, applied } = await engine.commit(commit, rebase);
      noteStored(name, stored, "program");
      for (const { key } of stored) note(name, key, { isSent: false });
      // The program has the texts that it sent.
      const isAsSent = applied === +through &&
        stored.every(({ key, text }) => sent.get(key) === text);
      isAnswering = true;
      if (isAsSent) {
        tell("accepted", id, ...stored.flatMap(({ key, revision }) => [key, "" + revision]));
      } else tell("found", id, "" + applied, ...flat(stored));
      isAnswering = false;
    },
    watch(engine, _, name) {
      engine.watch(
        (stored) => change(name, stored),
        (error, key = null) => {
          note(name, key, { error });
          tell("interrupted", name, codeOf(error?.name), messageOf(error), key);
        },
        leaving,
      );
      engine.status?.(
        (status) => {
          const { isConnected } = status, message = messageOf(status);
          note(name, null, { status: isConnected ? "" : message });
          tell("status", name, isConnected ? "connected" : null, message);
        },
        leaving,
      );
    },
    entries(_, words) {
      entries = entriesOf(words);
    },
  };
  const open = (name) => {
    try {
      return indexedDB(window, name || undefined);
    } catch (error) {
      return unavailable(error);
    }
  };
  return {
    engine_indexeddb(pointer, count) {
      engines.indexedDB ??= open(text(pointer, count));
      return 1;
    },
    engine_find: (pointer, count) => +!!engines[text(pointer, count)],
    engine_send(pointer, count) {
      const [verb, name, ...words] = JSON.parse(text(pointer, count));
      if (!engines[name]) return;
      calls[verb](engines[name], words, name)?.catch(fail(words[0], name));
      return 1;
    },
  };
};
