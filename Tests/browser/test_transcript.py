"""One list of actions shows the same in a browser tab and under wasmtime, from the same bytes."""

from conftest import await_start, expect_count
from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

ACTIONS = ["increment", "increment", "decrement", "reset", "increment"]
TRANSCRIPT = ["count: 0", "count: 1", "count: 2", "count: 1", "count: 0", "count: 1"]

# Notes every text that the element for the count is given, from the first on.
RECORDER = """
  globalThis.transcript = [];
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      if (!target.matches?.("[data-text=count]")) continue;
      for (const { data } of addedNodes) transcript.push(`count: ${data}`);
    }
  }).observe(document, { childList: true, subtree: true });
"""


def in_browser(open_tab, website):
    website.begin_with(RECORDER)
    page = open_tab()
    await_start(page)
    for action in ACTIONS:
        page.click(f"#{action}")
    expect_count(page, 1)
    return page.value("transcript")


def headless(program, folder):
    """Runs the program as a command, with its state in `folder`: the lines that it prints."""
    output = folder / "stdout"
    state = folder / "state"
    state.mkdir()
    engine = Engine()
    linker = Linker(engine)
    linker.define_wasi()
    store = Store(engine)
    wasi = WasiConfig()
    wasi.argv = ["demo", *ACTIONS]
    wasi.stdout_file = str(output)
    wasi.inherit_stderr()
    wasi.preopen_dir(str(state), "/")
    store.set_wasi(wasi)
    module = Module.from_file(engine, str(program))
    linker.define_unknown_imports_as_default_values(store, module)
    try:
        linker.instantiate(store, module).exports(store)["_start"](store)
    except ExitTrap as exit:
        assert exit.code == 0
    return output.read_text().splitlines()


def test_the_browser_shows_what_the_command_line_prints(open_tab, website, program, tmp_path):
    printed = headless(program, tmp_path)
    assert printed == TRANSCRIPT
    assert in_browser(open_tab, website) == printed
