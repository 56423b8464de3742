"""A new app, deployed below a path, in each engine."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from website import WEB, Website

APP = WEB.parent / ".build/apps/ByPath/web"
TOOL = WEB.parent / "Tools/deploy.py"
PLACE = "some/path/"

pytestmark = pytest.mark.engines


@pytest.fixture
def website(tmp_path):
    """Serves deployed apps."""
    website = Website(tmp_path / "host")
    yield website
    website.close()


@pytest.fixture
def web(tmp_path):
    """Returns a copy of the app's page, which a test may change."""
    if not (APP / "ByPath.wasm").exists():
        pytest.fail(f"{APP} is not built: run ./build.sh test browser", pytrace=False)
    folder = tmp_path / "web"
    shutil.copytree(APP, folder, ignore=shutil.ignore_patterns("Calling.wasm", "[ei]n*.js", "dev"))
    return folder


@pytest.fixture
def deploy(web, tmp_path):
    """Returns a function that deploys the app to a place of the website; the title tells its
    builds apart."""

    def deploy(title, place=PLACE):
        page = web / "index.html"
        page.write_text(re.sub("<h1>.*</h1>", f"<h1>{title}</h1>", page.read_text()))
        return write(web, tmp_path / "host" / place)

    return deploy


def write(web, site):
    """Writes a page as an app for a host."""
    assert subprocess.run([sys.executable, TOOL, web, site], check=False).returncode == 0
    return site


def expect_page(tab, title, count):
    tab.expect_text("h1", title)
    tab.expect_text("#count", str(count))


def test_it_counts_and_a_reload_keeps_the_count(deploy, open_tab):
    deploy("One")
    tab = open_tab(PLACE)
    expect_page(tab, "One", 0)
    tab.click("#increment")
    expect_page(tab, "One", 1)
    tab.reload()
    expect_page(tab, "One", 1)


def test_a_tab_of_the_former_build_still_loads_its_files(deploy, open_tab, web):
    (web / "app.webmanifest").unlink()  # without a worker, the host has these files
    deploy("One")
    former = open_tab(PLACE)
    expect_page(former, "One", 0)
    deploy("Two")
    tab = open_tab(PLACE)
    expect_page(tab, "Two", 0)
    script = "document.querySelector('script[src*=main]').src"
    assert tab.value(script) != former.value(script)
    for one in [tab, former]:
        assert one.value(f"fetch({script}).then((answer) => answer.status)") == 200
    tab.click("#increment")
    expect_page(former, "One", 1)


# MARK: Without a network

# The caches of the origin, with the paths of their files. The names of builds differ.
CACHES = """
  caches.keys().then((names) => Promise.all(names.map(async (name) => {
    const requests = await (await caches.open(name)).keys();
    return [name, requests.map(({ url }) => new URL(url).pathname).sort()];
  }))).then(Object.fromEntries)
"""
# The worker of a page; the first one may be that of an app above.
WORKER = "(({ scriptURL, state } = {}) => [scriptURL, state])(navigator.serviceWorker.controller ?? {})"
WAITS = "navigator.serviceWorker.getRegistration().then((one) => !!one.waiting)"


@pytest.fixture
def open_kept(open_tab, website):
    """Returns a function that opens an app in another tab, and waits until it is kept."""

    def open_kept(place=PLACE):
        tab = open_tab(place)
        tab.expect(WORKER, [f"{website.address}{place}sharing-worker.js", "activated"])
        return tab

    return open_kept


def cache_of(site, place=PLACE):
    return f"wasm-sharing /{place} {build_of(site)}"


def build_of(site):
    return json.loads((site / ".wasm-sharing.json").read_text())["builds"][0]


def test_it_runs_without_a_network(deploy, open_kept, open_tab, website):
    deploy("One")
    tab = open_kept()
    tab.click("#increment")
    expect_page(tab, "One", 1)
    website.stop()
    tab.reload()
    expect_page(tab, "One", 1)
    for address in ["", "index.html", "?source=phone", "#there"]:
        other = open_tab(PLACE + address)
        expect_page(other, "One", 1)
    other.click("#increment")
    expect_page(tab, "One", 2)
    tab.reload()
    expect_page(tab, "One", 2)


@pytest.mark.needs("processes")
def test_it_can_be_installed(deploy, open_kept):
    """Asks Chromium, through its protocol."""
    deploy("One")
    tab = open_kept()
    session = tab.page.context.new_cdp_session(tab.page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The profile of a test is a private one.
    assert [error["errorId"] for error in errors] == ["in-incognito"]


def test_only_files_of_the_build_are_kept(deploy, open_kept, website, tmp_path, problems):
    site = deploy("One")
    (site / "answers").write_text("mine")
    tab = open_kept()
    assert tab.value("fetch('answers').then((answer) => answer.text())") == "mine"
    other = Website(tmp_path)
    path = f"{PLACE}{build_of(site)}/main.js"
    other.answer(path, "of another origin", "text/javascript")
    script = "fetch(args[0]).then((answer) => answer.text())"
    assert tab.value(script, other.address + path) == "of another origin"
    other.close()
    problems.clear()  # the request to another origin
    kept = {path.relative_to(site) for path in (site / build_of(site)).iterdir()}
    paths = {f"/{PLACE}{path}" for path in kept if path.suffix not in {".gz", ".br"}}
    assert {name: {*files} for name, files in tab.value(CACHES).items()} == {
        cache_of(site): {f"/{PLACE}index.html", f"/{PLACE}sharing-files.json", *paths}
    }


def test_a_new_build_is_used_after_all_tabs_are_closed(deploy, open_kept, open_tab, website):
    former = deploy("One")
    cache = cache_of(former)
    first = open_kept()
    site = deploy("Two")
    second = open_tab(PLACE)
    for tab in [first, second]:
        expect_page(tab, "One", 0)
        tab.expect(WAITS, True)
    assert second.value(CACHES).keys() == {cache, cache_of(site)}
    website.stop()
    second.reload()
    expect_page(second, "One", 0)
    second.click("#increment")
    expect_page(first, "One", 1)
    website.go_on()
    first.close()
    second.close()
    tab = open_tab(PLACE)
    expect_page(tab, "Two", 1)
    tab.expect(f"({CACHES}).then((all) => Object.keys(all).sort())", [cache_of(site)])
    website.stop()
    tab.reload()
    expect_page(tab, "Two", 1)


UPDATE = "navigator.serviceWorker.getRegistration().then((one) => void one.update().catch(() => {}))"
IS_INSTALLING = "navigator.serviceWorker.getRegistration().then((one) => !!one.installing)"


@pytest.mark.parametrize("file", ["", "page.js"], ids=["page", "script"])
def test_a_file_of_another_build_is_not_kept(deploy, open_kept, website, web, problems, file):
    site = deploy("One")
    cache, page = cache_of(site), (site / "index.html").read_bytes()
    tab = open_kept()
    script = web / "page.js"
    script.write_text(f"{script.read_text()}// Two\n")
    deploy("Two")
    path = PLACE + (file and f"{build_of(site)}/{file}")
    website.answer(path, page)  # an older page in a host's cache, or a page for unknown files
    tab.value(UPDATE)
    tab.expect(IS_INSTALLING, False)
    assert tab.value(WAITS) is False
    tab.reload()
    expect_page(tab, "One", 0)
    whole = site / (build_of(site) if file else "") / (file or "index.html")
    website.answer(path, whole.read_bytes(), "text/javascript" if file else "text/html")
    problems.clear()  # browsers report a file that is not as it has to be
    tab.value(UPDATE)
    tab.expect(WAITS, True)
    assert tab.value(CACHES).keys() == {cache, cache_of(site)}


def test_apps_of_one_origin_keep_their_own_files(deploy, open_kept, open_tab, website):
    places = ["", "some/", PLACE, "another/"]
    sites = {place: deploy(f"At /{place}", place) for place in places}
    tabs = {place: open_kept(place) for place in places}
    former = {place: cache_of(sites[place], place) for place in places}
    assert tabs[""].value(CACHES).keys() == {*former.values()}
    site = deploy("New", "some/")
    tabs["some/"].value(UPDATE)
    tabs["some/"].expect(WAITS, True)
    for tab in tabs.values():
        tab.close()
    tab = open_tab("some/")
    expect_page(tab, "New", 0)
    now = former | {"some/": cache_of(site, "some/")}
    tab.expect(f"({CACHES}).then((all) => Object.keys(all).sort())", sorted(now.values()))
    website.stop()
    for place in places:
        expect_page(open_tab(place), "New" if place == "some/" else f"At /{place}", 0)


def test_an_app_without_a_manifest_any_more_is_not_kept(deploy, open_kept, open_tab, web, website):
    deploy("One")
    tab = open_kept()
    (web / "app.webmanifest").unlink()
    deploy("Two")
    tab.value(UPDATE)
    tab.expect("caches.keys()", [])
    tab.reload()
    expect_page(tab, "Two", 0)
    assert tab.value("navigator.serviceWorker.getRegistration().then((one) => !one)")


# MARK: A new version

SAID = "A new version of this app is ready."
LOOK_AGAIN = "void document.dispatchEvent(new Event('visibilitychange'))"


def expect_update(tab, text=SAID):
    tab.expect_text("[data-text=update]", text)
    tab.expect_visible("[data-click=sharing-reload]", text != "")


def click_reload(tab, selector="[data-click=sharing-reload]"):
    """Clicks in the page, since a driver waits for the event, which the page's script keeps."""
    tab.value("void document.querySelector(args[0]).click()", selector)


def test_a_new_version_is_said_and_only_a_click_loads_it(deploy, open_kept, open_tab):
    deploy("One")
    first = open_kept()
    first.click("#increment")
    expect_page(first, "One", 1)
    expect_update(first, "")
    deploy("Two")
    first.value(LOOK_AGAIN)  # as when the tab is shown again
    expect_update(first)
    second = open_tab(PLACE)
    expect_update(second)
    for tab in [first, second]:
        expect_page(tab, "One", 1)
        tab.value("void (globalThis.isOld = true)")
    click_reload(second)
    expect_page(second, "Two", 1)
    expect_update(second, "")
    first.click("#increment")
    expect_page(second, "Two", 2)
    assert first.value("isOld"), "it has reloaded by itself"
    click_reload(first)
    expect_page(first, "Two", 2)


def test_an_open_tab_keeps_the_files_of_its_build(deploy, open_kept, open_tab, website):
    former = cache_of(deploy("One"))
    first, second = open_kept(), open_kept()
    deploy("Two")
    site = deploy("Three")  # the host has no files of the first build
    second.value(LOOK_AGAIN)
    second.expect(f"({CACHES}).then((all) => !!all[args[0]])", True, cache_of(site))
    second.expect(IS_INSTALLING, False)
    click_reload(second)
    expect_page(second, "Three", 0)
    script = "document.querySelector('script[src*=main]').src"
    read = f"fetch({script}).then((answer) => answer.text())"
    assert first.value(read) == second.value(read)
    caches = f"({CACHES}).then((all) => Object.keys(all).sort())"
    second.expect(caches, sorted([former, cache_of(site)]))
    website.stop()
    assert first.value(read) == second.value(read)
    first.close()
    second.reload()
    expect_page(second, "Three", 0)
    second.expect(caches, [cache_of(site)])


def test_a_link_that_reloads_the_page_loads_a_new_version(deploy, open_kept):
    deploy("One")
    tab = open_kept()
    deploy("Two")
    tab.value(LOOK_AGAIN)
    expect_update(tab)
    click_reload(tab, 'a[href=""]')
    expect_page(tab, "Two", 0)


def test_a_click_without_a_new_version_reloads_the_page(deploy, open_kept):
    deploy("One")
    tab = open_kept()
    tab.value("void (globalThis.isOld = true)")
    click_reload(tab)
    tab.expect("globalThis.isOld ?? false", False)
    expect_page(tab, "One", 0)
