"""Files that a person chooses, drops or gets: JavaScript/files.js, in pages/files.html."""

import base64
import pathlib

import pytest

PAGES = pathlib.Path(__file__).parent / "pages"

# Keeps the downloads in place of the browser: their names and bytes.
KEEP_DOWNLOADS = """
  globalThis.downloads = [];
  URL.createObjectURL = (blob) => (URL.last = blob, "#");
  HTMLAnchorElement.prototype.click = async function () {
    downloads.push([this.download, [...new Uint8Array(await URL.last.arrayBuffer())]]);
  };
"""


@pytest.fixture
def page(website, open_tab):
    website.begin_with(KEEP_DOWNLOADS)
    website.answer("files.html", (PAGES / "files.html").read_text())
    website.answer("files.js", (PAGES / "files.js").read_text(), "text/javascript")
    tab = open_tab("files.html")
    tab.expect("Array.isArray(globalThis.sent)", True)
    return tab


@pytest.fixture
def running(page):
    page.value("void start()")
    return page


def file_event(name, content=b"", action="import", problem="", key=None):
    """Returns the event of a file, as `sent` has it."""
    words = ["name", name, "problem", problem, "base64", base64.b64encode(content).decode()]
    return [f"{action}?", "\0".join(words if key is None else ["", key, *words])]


@pytest.mark.engines
@pytest.mark.parametrize("content", ["", "a", "ab", "\0é\n\r\n"])
def test_a_chosen_file_is_sent_with_its_name_and_bytes(running, content):
    running.value("choose('#chosen', ['a b.json', args[0]])", content)
    running.expect("sent", [file_event("a b.json", content.encode())])


def test_bytes_that_are_no_text_arrive(running):
    running.value("choose('#chosen', ['a.bin', new Uint8Array([0, 255, 254, 128])])")
    running.expect("sent", [file_event("a.bin", bytes([0, 255, 254, 128]))])


@pytest.mark.engines
def test_a_file_above_the_limit_is_not_read(running):
    running.value("choose('#chosen', ['at.json', '12345678'], ['over.json', '123456789'])")
    problem = "over.json is larger than 0.000008 MB."
    running.expect(
        "sent",
        [file_event("at.json", b"12345678"), file_event("over.json", problem=problem)],
    )


def test_the_limit_is_5_megabytes_without_data_limit(running):
    running.value("void drop('#zone', ['big.json', new Uint8Array(5_000_001)])")
    problem = "big.json is larger than 5 MB."
    running.expect("sent", [file_event("big.json", action="drop", problem=problem)])
    running.value("sent.length = 0, void drop('#zone', ['full.json', new Uint8Array(5_000_000)])")
    running.expect("sent[0]?.[1].length", len("name\0full.json\0problem\0\0base64\0") + 6_666_668)


@pytest.mark.engines
def test_dropped_files_are_sent_one_by_one(running):
    assert running.value("drop('#inner', ['a', 'one'], ['b', 'two'])") is False
    running.expect(
        "sent", [file_event("a", b"one", action="drop"), file_event("b", b"two", action="drop")]
    )


def test_files_are_dropped_in_their_place_only(running):
    assert running.value("drop('#elsewhere', ['a', 'one'])") is True
    running.value("choose('#chosen', ['b', 'two'])")
    running.expect("sent", [file_event("b", b"two")])


def test_the_same_file_can_be_chosen_again(running):
    running.value("choose('#chosen', ['a', 'one'])")
    running.expect("[sent.length, document.querySelector('#chosen').value]", [1, ""])
    running.value("choose('#chosen', ['a', 'one'])")
    running.expect("sent.length", 2)


def test_of_several_files_those_with_problems_come_last(running):
    running.value("choose('#chosen', ['large', '123456789'], ['a', 'one'], ['b', 'two'])")
    problem = "large is larger than 0.000008 MB."
    running.expect(
        "sent",
        [file_event("a", b"one"), file_event("b", b"two"), file_event("large", problem=problem)],
    )


def test_a_file_that_cannot_be_read_is_reported(running):
    running.value(
        "FileReader.prototype.readAsDataURL = function () { this.onerror() },"
        "choose('#chosen', ['a', 'one'])"
    )
    running.expect("sent", [file_event("a", problem="a cannot be read.")])


def test_a_file_of_a_row_is_sent_with_the_key(running):
    running.value("choose('li:nth-of-type(2) .picture', ['a', 'one'])")
    running.expect("sent", [file_event("a", b"one", action="picture", key="b")])


@pytest.mark.engines
def test_a_file_that_is_chosen_before_the_program_runs_is_sent_then(page):
    page.value("choose('#chosen', ['a', 'one'])")
    page.expect("document.querySelector('#chosen').value", "")
    page.value("new Promise((done) => setTimeout(done, 50))")
    assert page.value("sent") == []
    page.value("void start()")
    page.expect("sent", [file_event("a", b"one")])


def test_a_refused_file_leaves_what_is_typed_elsewhere(running):
    running.type("#title", "Hello")
    running.value("void (sent.length = 0, globalThis.reason = 'No.')")
    running.value("choose('#chosen', ['a', 'one'])")
    running.expect_text("#refused", "No.")
    assert running.value("document.querySelector('#title').value") == "Hello"
    running.value("void (globalThis.reason = '')")
    running.type("#title", "!")
    running.expect_text("#refused", "")
    assert running.value("document.querySelectorAll('form').length") == 0


@pytest.mark.engines
def test_a_download_has_its_name_and_bytes(running):
    text = base64.b64encode(bytes([0, 255, 10, 13])).decode()
    running.value("page.set('sharing-download', `my list.json ${args[0]}`)", text)
    running.expect("downloads", [["my list.json", [0, 255, 10, 13]]])
    running.value("page.set('sharing-files', '')")
    running.value("page.set('sharing-download', 'empty.txt ')")
    running.expect("downloads[1]", ["empty.txt", []])
