"""Every kind of key in a real page: KeyProgram, and other tabs that write to its storage."""

import json
import pathlib
import re

import pytest
from own_chromium import OwnChromium

PAGES = pathlib.Path(__file__).parent / "pages"
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".build/keys.wasm"

# Blocks the events of other tabs' changes.
DEAF = "addEventListener('storage', (event) => event.stopImmediatePropagation());"


@pytest.fixture
def keys(website, open_tab):
    """Returns a function that opens a page of the program in another tab, and waits until it
    runs."""
    serve(website, keys=PROGRAM)
    website.answer("empty", '<title>Empty</title><link rel="icon" href="data:,">')

    def open_running():
        tab = open_tab("keys.html")
        await_program(tab)
        return tab

    return open_running


@pytest.fixture
def store(keys, open_tab):
    """Returns another tab of the same origin, without a program."""
    tab = open_tab("empty")
    tab.value("localStorage.length")  # in WebKit, tabs share the storage only after that
    return tab


def serve(website, **programs):
    """Serves the page of programs with these names."""
    website.answer("keys.html", (PAGES / "keys.html").read_text())
    website.answer("keys.js", (PAGES / "keys.js").read_text(), "text/javascript")
    for name, path in programs.items():
        if not path.exists():
            pytest.fail(f"{path} is missing: run ./build.sh test browser", pytrace=False)
        website.answer(f"{name}.wasm", path.read_bytes(), "application/wasm")


def await_program(tab):
    tab.expect_text("#status", "ready")


def send(tab, name, text=""):
    tab.value("send(...args)", name, text)


def put(tab, key, text):
    """Stores or removes an item, like a page without a program."""
    action = "removeItem" if text is None else "setItem"
    tab.value(f"localStorage.{action}(...args)", *([key] if text is None else [key, text]))


def sync(tab, store):
    """Waits until a tab has received the events of all earlier changes by another tab."""
    number = int(store.stored() or "0") + 1
    put(store, "count", str(number))
    tab.expect_text("#count", str(number))


# MARK: Output

# Records the lines that the page logs, and its warnings.
LINES = "globalThis.lines = []; console.log = console.warn = (line) => lines.push(line);"


def test_each_printed_line_is_in_the_console_at_once(keys, website):
    website.begin_with(LINES)
    page = keys()
    for count, line in enumerate(["one", "two", "", "3 és 🔑"], 1):
        send(page, "print", line)
        assert page.value("lines.length") == count
        assert page.value("lines.at(-1)") == line


def test_a_line_that_is_printed_in_parts_is_in_the_console_once_it_ends(keys, website):
    website.begin_with(LINES)
    page = keys()
    send(page, "print", "first")
    send(page, "print a part", "second: ")
    send(page, "print a part", "1, ")
    assert page.value("lines") == ["first"]
    send(page, "print", "2")
    assert page.value("lines") == ["first", "second: 1, 2"]


def test_an_issue_is_a_warning_in_the_console_and_shown_with_the_errors_of_values(keys, website):
    website.begin_with(LINES)
    page = keys()
    send(page, "two types")
    [line] = page.value("lines")
    assert "This key's id is in use with another type of value" in line
    page.expect_text("#storage-error", line)


# MARK: Debounced saves


def test_what_was_typed_last_survives_closing_the_tab_at_once(keys, store):
    tab = keys()
    tab.type("#typed", "Hello")
    tab.expect_text("#draft", "Hello")
    assert store.stored("draft") is None, "it is put off for an hour"
    tab.close()
    store.expect_stored("draft", '"Hello"')
    keys().expect_text("#draft", "Hello")


def test_what_was_typed_last_survives_leaving_and_reloading(keys, website):
    tab = keys()
    tab.type("#typed", "a")
    tab.reload()
    await_program(tab)
    tab.expect_text("#draft", "a")
    tab.type("#typed", "b")
    tab.goto(f"{website.address}empty")
    assert tab.stored("draft") == '"ab"'


def test_a_program_that_is_stopped_writes_what_was_put_off_and_hears_of_nothing_more(keys, store):
    tab = keys()
    send(tab, "draft", "Hello")
    assert tab.stored("draft") is None, "it is put off for an hour"
    tab.value("program.then((program) => program.stop())")
    assert tab.stored("draft") == '"Hello"'
    send(tab, "draft", ", not stored")
    send(tab, "count")
    put(store, "count", "9")
    tab.expect_stored("count", "9")
    tab.value("program.then((program) => (program.changed(), program.stop()))")
    assert tab.text("#draft") == "Hello"
    assert tab.text("#count") == "0"
    assert store.stored("draft") == '"Hello"'


def test_a_value_that_rests_is_written_by_itself(keys, store):
    tab = keys()
    send(tab, "soon", "Hello")
    store.expect_stored("soon", '"Hello"')


def test_leaving_with_nothing_to_write_writes_nothing_and_brings_nothing_back(keys, store):
    tab = keys()
    tab.type("#typed", "a")
    tab.reload()
    await_program(tab)
    put(tab, "draft", None)  # a page gets no events of its own writes
    put(tab, "list", "[ ]")
    tab.close()
    again = keys()
    again.expect_text("#draft", "")
    assert again.stored("draft") is None
    assert again.stored("list") == "[ ]"


def test_a_removed_item_is_not_brought_back_by_what_was_to_be_written(keys, store):
    tab = keys()
    tab.type("#typed", "a")
    tab.reload()
    await_program(tab)
    tab.type("#typed", "b")
    put(store, "draft", None)
    tab.expect_text("#draft", "")
    tab.close()
    keys().expect_text("#draft", "")
    assert store.stored("draft") is None


def test_another_tabs_text_comes_before_one_that_was_put_off_and_neither_is_lost(keys, store):
    tab = keys()
    tab.type("#typed", "mine")
    tab.expect_text("#draft", "mine")
    put(store, "draft", '"theirs"')
    tab.expect_text("#draft", "theirs")
    store.expect_stored("draft.replaced", re.compile(r'"text":"\\"mine\\""'))
    assert "draft.replaced" in tab.text("#problem")
    tab.type("#typed", "!")
    tab.expect_text("#draft", "theirs!")
    tab.close()
    store.expect_stored("draft", '"theirs!"')


def test_a_change_applies_to_another_tabs_text_that_nobody_has_told_of(keys):
    tab = keys()
    tab.type("#typed", "mine")
    put(tab, "draft", '"theirs"')
    tab.type("#typed", "!")
    tab.expect_text("#draft", "theirs!")
    assert [each["text"] for each in json.loads(tab.stored("draft.replaced"))] == ['"mine"']


# MARK: Events of other tabs


def test_another_tab_sets_removes_and_clears(keys, store):
    tab = keys()
    put(store, "list", '["a"]')
    tab.expect_text("#list", "a")
    put(store, "list", '["a","b"]')
    tab.expect_text("#list", "a, b")
    put(store, "list", None)
    tab.expect_text("#list", "")
    put(store, "list", '["c"]')
    put(store, "file:notes.json", '["d"]')
    put(store, "name", '"Ada"')
    tab.expect_text("#list", "c")
    tab.expect_text("#notes", "d")
    tab.expect_text("#name", "Ada")
    store.value("localStorage.clear()")
    tab.expect_text("#list", "")
    tab.expect_text("#notes", "")
    tab.expect_text("#name", "nobody")
    assert store.value("localStorage.length") == 0, "nothing is written back"


def test_the_same_text_other_keys_other_areas_and_ones_own_echo_change_nothing(keys, store):
    tab = keys()
    send(tab, "list", "a")
    store.expect_stored("list", '["a"]')
    before = tab.value("shown.list")
    put(store, "list", '["a"]')
    put(store, "lis", '["b"]')
    put(store, "list ", '["b"]')
    store.value("sessionStorage.setItem('list', '[\"b\"]')")
    tab.value("sessionStorage.setItem('list', '[\"b\"]')")
    sync(tab, store)
    assert tab.text("#list") == "a"
    assert tab.value("shown.list") == before


def test_damage_by_another_tab_is_kept_and_said(keys, store):
    tab = keys()
    put(store, "list", '["a"')
    tab.expect_text("#list", "")
    store.expect_stored("list.corrupt", '["a"')
    assert "list.corrupt" in tab.text("#problem")
    send(tab, "list", "b")
    assert tab.stored("list") == '["b"]'
    assert tab.stored("list.corrupt") == '["a"'
    assert tab.text("#problem") == ""


def test_a_lone_surrogate_is_damage_that_is_kept(keys, store):
    store.value("localStorage.setItem('list', '[\"\\\\ud800\"]')")
    tab = keys()
    tab.expect_text("#list", "")
    assert tab.stored("list.corrupt") == '["\\ud800"]'


def test_a_raw_lone_surrogate_is_damage_of_which_the_very_text_is_kept(keys, store):
    store.value("localStorage.setItem('list', '[\"\\ud800\"]')")
    store.value("localStorage.setItem('name', 'Ada\\udc00')")
    tab = keys()
    tab.expect_text("#list", "")
    tab.expect_text("#name", "nobody")
    for key in ("list", "name"):
        same = "localStorage.getItem(args[0] + '.corrupt') === localStorage.getItem(args[0])"
        assert tab.value(same, key), key
    send(tab, "list", "b")
    assert tab.stored("list") == '["b"]'
    assert tab.value("localStorage.getItem('list.corrupt').isWellFormed()") is False


# MARK: Changes whose events have not arrived


def test_two_deaf_tabs_lose_no_increment(keys, website):
    website.begin_with(DEAF)
    one, other = keys(), keys()
    for count in range(0, 40, 2):
        # After the browser shows one tab the values of the other one, nothing may be lost.
        one.expect_stored("count", str(count) if count else None)
        send(one, "count")
        other.expect_stored("count", str(count + 1))
        send(other, "count")
    assert other.stored() == "40"
    assert other.text("#count") == "40"


def test_two_deaf_tabs_that_each_add_to_a_list_keep_both(keys, website):
    website.begin_with(DEAF)
    one, other = keys(), keys()
    send(one, "list", "A")
    other.expect_stored("list", '["A"]')
    assert other.text("#list") == "", "it has heard of it"
    send(other, "list", "B")
    other.expect_text("#list", "A, B")
    one.expect_stored("list", '["A","B"]')
    send(one, "list", "C")
    assert one.stored("list") == '["A","B","C"]'


# MARK: Other storages than localStorage


def test_a_session_is_one_tabs_and_survives_a_reload(keys):
    one, other = keys(), keys()
    send(one, "visit", "first")
    send(other, "visit", "second")
    one.reload()
    await_program(one)
    one.expect_text("#visit", "first")
    other.expect_text("#visit", "second")
    assert one.value("sessionStorage.getItem('visit')") == '"first"'
    assert one.stored("visit") is None


def test_the_address_follows_the_program_and_the_program_the_address(keys):
    tab = keys()
    tab.expect_text("#route", "home")
    assert tab.value("location.hash") == ""
    send(tab, "route", "/zwei ü%")
    tab.expect("decodeURIComponent(location.hash)", "#/zwei ü%")
    tab.click("#link")
    tab.expect_text("#route", "linked")
    tab.value("void history.back()")
    tab.expect_text("#route", "/zwei ü%")
    tab.value("void history.back()")
    tab.expect_text("#route", "home")
    tab.value("void history.forward()")
    tab.expect_text("#route", "/zwei ü%")
    tab.value("void (location.hash = 'typed')")
    tab.expect_text("#route", "typed")
    tab.reload()
    await_program(tab)
    tab.expect_text("#route", "typed")


def test_a_text_is_kept_as_json_and_nil_as_nothing(keys):
    one, other = keys(), keys()
    send(one, "name", 'A "b" é 🔑\n')
    other.expect_text("#name", 'A "b" é 🔑')
    assert one.value("JSON.parse(localStorage.name)") == 'A "b" é 🔑\n'
    send(other, "forget name")
    one.expect_text("#name", "nobody")
    assert one.stored("name") is None


def test_a_reset_removes_the_item_in_every_tab(keys):
    one, other = keys(), keys()
    send(one, "list", "a")
    other.expect_text("#list", "a")
    send(other, "reset list")
    one.expect_text("#list", "")
    assert one.stored("list") is None


# MARK: Documents and versions


def test_a_storage_is_exported_and_imported_into_another(keys, store):
    one, other = keys(), keys()
    send(one, "list", "é 🔑")
    send(one, "name", "Ada")
    other.expect_stored("name", '"Ada"')
    send(other, "export")
    document = other.text("#document")
    assert json.loads(document) == {"list": '["é 🔑"]', "name": '"Ada"'}
    store.value("localStorage.clear()")
    one.expect_text("#name", "nobody")
    send(other, "import", document)
    one.expect_text("#list", "é 🔑")
    one.expect_text("#name", "Ada")
    other.expect_text("#name", "Ada")
    store.expect("({ ...localStorage })", json.loads(document))


def test_an_older_version_is_migrated_and_a_newer_one_left_alone(keys, store):
    put(store, "tags", '"old"')
    tab = keys()
    tab.expect_text("#tags", "old")
    assert tab.stored("tags") == '"old"', "it is written with the next change"
    send(tab, "tags", "new")
    assert tab.stored("tags") == '{"$version":2,"value":["old","new"]}'
    newer = '{"$version":3,"value":{"of":"another kind"}}'
    put(store, "tags", newer)
    tab.expect("document.querySelector('#problem').textContent.includes('version 3')", True)
    send(tab, "tags", "lost?")
    assert tab.stored("tags") == newer
    assert "version 3" in tab.text("#problem")


# The engine of `.indexedDB` with an unreachable database.
UNREACHABLE = """
  const fails = () => Promise.reject(new Error("as the test wants it"));
  window.engines = { indexedDB: { load: fails, commit: fails, watch() {} } };
"""
STORED = "Object.keys(localStorage).filter((name) => name.startsWith('sharing/keys.')).length"


@pytest.mark.rule("R28")
def test_a_program_of_one_file_is_prepared_and_journals_what_is_not_stored(keys, website):
    website.begin_with(UNREACHABLE)
    tab = keys()
    send(tab, "tally")
    send(tab, "tally")
    tab.expect_text("#tally", "2")
    assert tab.value(STORED) > 0
    tab.close()
    tab = keys()
    send(tab, "tally")
    tab.expect_text("#tally", "3")


@pytest.mark.rule("R22")
def test_a_program_of_one_file_has_the_stores_that_its_keys_use(keys, problems):
    tab = keys()
    send(tab, "visit", "a")
    send(tab, "own session")
    (problem,) = problems
    assert "'stores.session' is set after a key has used the previous one" in problem
    problems.clear()


@pytest.fixture
def chromium(browser, tmp_path):
    """Yields a Chromium that ignores too frequent changes of the address: Playwright's does not."""
    running = OwnChromium(browser.playwright, tmp_path)
    yield running
    running.kill()


@pytest.mark.needs("processes")
def test_an_address_that_changes_all_the_time_takes_the_changes(keys, website, chromium):
    """Chromium accepts 200 changes in ten seconds."""
    tab = chromium.open(website.address + "keys.html")
    await_program(tab)
    turns = """(async () => {
      for (let turn = 1; turn <= 300; turn += 1) {
        send("route", String(turn));
        await new Promise((resolve) => setTimeout(resolve, 8));
      }
      return document.getElementById("route").textContent;
    })()"""
    assert tab.value(turns) == "300"
    tab.expect("location.hash", "#300")
    assert tab.text("#route-problem") == ""
    assert tab.text("#route") == "300"
