"""A count in a revision store whose database is missing, full, closed or damaged."""

import re

import pytest

from conftest import DAMAGED, FULL, UNREACHABLE, await_start, expect_details, expect_notice
from inspector import click_behind, expect_row, open_inspector

# Scripts that make IndexedDB fail for the first page of a test.
UNAVAILABLE = {
    "missing": "Object.defineProperty(window, 'indexedDB', { value: undefined })",
    "denied": """
        IDBFactory.prototype.open = () => { throw new DOMException("No.", "SecurityError"); };
    """,
    "broken": """
        const { open } = IDBFactory.prototype;
        IDBFactory.prototype.open = function (name) {
          const request = open.call(this, name, 1), error = new DOMException("No.", "UnknownError");
          Object.defineProperty(request, "error", { value: error });
          request.addEventListener("success", (event) => {
            event.stopImmediatePropagation();
            request.onerror();
          });
          return request;
        }
    """,
}
# Scripts that keep IndexedDB from answering while `isStalled`.
STALLED = {
    "open": """
        const { open } = IDBFactory.prototype;
        IDBFactory.prototype.open = function (...given) {
          return isStalled ? {} : open.apply(this, given);
        };
    """,
    "transaction": """
        const { transaction } = IDBDatabase.prototype;
        IDBDatabase.prototype.transaction = function (...given) {
          const store = new Proxy({}, { get: () => () => ({}) });
          return isStalled
            ? { abort() {}, objectStore: () => store }
            : transaction.apply(this, given);
        };
    """,
}
INSPECTED = "indexedDB tally"
# Reads the text of the record that a method of the object store of values returns.
VALUES = """
  new Promise((resolve, reject) => {
    const request = indexedDB.open("sharing");
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const { result } = request, all = result.transaction("values", "readwrite");
      const asked = all.objectStore("values")[args[0]](...args.slice(1));
      all.oncomplete = () => { result.close(); resolve(asked.result?.text ?? null); };
    };
  })
"""


JOURNALS = "Object.keys(localStorage).filter((key) => key.startsWith('sharing.journal.')).length"


def overwrite(tab, record):
    """Replaces the tally's record, which contains the clients' last steps. Therefore waits until
    their journals are gone."""
    tab.expect(JOURNALS, 0)
    tab.value(VALUES, "put", record, "tally")


def stored(tab, key="tally"):
    return tab.value(VALUES, "get", key)


def expect_stored(tab, text):
    tab.expect(VALUES.replace("...args.slice(1)", "'tally'").replace("args[0]", "'get'"), text)


def only_first(script):
    """Returns a script that runs in the first page of a test."""
    guard = "localStorage.getItem('first')"
    return f"if (!{guard}) {{ localStorage.setItem('first', 'gone'); {script} }}"


@pytest.mark.rule("R29")
@pytest.mark.parametrize("how", UNAVAILABLE)
def test_without_a_database_it_is_told_and_the_next_page_stores_it(tab, website, how):
    website.begin_with(only_first(UNAVAILABLE[how]))
    one = tab()
    one.click("#tally-add")
    one.expect_text("#tally", "1")
    one.expect_text("#tally-pending", "Saving…")
    expect_notice(one, re.compile("cannot be reached|Access to stored values is denied"))
    expect_details(website, '"indexedDB" has failed')
    one.click("#tally-add")
    other = tab()
    other.expect_text("#tally", "2")
    expect_stored(other, "2")


@pytest.mark.rule("R29")
def test_a_database_of_a_newer_program_is_left_alone(open_tab, tab, website):
    website.answer("empty", '<link rel="icon" href="data:,">')
    one = open_tab("empty")
    one.value(
        """
        new Promise((resolve) => {
          const request = indexedDB.open("sharing", 2);
          request.onupgradeneeded = () => request.result.createObjectStore("values");
          request.onsuccess = () => { request.result.close(); resolve(); };
        })
        """
    )
    two = tab()
    two.click("#tally-add")
    two.expect_text("#tally", "1")
    expect_notice(two, UNREACHABLE)
    expect_details(website, '"indexedDB" has failed: VersionError')
    assert stored(two) is None


@pytest.mark.rule("R29")
def test_without_room_it_is_told_and_stored_when_there_is_room_again(tab, website):
    website.begin_with(
        """
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = function (...given) {
          if (window.isFull) throw new DOMException("It is full.", "QuotaExceededError");
          return put.apply(this, given);
        };
        """
    )
    one = tab()
    one.click("#tally-add")
    expect_stored(one, "1")
    one.value("void (window.isFull = true)")
    one.click("#tally-add")
    one.expect_text("[data-text=storage-error]", FULL)
    one.expect_text("#tally", "2")
    assert stored(one) == "1"
    one.value("void (window.isFull = false)")
    one.expect_text("#tally-pending", "")
    one.expect_text("[data-text=storage-error]", "")
    expect_stored(one, "2")


@pytest.mark.rule("R29")
def test_what_a_full_database_does_not_take_is_pending_after_a_reload(tab, website):
    website.begin_with(
        """
        const { put } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.put = function (...given) {
          if (sessionStorage.isFull) throw new DOMException("It is full.", "QuotaExceededError");
          return put.apply(this, given);
        };
        """
    )
    one = tab()
    one.click("#tally-add")
    expect_stored(one, "1")
    one.value("void (sessionStorage.isFull = true)")
    one.click("#tally-add")
    one.reload()
    await_start(one)
    one.expect_text("#tally", "2")
    one.expect_text("#tally-pending", "Saving…")
    open_inspector(one)
    expect_row(one, INSPECTED, value="1")
    one.expect_text("[data-text=storage-error]", FULL)
    click_behind(one, "#tally-add")
    expect_row(one, INSPECTED, status="not saved", problem=re.compile("It is full"), value="1")
    assert stored(one) == "1"
    one.value("void (sessionStorage.removeItem('isFull'))")
    click_behind(one, "#tally-add")
    one.expect_text("#tally-pending", "")
    one.expect_text("#tally", "4")
    expect_row(one, INSPECTED, status="stored", value="4")
    one.expect_text("[data-text=storage-error]", "")
    expect_stored(one, "4")


@pytest.mark.rule("R25")
def test_the_inspector_shows_a_damaged_record(tab):
    one = tab()
    one.click("#tally-add")
    expect_stored(one, "1")
    overwrite(one, {"revision": 5, "text": "[1,"})
    other = tab()
    open_inspector(other)
    expect_row(other, INSPECTED, status="error", problem=re.compile("damaged"), value="[1,")


@pytest.mark.rule("R26")
def test_without_room_for_the_journal_it_is_stored_all_the_same(tab, website):
    website.begin_with(
        """
        const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (key, value) {
          if (key.startsWith("sharing.")) throw new DOMException("Full.", "QuotaExceededError");
          return setItem.call(this, key, value);
        };
        """
    )
    one, other = tab(), tab()
    one.click("#tally-add")
    other.expect_text("#tally", "1")
    expect_stored(one, "1")


@pytest.mark.rule("R29")
@pytest.mark.parametrize("how", ["closed", "deleted"])
def test_a_database_that_is_gone_is_opened_again(tab, website, how):
    website.begin_with(
        """
        const { open } = IDBFactory.prototype;
        window.opened = [];
        IDBFactory.prototype.open = function (...given) {
          const request = open.apply(this, given);
          request.addEventListener("success", () => opened.push(request.result));
          return request;
        }
        """
    )
    one, other = tab(), tab()
    one.click("#tally-add")
    other.expect_text("#tally", "1")
    if how == "closed":
        one.value("opened.forEach((each) => each.close())")
    else:
        one.value(
            """
            new Promise((resolve) => indexedDB.deleteDatabase("sharing").onsuccess = resolve)
              .then(() => null)
            """
        )
    one.click("#tally-add")
    other.expect_text("#tally", "2" if how == "closed" else "1")
    one.expect_text("#tally", "2" if how == "closed" else "1")
    one.expect_text("[data-text=storage-error]", "")
    other.click("#tally-add")
    one.expect_text("#tally", "3" if how == "closed" else "2")


@pytest.mark.rule("R29")
@pytest.mark.parametrize("what", STALLED)
def test_a_database_that_does_not_answer_is_told_and_asked_again(tab, website, what):
    soon = "const wait = setTimeout; window.setTimeout = (run, time) => wait(run, time / 40);"
    website.begin_with(f"window.isStalled = true; {soon} {STALLED[what]}")
    one = tab()
    one.click("#tally-add")
    expect_notice(one, UNREACHABLE)
    expect_details(website, "does not answer")
    one.expect_text("#tally", "1")
    one.value("void (window.isStalled = false)")
    one.expect_text("#tally-pending", "")
    expect_stored(one, "1")


@pytest.mark.rule("R15")
@pytest.mark.parametrize(
    "record",
    [
        {"revision": 5, "text": "[1,"},
        {"revision": 5, "text": 7},
        {"revision": 2**53, "text": "5"},  # the next one would be the same
        "not a record",
    ],
)
def test_a_record_that_does_not_decode_is_told_and_kept(tab, website, record):
    one = tab()
    one.click("#tally-add")
    expect_stored(one, "1")
    overwrite(one, record)
    other = tab()
    other.expect_text("[data-text=storage-error]", DAMAGED)
    other.click("#tally-add")
    other.expect_text("#tally-pending", "")
    other.expect("document.querySelector('#tally').textContent", re.compile("[0-9]"))
    assert stored(other, "tally.corrupt") is not None
    assert stored(other) == other.text("#tally")


@pytest.mark.rule("R28")
def test_an_update_that_traps_stops_its_page_and_nothing_is_lost(tab, problems):
    first = tab()
    first.click("#tally-add")
    expect_stored(first, "1")
    overwrite(first, {"revision": 5, "text": "2147483647"})  # Int has 32 bits
    one, other = tab(), tab()
    one.expect_text("#tally", "2147483647")
    one.click("#tally-add")
    one.expect_text("[data-text=program-error]", re.compile(r"has stopped\. Stored values are safe"))
    assert problems != []
    problems.clear()
    one.reload()
    for each in (one, other):
        each.expect_text("#tally", "2147483647")
        each.expect_text("#tally-pending", "")
    expect_stored(other, "2147483647")


@pytest.mark.rule("R28")
@pytest.mark.parametrize("text", ["nonsense", "[1,2", "{}", '{"steps":[{"key":"tally"}]}', ""])
def test_a_journal_that_is_damaged_is_told_and_left_alone(tab, website, problems, text):
    website.begin_with(f"localStorage.setItem('sharing.journal.x.1', {text!r})")
    one = tab()
    one.click("#tally-add")
    expect_stored(one, "1")
    one.expect_text("#tally-pending", "")
    assert one.value("localStorage.getItem('sharing.journal.x.1')") == text
    told = [problem for problem in problems if "This program cannot read the journal" in problem]
    assert told
    for problem in told:
        problems.remove(problem)


@pytest.mark.rule("R29")
def test_a_sandboxed_page_counts_in_memory_and_says_so(open_tab, website):
    policy = website.file("index.html").replace("'self'", website.address)
    website.answer("index.html", policy)
    icon = '<link rel="icon" href="data:,">'
    website.answer("sandbox", f'{icon}<iframe sandbox="allow-scripts" src="index.html"></iframe>')
    frame = open_tab("sandbox").frame("iframe")
    await_start(frame)
    frame.click("#tally-add")
    frame.expect_text("#tally", "1")
    frame.expect_text("#tally-pending", "")
    frame.expect_text("[data-text=storage-error]", re.compile("not allowed to store"))
