"""`deploy`: the folder that it writes for a static host, from pages of the tests."""

import gzip
import json
import re
import sys

import brotli
import pytest
from conftest import ROOT, call

PAGE = """<!doctype html>
<html lang="de">
  <head>
    <title>Notes</title>
    <script type="module" src="main.js"></script>
  </head>
  <body><p   class='a'>&auml; &amp; <a href="">Reload</a></p></body>
</html>
"""
SCRIPT = 'start(fetch(new URL("notes.wasm", import.meta.url)), window, bind(document));\n'
LONG = "a long text\n" * 100


@pytest.fixture
def web(tmp_path):
    """Returns a function that writes files into the web folder of an app."""
    folder = tmp_path / "web"

    def write(**files):
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    write(**{"index.html": PAGE, "main.js": SCRIPT, "notes.wasm": LONG, "dev/main.js.map": "{}"})
    return write


@pytest.fixture
def site(tmp_path):
    return tmp_path / "site"


def deploy(web, site):
    """Deploys an app, and returns the name of its build."""
    result = try_to_deploy(web, site)
    assert result.status == 0, result.errors
    [name, *_] = builds(site)
    return name


def try_to_deploy(web, site):
    return call(sys.executable, ROOT / "Tools/deploy.py", web(), site)


def builds(site):
    return json.loads((site / ".wasm-sharing.json").read_text())["builds"]


def tree(folder):
    """Returns the bytes of all files below a folder, by path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def uncompressed(site):
    return {path for path in tree(site) if not path.endswith((".gz", ".br"))}


def test_all_but_pages_is_in_a_folder_of_the_build(web, site):
    web(**{"help/index.html": "<p>Help</p>", "images/cat.svg": "<svg/>", "robots.txt": "User-agent: *"})
    name = deploy(web, site)
    assert re.fullmatch("[0-9a-f]{16}", name)
    moved = {f"{name}/{path}" for path in ["main.js", "notes.wasm", "images/cat.svg"]}
    top = {"index.html", "help/index.html", "404.html", "robots.txt"}
    assert uncompressed(site) == moved | top | {"sharing-worker.js", ".wasm-sharing.json"}
    assert (site / name / "main.js").read_text() == SCRIPT
    assert (site / "index.html").read_text() == PAGE.replace("main.js", f"{name}/main.js")


@pytest.mark.parametrize(
    ("source", "deployed"),
    [
        ('<link rel="icon" href="a b.svg">', '<link rel="icon" href="NAME/a%20b.svg">'),
        ("<img src=cat.svg alt>", '<img src="NAME/cat.svg" alt>'),
        ('<img src="./cat.svg?1#x" />', '<img src="NAME/cat.svg?1#x" />'),
        (
            '<img srcset="cat.svg 1x, images/cat.svg 2x">',
            '<img srcset="NAME/cat.svg 1x, NAME/images/cat.svg 2x">',
        ),
        ('<use href="cat.svg#ear">', '<use href="NAME/cat.svg#ear">'),
        (
            "<style>a { background: url('images/cat.svg') }</style>",
            "<style>a { background: url('NAME/images/cat.svg') }</style>",
        ),
        (
            '<script type="importmap">{"imports": {"a": "./main.js", "b/": "./images/"}}</script>',
            '<script type="importmap">{"imports": {"a": "./NAME/main.js", "b/": "./NAME/images/"}}'
            "</script>",
        ),
        (
            '<script type="module">import "./main.js";</script>',
            '<script type="module" src="NAME/index.inline-1.js"></script>',
        ),
    ],
)
def test_addresses_of_files_in_a_page_are_those_in_the_folder(web, site, source, deployed):
    web(**{"a b.svg": "", "cat.svg": "", "images/cat.svg": "", "index.html": f"{PAGE}{source}"})
    name = deploy(web, site)
    text = (site / "index.html").read_text()
    assert text.removeprefix(PAGE.replace("main.js", f"{name}/main.js")) == deployed.replace("NAME", name)


@pytest.mark.parametrize(
    "text",
    [
        '<a href="#x" title="&quot;">x</a>',
        '<a href="help.html">other page</a>',
        '<a href="https://example.org/main.js">other site</a>',
        '<a href="/main.js">another place of this site</a>',
        '<img src="missing.png">',
        '<a HREF=""   >this page</a>',
        "<!-- main.js --><p>main.js & more",
        '<textarea><script src="main.js"></textarea>',
        "<script>if (1 < 2) alert('<img src=\"main.js\">');</script>",
    ],
)
def test_all_other_text_of_a_page_stays(web, site, text):
    web(**{"help.html": "", "index.html": text})
    deploy(web, site)
    assert (site / "index.html").read_text() == text


def test_a_page_in_a_folder_finds_the_files(web, site):
    web(**{"help/index.html": '<link rel="stylesheet" href="../style.css">', "style.css": LONG})
    name = deploy(web, site)
    text = (site / "help/index.html").read_text()
    assert text == f'<link rel="stylesheet" href="../{name}/style.css">'


def test_texts_and_programs_have_compressed_forms(web, site):
    name = deploy(web, site)
    written = tree(site)
    program = f"{name}/notes.wasm"
    for path in [program, "index.html"]:
        assert gzip.decompress(written[f"{path}.gz"]) == written[path]
        assert brotli.decompress(written[f"{path}.br"]) == written[path]
    assert len(written[f"{program}.br"]) < len(written[program]) / 10


def test_the_page_for_unknown_addresses_names_the_app(web, site):
    deploy(web, site)
    text = (site / "404.html").read_text()
    assert '<html lang="de">' in text
    assert "<title>Notes</title>" in text


def test_an_apps_own_page_for_unknown_addresses_is_kept(web, site):
    web(**{"404.html": "mine"})
    deploy(web, site)
    assert (site / "404.html").read_text() == "mine"


# MARK: Apps with a manifest


def test_a_manifest_stays_at_its_place_and_its_icons_move(web, site):
    icons = [{"src": "icon.svg", "sizes": "any"}, {"src": "https://a.org/icon.png"}]
    manifest = {"name": "Ä", "start_url": "./", "icons": icons, "shortcuts": [{"icons": icons[:1]}]}
    web(**{"app.webmanifest": json.dumps(manifest), "icon.svg": "<svg/>"})
    name = deploy(web, site)
    icons[0]["src"] = f"{name}/icon.svg"
    assert json.loads((site / "app.webmanifest").read_text()) == manifest


@pytest.mark.parametrize(
    ("page", "place"),
    [
        ("<head><title>A</title></head><p>A", "<head><title>A</title>{}</head><p>A"),
        ("<title>A</title><body><p>A", "<title>A</title>{}<body><p>A"),
        ("<title>A</title>", "<title>A</title>{}"),
    ],
)
def test_pages_of_an_app_with_a_manifest_start_its_worker(web, site, page, place):
    web(**{"app.webmanifest": "{}", "index.html": page, "help/index.html": page})
    name = deploy(web, site)
    for path, start in [("index.html", ""), ("help/index.html", "../")]:
        script = f'<script type="module" src="{start}{name}/sharing-update.js"></script>\n'
        assert (site / path).read_text() == place.format(script)


def test_the_worker_keeps_the_pages_and_the_files_of_their_build(web, site):
    web(**{"app.webmanifest": "{}", "404.html": "mine", "robots.txt": "", "a (b).css": ""})
    name = deploy(web, site)
    worker = (site / "sharing-worker.js").read_text()
    kept = {*re.findall(rf'"((?:{name}/)?[\w%()-]+\.\w+)":"[\w+/=]{{44}}"', worker)}
    moved = ["a%20(b).css", "main.js", "notes.wasm", "sharing-update.js"]
    assert kept == {"index.html", *[f"{name}/{path}" for path in moved]}


def test_a_manifest_that_is_no_json_is_refused(web, site):
    web(**{"app.webmanifest": "{"})
    expect_refusal(try_to_deploy(web, site), "web/app.webmanifest is no JSON")


def test_a_page_with_a_base_is_refused(web, site):
    web(**{"about.html": '<head><base href="/app/"></head><img src="cat.png">'})
    expect_refusal(try_to_deploy(web, site), "web/about.html has <base href>")


def test_a_file_with_the_name_of_the_worker_is_refused(web, site):
    web(**{"sharing-worker.js": ""})
    expect_refusal(try_to_deploy(web, site), "web/sharing-worker.js has the name of a file that deploy")


# MARK: Several builds


def test_the_same_app_gives_the_same_folder(web, site, tmp_path):
    deploy(web, site)
    first = tree(site)
    deploy(web, site)
    assert tree(site) == first
    deploy(web, tmp_path / "other")
    assert tree(tmp_path / "other") == first


@pytest.mark.parametrize("changed", ["index.html", "main.js"])
def test_the_former_build_stays_and_the_one_before_goes(web, site, changed):
    names = [deploy(web, site)]
    for number in [1, 2]:
        web(**{changed: f"// {number}", f"only-{number}.html": "a page"})
        names.append(deploy(web, site))
    assert len({*names}) == 3
    assert builds(site) == [names[2], names[1]]
    folders = {path.split("/")[0] for path in tree(site) if "/" in path}
    assert folders == {names[2], names[1]}


def test_a_page_that_the_app_has_no_more_goes(web, site):
    page = web(**{"help.html": LONG}) / "help.html"
    deploy(web, site)
    assert (site / "help.html.br").exists()
    page.unlink()
    deploy(web, site)
    assert not [path for path in tree(site) if path.startswith("help.html")]


def test_a_rollback_keeps_the_build_that_it_replaces(web, site):
    first = deploy(web, site)
    web(**{"main.js": "//"})
    second = deploy(web, site)
    web(**{"main.js": SCRIPT})
    assert deploy(web, site) == first
    assert builds(site) == [first, second]


# MARK: Refusals


def expect_refusal(result, *said):
    assert result.status == 1
    for text in said:
        assert text in result.errors
    assert "Traceback" not in result.errors


def test_a_folder_with_other_files_is_refused(web, site):
    site.mkdir()
    (site / "index.html").write_text("mine")
    expect_refusal(try_to_deploy(web, site), "is not from a deployment, and nothing")
    assert tree(site) == {"index.html": b"mine"}


def test_a_file_is_refused(web, site):
    site.write_text("mine")
    expect_refusal(try_to_deploy(web, site), "is not from a deployment")
    assert site.read_text() == "mine"


def test_a_file_of_somebody_else_in_the_folder_stays(web, site):
    deploy(web, site)
    (site / "CNAME").write_text("example.org")
    (site / "help.html").write_text("mine")
    web(**{"main.js": "//"})
    deploy(web, site)
    assert (site / "CNAME").read_text() == "example.org"
    web(**{"help.html": "of the app"})
    before = tree(site)
    expect_refusal(try_to_deploy(web, site), "help.html exists, and is not from a deployment")
    assert tree(site) == before


def test_a_folder_in_the_page_is_refused(web):
    expect_refusal(try_to_deploy(web, web() / "site"), "Name a folder outside of it")
    assert not (web() / "site").exists()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"main.js": 'start(fetch("notes.wasm", { cache: "no-cache" }), window, page);'},
            'web/main.js has fetch("notes.wasm"), which is relative to the page.',
        ),
        ({"main.js": "new Worker('./work.js');", "work.js": ""}, "web/main.js has new Worker"),
        ({"index.html": "<script>fetch('notes.wasm')</script>"}, "web/index.html has fetch"),
        ({"help/index.html": "", "main.js": "fetch('../notes.wasm')"}, "web/main.js has fetch"),
    ],
)
def test_a_script_that_reads_a_file_from_the_pages_folder_is_refused(web, site, files, said):
    web(**files)
    expect_refusal(try_to_deploy(web, site), said, "import.meta.url")
    assert not site.exists()


@pytest.mark.parametrize("script", ["fetch('https://a.org/notes.wasm')", "fetch('/api')", "fetch(x)"])
def test_other_addresses_of_scripts_are_not_refused(web, site, script):
    web(**{"main.js": script})
    deploy(web, site)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "deploy needs a folder"),
        (["a", "b"], "deploy takes a folder, got also: b"),
        (["a", "--chek"], "deploy has no option --chek"),
    ],
)
def test_deploy_says_how_it_is_used(machine, words, said):
    (machine.root / "Notes").mkdir()
    (machine.root / "Notes/Package.swift").touch()
    result = machine.start("--package", "Notes", "deploy", *words)
    assert result.status == 2
    assert said in result.errors
