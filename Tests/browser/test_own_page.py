"""Pages with their own page object and import modules, as JavaScript/sharing.d.ts shows."""

import re

import pytest
from conftest import DAMAGED, expect_problem
from wasmtime import wat2wasm
from website import WEB

SHIM = WEB.parent / "JavaScript"

PAGE = """<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>One's own</title>
    <link rel="icon" href="data:,">
    <script type="module" src="own.js"></script>
  </head>
  <body>
    <output id="count"></output>
    <button id="increment" type="button">+</button>
    <p id="status"></p>
  </body>
</html>"""

IMPORT = 'import { start } from "./JavaScript/sharing.js";\n'


def example(beginning):
    """Returns the example in the declarations with this beginning."""
    examples = re.findall(r"```js\n(.*?)```", (SHIM / "sharing.d.ts").read_text(), re.DOTALL)
    lines = [re.sub(r"^ +\* ?", "", text, flags=re.MULTILINE) for text in examples]
    (found,) = [text for text in lines if text.startswith(beginning)]
    return found


@pytest.fixture
def own_page(open_tab, website, program):
    """Returns a function that opens a page with this script and a program, by default the
    demo's."""

    def open_page(script, source=None):
        website.answer("own.html", PAGE)
        website.answer("own.js", IMPORT + script, "text/javascript")
        website.answer("app.wasm", source or program.read_bytes(), "application/wasm")
        return open_tab("own.html")

    return open_page


def test_the_page_object_of_the_declarations_shows_and_sends(own_page):
    one = own_page(example("const count ="))
    one.expect_text("#count", "0")
    one.click("#increment")
    one.expect_text("#count", "1")
    assert one.stored() == "1"
    other = own_page(example("const count ="))
    other.expect_text("#count", "1")
    other.click("#increment")
    one.expect_text("#count", "2")
    one.value("localStorage.setItem('count', '{damaged')")
    other.expect_text("#status", DAMAGED)


def test_a_page_object_is_told_why_the_program_cannot_start(own_page, problems):
    page = own_page(example("const count ="), b"no program")
    page.expect_text("#status", "The program cannot start.")
    assert problems != []
    problems.clear()


@pytest.mark.parametrize("method", ["set", "ready", "fail"])
def test_a_page_object_without_a_method_is_told_so_in_the_console(own_page, problems, method):
    script = example("const count =").replace(f"  {method}(", f"  {method}s(")
    page = own_page(script.replace("start(", "globalThis.program = start("))
    page.expect("globalThis.program?.then((program) => program === undefined)", True)
    assert page.text("#count") == ""
    assert len(problems) == 1
    expect_problem(problems, f"page.{method} is missing")


# Passes 440 to mine.beep and shows nothing; its event passes on the text in its inbox.
BEEPING = """(module
  (import "mine" "beep" (func $beep (param i32) (result i32)))
  (import "mine" "say" (func $say (param i32 i32) (result i32)))
  (import "mine" "language" (func $language (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "sharing_abi_version") (result i32) i32.const %d)
  (func (export "sharing_start") (drop (call $beep (i32.const 440))))
  (func (export "sharing_inbox") (param i32) (result i32) i32.const 1024)
  (func (export "sharing_page_event") (param $name i32) (param i32)
    (drop (call $say (i32.const 1024)
      (call $language (i32.const 1024) (i32.const 100)))))
  (func (export "sharing_page_shown") (param i32))
  (func (export "sharing_page_hidden"))
  (func (export "beep") (param i32) (result i32) (call $beep (local.get 0))))"""

IMPORTS = """
const heard = [];
const imports = ({ text, give }) => ({
  mine: {
    beep(tone) {
      if (tone < 0) throw new Error("no such tone");
      return heard.push(tone);
    },
    say: (pointer, count) => heard.push(text(pointer, count)),
    language: (buffer, capacity) => give("Zoë 🔑", buffer, capacity),
  },
});
const ready = (send) => Object.assign(globalThis, { heard, send });
const page = { set() {}, ready, fail() {} };
globalThis.program = start(fetch("app.wasm"), window, page, { imports });
"""


def test_a_program_calls_import_modules_of_the_pages_own(own_page, problems):
    version = int(re.search(r"abiVersion = (\d+);", (SHIM / "sharing/boundary.js").read_text())[1])
    page = own_page(IMPORTS, bytes(wat2wasm(BEEPING % version)))
    page.expect("globalThis.heard", [440])
    page.value("send('say')")
    assert page.value("heard") == [440, "Zoë 🔑"]
    beep = "program.then(({ exports }) => exports.beep(args[0]))"
    assert page.value(beep, 880) == 3
    assert problems == []
    assert page.value(beep, -1) == -4
    assert page.value(beep, 220) == 4
    # Firefox's driver reports only the class of an Error object.
    (problem,) = problems
    assert "no such tone" in problem or problem == "console: Error"
    problems.clear()


def test_a_module_of_the_pages_own_takes_no_others_place(own_page, problems):
    script = """
      globalThis.program = start(fetch("app.wasm"), window, {
        set() {},
        ready() {},
        fail: (message) => document.querySelector("#status").textContent = message,
      }, { imports: { sharing: { storage_get: () => 0 } } });
    """
    page = own_page(script)
    page.expect_text("#status", "The program cannot start.")
    assert len(problems) == 1
    expect_problem(problems, "imports.sharing is taken")
