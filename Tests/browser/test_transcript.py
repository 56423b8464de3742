"""The same actions have the same effects in a browser tab and under wasmtime, with the same
bytes."""

import pytest
from conftest import await_start
from todos import retype, row
from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

# Records the changes of the page in each turn, in the format of the command line.
RECORDER = """
  globalThis.transcript = [];
  const texts = () => Object.fromEntries(
    ["count", "left", "progress"].map((name) => {
      const place = document.querySelector(`[data-text=${name}]`);
      return [name, place.checkVisibility() ? place.textContent : ""];
    }));
  // The transcript has the number of a todo in place of its id, in the order in which they come.
  const ids = globalThis.ids = [];
  const idOf = ({ key }) => ids.includes(key) ? ids.indexOf(key) + 1 : ids.push(key);
  const rows = () => new Map([...document.querySelectorAll(".todo-list li")].map((row) => {
    const mark = row.querySelector(".toggle").checked ? "x" : " ";
    return [idOf(row), `[${mark}] ${row.querySelector("label").textContent}`];
  }));
  let shown = { texts: {}, rows: new Map() };
  globalThis.note = () => {
    const now = { texts: texts(), rows: rows() };
    const say = (name) => {
      const text = now.texts[name];
      if (text && text !== shown.texts[name]) transcript.push(`${name}: ${text}`);
    };
    say("count");
    for (const key of shown.rows.keys()) {
      if (!now.rows.has(key)) transcript.push(`todos: ${key} removed`);
    }
    for (const [key, line] of now.rows) {
      if (line !== shown.rows.get(key)) transcript.push(`todos: ${key} ${line}`);
    }
    say("left");
    say("progress");
    shown = now;
  };
"""

SCRIPTS = {
    "the counter": (
        ["increment", "increment", "decrement", "reset", "increment"],
        ["count: 0", "count: 1", "count: 2", "count: 1", "count: 0", "count: 1"],
    ),
    "the todos": (
        [
            ("add", " Buy milk "),
            ("add", "<b>tea</b> ☕"),
            "increment",
            ("toggle", "1"),
            ("edit", "2", "Drink tea"),
            ("add", "Sleep"),
            "toggle-all",
            ("toggle", "3"),
            "clear-completed",
            ("edit", "3", "  "),
        ],
        [
            "count: 0",
            "todos: 1 [ ] Buy milk",
            "left: 1",
            "progress: 0 of 1 done",
            "todos: 2 [ ] <b>tea</b> ☕",
            "left: 2",
            "progress: 0 of 2 done",
            "count: 1",
            "todos: 1 [x] Buy milk",
            "left: 1",
            "progress: 1 of 2 done",
            "todos: 2 [ ] Drink tea",
            "todos: 3 [ ] Sleep",
            "left: 2",
            "progress: 1 of 3 done",
            "todos: 2 [x] Drink tea",
            "todos: 3 [x] Sleep",
            "left: 0",
            "progress: 3 of 3 done",
            "todos: 3 [ ] Sleep",
            "left: 1",
            "progress: 2 of 3 done",
            "todos: 1 removed",
            "todos: 2 removed",
            "progress: 0 of 1 done",
            "todos: 3 removed",
        ],
    ),
}


def perform(page, action):
    """Performs an action of the command line in the page."""
    name, *words = [action] if isinstance(action, str) else action
    if name == "add":
        page.fill(".new-todo", words[0])
        page.press("Enter")
    elif name in ("toggle", "edit"):
        keys = page.value("[...document.querySelectorAll('.todo-list li')].map((row) => row.key)")
        number = keys.index(page.value("ids[args[0] - 1]", int(words[0]))) + 1
        if name == "toggle":
            page.click(row(number, ".toggle"))
        else:
            page.double_click(row(number, "label"))
            retype(page, number, words[1])
            page.press("Enter")
    else:
        page.click(f".{name}" if "-" in name else f"#{name}")


def in_browser(open_tab, website, actions):
    website.begin_with(RECORDER)
    page = open_tab()
    await_start(page)
    page.value("note()")
    for action in actions:
        perform(page, action)
        page.value("note()")
    return page.value("transcript")


def headless(program, folder, actions):
    """Runs the program as a command for each action, with its state in `folder`. Returns the
    printed lines, with the numbers of todos in place of the ends of their ids."""
    engine = Engine()
    module = Module.from_file(engine, str(program))
    (folder / "state").mkdir()
    ids = []

    def numbered(line):
        place, id, *row = line.split(" ", 2)
        if place != "todos:":
            return line
        if id not in ids:
            ids.append(id)
        return " ".join([place, str(ids.index(id) + 1), *row])

    lines = command(engine, module, folder, "show")
    for action in actions:
        before = command(engine, module, folder, "show")
        name, *words = [action] if isinstance(action, str) else action
        if name in ("toggle", "edit"):
            words[0] = ids[int(words[0]) - 1]
        printed = command(engine, module, folder, name, *words)
        assert printed[: len(before)] == before
        lines += [numbered(line) for line in printed[len(before) :]]
    return lines


def command(engine, module, folder, *words):
    """Runs the program as a command; returns the printed lines."""
    output = folder / "stdout"
    linker = Linker(engine)
    linker.define_wasi()
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = ["demo", *words]
    wasi.stdout_file = str(output)
    wasi.inherit_stderr()
    wasi.preopen_dir(str(folder / "state"), "/")
    store.set_wasi(wasi)
    linker.define_unknown_imports_as_default_values(store, module)
    try:
        linker.instantiate(store, module).exports(store)["_start"](store)
    except ExitTrap as exit:
        assert exit.code == 0
    return output.read_text().splitlines()


def changes(lines):
    """Returns a command's output without unchanged rows: it prints a changed list completely."""
    rows, found = {}, []
    for line in lines:
        place, number, row = (line.split(" ", 2) + ["", ""])[:3]
        if place != "todos:" or rows.get(number) != row:
            found.append(line)
        if place == "todos:":
            rows[number] = row
    return found


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_browser_shows_what_the_command_line_prints(
    open_tab, website, program, tmp_path, script
):
    actions, transcript = SCRIPTS[script]
    assert changes(headless(program, tmp_path, actions)) == transcript
    assert in_browser(open_tab, website, actions) == transcript
