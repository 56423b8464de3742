"""Two releases of one app, deployed one after the other: their tabs share their storage, also
without a network."""

import shutil
import subprocess
import sys

import pytest
from test_deployed import LOOK_AGAIN, PLACE, SAID, TOOL, WORKER, click_reload, website
from test_keys import PAGES, await_program
from test_releases import BUILT, OUTDATED, add, first, second, sees
from website import WEB

# An unoptimized program is large: it takes half a minute to compress.
WITHOUT_COMPRESSION = (
    f"import sys; sys.path.append({str(TOOL.parent)!r}); import deploy; "
    "deploy.COMPRESSED = set(); deploy.main(*sys.argv[1:])"
)
UPDATE = """
    <p id="update" data-text="update"></p>
    <button data-click="sharing-reload">Reload</button>
  </body>"""

pytestmark = [pytest.mark.engines, pytest.mark.rule("R32")]


@pytest.fixture
def deploy(tmp_path):
    """Returns a function that deploys a release with the page for keys of every kind."""
    web = tmp_path / "web"
    web.mkdir()
    for name in ["sharing.js", "engines.js", "indexeddb.js"]:
        shutil.copy(WEB / name, web)
    page = (PAGES / "keys.html").read_text()
    (web / "index.html").write_text(page.replace("</body>", UPDATE))
    script = (PAGES / "keys.js").read_text().replace("../../../JavaScript/", "./")
    address = "`${name}.wasm`"
    assert address in script
    program = 'new URL("app.wasm", import.meta.url)'
    (web / "keys.js").write_text(script.replace(address, program))
    (web / "app.webmanifest").write_text('{ "name": "Jobs", "start_url": "./" }')

    def deploy(name):
        shutil.copy(BUILT / f"{name}Release.wasm", web / "app.wasm")
        command = [sys.executable, "-c", WITHOUT_COMPRESSION, web, tmp_path / "host" / PLACE]
        assert subprocess.run(command, check=False).returncode == 0

    return deploy


def take_over(tab):
    """Clicks to reload, and waits until the program of the new page runs."""
    tab.value("void (globalThis.isOld = true)")
    click_reload(tab)
    tab.expect("!globalThis.isOld && document.querySelector('#status')?.textContent", "ready")


@pytest.mark.parametrize("store", ["indexedDB", "localStorage"])
def test_an_older_and_a_newer_tab_lose_nothing_without_a_network(deploy, open_tab, website, store):
    deploy("First")
    address = f"{PLACE}#{store}/jobs"
    older = open_tab(address)
    await_program(older)
    older.expect(WORKER, [f"{website.address}{PLACE}sharing-worker.js", "activated"])
    add(older, first(1, "a"))
    sees(older, [first(1, "a")])
    deploy("Second")
    older.value(LOOK_AGAIN)
    older.expect_text("#update", SAID)
    newer = open_tab(address)
    await_program(newer)
    newer.expect_text("#update", SAID)
    website.stop()
    add(newer, first(2, "b"))  # it is of the first release, too
    for tab in [older, newer]:
        sees(tab, [first(1, "a"), first(2, "b")])
    take_over(newer)
    sees(newer, [second(1, "a"), second(2, "b")])
    add(older, first(3, "c"))
    sees(newer, [second(1, "a"), second(2, "b"), second(3, "c")])
    add(newer, second(4, "d"))
    sees(newer, [second(1, "a"), second(2, "b"), second(3, "c"), second(4, "d")])
    every = [second(1, "a"), second(2, "b"), second(3, "c"), second(4, "d")]
    older.expect_text("#value", '[{"id":1,"title":"a"},{"id":2,"title":"b"},{"id":3,"title":"c"}]')
    older.expect_text("#outdated", OUTDATED)
    if store == "indexedDB":  # under localStorage, the change is not stored, and the tab says so
        add(older, first(5, "e"))
        every.append(second(5, "e"))
        sees(newer, every)
    take_over(older)
    sees(older, every)
    website.go_on()
    for tab in [older, newer]:
        tab.reload()
        await_program(tab)
        sees(tab, every)
