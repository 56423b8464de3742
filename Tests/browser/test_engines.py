"""The contract of engines, JavaScript/testing/contract.js, for the engines of browsers."""

import pytest
from website import WEB

SCRIPTS = WEB.parent / "JavaScript"
NAMES = ["indexeddb.js", "testing/contract.js", "testing/rules.js", "testing/clients.js"]
PAGE = "<!DOCTYPE html><meta charset=utf-8><title>Engines</title><link rel=icon href=data:,>"
FAILURES = """
  (async () => {
    const { indexedDB } = await import("/indexeddb.js");
    const { contractFailures } = await import("/testing/contract.js");
    const options = { severalKeys: true };
    return [
      await contractFailures(() => indexedDB(window), options),
      await contractFailures(() => indexedDB(window), options),
    ];
  })()
"""

# 200 clients add one each; those with a lost answer commit again.
CLIENTS = """
  (async () => {
    const engine = (await import("/indexeddb.js")).indexedDB(window), key = "counted by many";
    const rebase = ([{ revision, text }]) => [{ key, expected: revision, text: `${+text + 1}` }];
    const add = (number) => {
      const entries = [{ key, expected: -1, text: "" }];
      return engine.commit({ client: `${number}-x`, after: 0, through: 1, entries }, rebase);
    };
    for (let number = 0; number < 200; number++) await add(number);
    for (let number = 199; number >= 136; number--) await add(number);
    const { stored: [{ text, seen }] } = await engine.load([key], "somebody");
    return [text, Object.keys(seen)];
  })()
"""


# A value is lost twice, and the clock is set back in between; then the program is stopped.
CLOCK = """
  (async () => {
    const { indexedDB } = await import("/indexeddb.js"), { now } = Date, heard = [];
    const [one, other] = [indexedDB(window), indexedDB(window)], ending = new AbortController();
    const commit = (engine, client, step, rebase) => {
      const entries = [{ key: "a", expected: -1, text: "" }];
      return engine.commit({ client, after: step, through: step + 1, entries }, rebase);
    };
    const lose = ([{ text }]) => [{ key: "copy", expected: null, text }];
    const set = ([{ revision }]) => [{ key: "a", expected: revision, text: "1" }];
    one.watch((stored) => heard.push(...stored), undefined, ending.signal);
    await commit(one, "one", 0, set);
    await commit(one, "one", 1, lose);
    const [before] = (await one.load(["copy"], "")).stored;
    Date.now = () => 1000;
    await commit(other, "other", 0, lose);
    Date.now = now;
    const [after] = (await one.load(["copy"], "")).stored;
    while (!heard.length) await new Promise((resolve) => setTimeout(resolve, 1));
    ending.abort();
    const count = heard.length, told = new Promise((resolve) => {
      new BroadcastChannel("sharing").onmessage = resolve;
    });
    await commit(other, "other", 1, set);
    await told; // and so would the stopped program have been, which listens for longer
    await one.load(["a"], "");
    return [after.revision > before.revision, heard.length - count];
  })()
"""


@pytest.mark.rule("R30")
def test_the_revisions_of_a_copy_grow_also_when_the_clock_is_set_back(open_tab, website):
    website.answer("engines.html", PAGE)
    website.answer("indexeddb.js", (SCRIPTS / "indexeddb.js").read_bytes(), "text/javascript")
    grows, _ = open_tab("engines.html").value(CLOCK)
    assert grows


@pytest.mark.rule("R30")
def test_an_engine_tells_a_stopped_program_nothing(open_tab, website):
    website.answer("engines.html", PAGE)
    website.answer("indexeddb.js", (SCRIPTS / "indexeddb.js").read_bytes(), "text/javascript")
    _, count = open_tab("engines.html").value(CLOCK)
    assert count == 0


# Commits that begin with the last value stored here, which is outdated.
OUTDATED = """
  (async () => {
    const { indexedDB } = await import("/indexeddb.js"), key = "a";
    const [one, other] = [indexedDB(window), indexedDB(window)];
    const commit = (engine, client, after, expected, text, rebase) =>
      engine.commit(
        { client, after, through: after + 1, entries: [{ key, expected, text }] },
        rebase ?? (([{ revision }]) => [{ key, expected: revision, text }]),
      );
    const stored = async () => (await one.load([key, "b"], "")).stored;
    const { stored: [{ revision }] } = await commit(one, "one", 0, -1, "1");
    const before = await stored();
    await commit(one, "one", 0, revision, "again");
    const again = await stored();
    await commit(other, "other", 0, revision, "2");
    const theirs = await stored();
    const copy = ([{ text }]) => [{ key: "b", expected: null, text }];
    await commit(one, "one", 1, revision, "lost", copy);
    const [a, { text }] = await stored();
    const { result } = await new Promise((resolve) => {
      window.indexedDB.open("sharing").onsuccess = ({ target }) => resolve(target);
    });
    const values = () => result.transaction("values", "readwrite").objectStore("values");
    const keys = () => new Promise((resolve) => {
      values().getAllKeys().onsuccess = ({ target }) => resolve("" + target.result);
    });
    values().clear();
    await commit(other, "other", 1, theirs[0].revision, "lost", () => []);
    return [[before, theirs[0], "2", ""], [again, a, text, await keys()]];
  })()
"""


@pytest.mark.rule("R28")
def test_indexeddb_stores_nothing_of_a_commit_from_an_outdated_revision(open_tab, website):
    website.answer("engines.html", PAGE)
    website.answer("indexeddb.js", (SCRIPTS / "indexeddb.js").read_bytes(), "text/javascript")
    expected, found = open_tab("engines.html").value(OUTDATED)
    assert found == expected


# The store answers late. `late()` immediately advances all timers that an engine waits for.
LATE = """
  (async () => {
    const { indexedDB } = await import("/indexeddb.js"), timers = [], page = {};
    const slow = {
      indexedDB: window.indexedDB,
      BroadcastChannel,
      setTimeout: (run) => timers.push(run),
      clearTimeout: (number) => timers[number - 1] = () => {},
      addEventListener: (type, hear) => page[type] = hear,
    };
    const late = () => timers.splice(0).forEach((run) => run());
    const end = (call) => call.then(() => "done", (error) => error.name ?? error.message);
    const commit = (engine, key, text, rebase) => {
      const entries = [{ key, expected: rebase ? -1 : null, text }];
      return end(engine.commit({ client: key + text, after: 0, through: 1, entries }, rebase));
    };
    // Calls `run` when the engine has stored the text, but its transaction has not ended.
    const commitAndThen = (engine, key, text, run) => {
      const entry = { key, expected: null };
      const get = () => {
        Promise.resolve().then(run);
        return text;
      };
      Object.defineProperty(entry, "text", { get });
      return end(engine.commit({ client: "then", after: 0, through: 1, entries: [entry] }));
    };
    // An engine, and its heard texts.
    const follow = (window) => {
      const engine = indexedDB(window), heard = [];
      engine.watch((stored) => heard.push(...stored.map(({ key, text }) => key + text)));
      return [engine, heard];
    };
    const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
    const [one, heard] = follow(slow);
    await one.load(["a"], "");
    const { result } = await new Promise((resolve) => {
      window.indexedDB.open("sharing").onsuccess = ({ target }) => resolve(target);
    });
    // Until it is released, nobody else has a transaction.
    const hold = () => {
      const values = result.transaction("values", "readwrite").objectStore("values");
      let isHeld = true;
      const go = () => values.get("a").onsuccess = () => isHeld && go();
      go();
      return () => isHeld = false;
    };
    const outcomes = {};
    %s
    return outcomes;
  })()
"""
TOO_LATE = """
  const [other, theirs] = follow(window);
  await commit(other, "a", "1");
  outcomes.commit = await commitAndThen(one, "a", "2", late);
  while (!theirs.length) await pause();
  outcomes.theirs = theirs;
"""
LEFT = """
  const [other, theirs] = follow(window);
  await commit(other, "a", "1");
  outcomes.commit = await commitAndThen(one, "a", "2", () => page.pagehide());
  while (!theirs.length) await pause();
  outcomes.theirs = theirs;
"""
LEFT_LATER = """
  const messages = [], listener = new BroadcastChannel("sharing");
  await commit(one, "a", "1");
  follow(window);
  await pause();
  listener.onmessage = ({ data }) => messages.push(data);
  page.pagehide();
  await pause();
  outcomes.messages = messages;
"""
# For example, messages of another version of this program.
GARBAGE = """
  outcomes.errors = [];
  addEventListener("error", ({ message }) => outcomes.errors.push(message));
  addEventListener("unhandledrejection", ({ reason }) => outcomes.errors.push(`${reason}`));
  const channel = new BroadcastChannel("sharing"), other = indexedDB(window);
  const key = { text: "1", revision: 1 }, revision = { key: "a", text: "1", revision: -0.5 };
  const text = { key: "a", text: 1, revision: 2 };
  for (const data of [1, "b", {}, [1, "c"], [null], [[]], [key], [revision, text], { length: 1 }]) {
    channel.postMessage(data);
  }
  await commit(other, "a", "1");
  while (!heard.includes("a1")) await pause();
  await pause();
  page.pagehide();
  outcomes.heard = heard.filter((each) => !each.endsWith("null"));
"""
RETURNED = """
  await commit(one, "a", "1");
  page.pagehide();
  const silent = { addEventListener() {}, BroadcastChannel: class { postMessage() {} } };
  await commit(indexedDB({ ...slow, ...silent }), "a", "2");
  page.pageshow();
  while (!heard.length) await pause();
  const [other, theirs] = follow(window);
  await pause();
  await commit(one, "b", "1");
  while (!theirs.length) await pause();
  outcomes.theirs = [heard[0], ...theirs.filter((each) => each !== "a2")];
"""
ABORTED = """
  const release = hold(), calls = [end(one.load(["a"], "")), end(one.load(["b"], ""))];
  await pause();
  late();
  outcomes.calls = await Promise.all(calls);
  release();
  const refuse = () => {
    throw { name: "RebaseError" };
  };
  outcomes.commit = await commit(one, "a", "1", refuse);
  page.pagehide(); // before the transaction tells that it is aborted
  outcomes.left = await end(one.load(["a"], ""));
"""
# In the browser's cache, a transaction would block all others.
CACHED = """
  const release = hold(), call = end(one.load(["a"], ""));
  await pause();
  page.pagehide();
  const waits = pause().then(() => "It waits.");
  outcomes.later = await Promise.race([end(one.load(["b"], "")), waits]);
  release();
  outcomes.underWay = await call;
"""


def late_outcomes(open_tab, website, what):
    website.answer("engines.html", PAGE)
    website.answer("indexeddb.js", (SCRIPTS / "indexeddb.js").read_bytes(), "text/javascript")
    return open_tab("engines.html").value(LATE % what)


@pytest.mark.rule("R30")
def test_indexeddb_tells_others_also_what_is_stored_too_late_for_its_own_program(open_tab, website):
    wanted = {"commit": "It does not answer.", "theirs": ["a2"]}
    assert late_outcomes(open_tab, website, TOO_LATE) == wanted


@pytest.mark.rule("R30")
def test_indexeddb_tells_others_also_what_is_stored_after_its_page_is_left(open_tab, website):
    wanted = {"commit": "done", "theirs": ["a2"]}
    assert late_outcomes(open_tab, website, LEFT) == wanted


@pytest.mark.rule("R30")
def test_indexeddb_tells_nothing_where_all_is_stored_when_its_page_is_left(open_tab, website):
    assert late_outcomes(open_tab, website, LEFT_LATER) == {"messages": []}


@pytest.mark.rule("R30")
def test_indexeddb_ignores_messages_that_it_does_not_understand(open_tab, website):
    assert late_outcomes(open_tab, website, GARBAGE) == {"errors": [], "heard": ["a1"]}


@pytest.mark.rule("R29")
def test_indexeddb_tells_nothing_old_of_what_others_have_stored_while_its_page_was_away(
    open_tab, website
):
    assert late_outcomes(open_tab, website, RETURNED) == {"theirs": ["a2", "b1"]}


@pytest.mark.rule("R29")
def test_indexeddb_gives_up_several_calls_at_once_and_can_be_left_then(open_tab, website):
    late = "It does not answer."
    wanted = {"calls": [late, late], "commit": "RebaseError", "left": "AbortError"}
    assert late_outcomes(open_tab, website, ABORTED) == wanted


@pytest.mark.rule("R29")
def test_indexeddb_has_no_transaction_while_its_page_is_left(open_tab, website):
    wanted = {"underWay": "AbortError", "later": "AbortError"}
    assert late_outcomes(open_tab, website, CACHED) == wanted


@pytest.mark.rule("R28")
def test_indexeddb_knows_the_last_64_clients_of_a_record(open_tab, website):
    website.answer("engines.html", PAGE)
    website.answer("indexeddb.js", (SCRIPTS / "indexeddb.js").read_bytes(), "text/javascript")
    known = [f"{number}-x" for number in range(199, 135, -1)]
    assert open_tab("engines.html").value(CLIENTS) == ["200", known]


@pytest.mark.rule("R31")
def test_indexeddb_keeps_the_contract_of_engines_also_when_it_has_values(open_tab, website):
    website.answer("engines.html", PAGE)
    for name in NAMES:
        website.answer(name, (SCRIPTS / name).read_bytes(), "text/javascript")
    assert open_tab("engines.html").value(FAILURES) == [[], []]
