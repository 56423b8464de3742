// @ts-check

const codeOf = (name) =>
  /quota|unavailable/i.exec(name)?.[0].toLowerCase() ??
    (/security|unknown|denied/i.test(name) ? "denied" : "failed");

// The imports through which a program reaches its engines; see EngineCalls.swift for the messages.
// An engine may come later; `engines` has no other names than theirs.
export const engineCalls = (engines, { text }, tell, window, leaving) => {
  let entries, isAnswering;
  const listings = { __proto__: null };
  const flat = (stored = []) =>
    stored.flatMap(({ key, revision, text }) => [key, "" + revision, text]);
  const records = (words) => {
    const all = [];
    for (let at = 0; at < words.length; at += 3) {
      const expected = words[at + 1];
      all.push({ key: words[at], expected: expected && +expected, text: words[at + 2] });
    }
    return all;
  };
  const fail = (call) => (error) => tell("failed", call, codeOf(error?.name), error?.message ?? "");
  const calls = {
    __proto__: null,
    load(engine, [id, client, ...keys]) {
      return engine.load(keys, client).then(({ stored, applied }) =>
        tell("loaded", id, applied === null ? null : "" + applied, ...flat(stored))
      );
    },
    async commit(engine, [id, client, after, through, ...words]) {
      const commit = { client, after: +after, through: +through, entries: records(words) };
      const rebase = (stored, applied) => {
        entries = null;
        tell("rebase", id, "" + applied, ...flat(stored));
        if (!entries) throw { name: "RebaseError", message: "The change cannot be rebased." };
        return entries;
      };
      // It follows the last one: where changes come fast, they take less time in fewer commits. Not
      // in a hidden tab, where a timer can take a second. Any other is made as soon as its turn has
      // ended: until then nobody answers, should the engine have it made again at once.
      await (isAnswering && !window.document.hidden &&
        new Promise((end) => window.setTimeout(end, 1)));
      const { stored, applied } = await engine.commit(commit, rebase);
      isAnswering = true;
      tell("accepted", id, "" + applied, ...flat(stored));
      isAnswering = false;
    },
    watch(engine, _, name) {
      engine.watch(
        (stored) => tell("changed", name, ...flat(stored)),
        (error, key) =>
          tell("interrupted", name, codeOf(error?.name), error?.message ?? "", key ?? null),
        leaving,
      );
      engine.status?.(
        ({ isConnected, message }) =>
          tell("status", name, isConnected ? "connected" : null, message),
        leaving,
      );
    },
    async list(engine, [id, prefix]) {
      const hear = (stored, isAll) => tell("listed", id, isAll ? "all" : null, ...flat(stored));
      const { signal } = listings[id] = new AbortController();
      if (!engine.list) throw { name: "Unavailable", message: "It cannot list keys." };
      await null; // the engine may tell at once: the program has to know of the call then
      if (!signal.aborted) await engine.list(prefix, hear, signal, fail(id));
    },
    unlist(_, [id]) {
      listings[id]?.abort();
      delete listings[id];
    },
    entries(_, words) {
      entries = records(words);
    },
  };
  leaving.addEventListener("abort", () => {
    for (const id in listings) listings[id].abort();
  });
  return {
    engine_find: (pointer, count) => +!!engines[text(pointer, count)],
    engine_send(pointer, count) {
      const [verb, name, ...words] = JSON.parse(text(pointer, count));
      if (!engines[name]) return;
      calls[verb](engines[name], words, name)?.catch(fail(words[0]));
      return 1;
    },
  };
};
