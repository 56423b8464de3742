"""`./build.sh new` and `./build.sh --package`: their error messages and output."""

import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, files

sys.path.append(str(ROOT / "Tools"))
from ports import free_ports  # noqa: E402

PACKAGES = {
    "none": [],
    "one": [{"name": "Notes", "type": {"executable": None}}],
    "two": [
        {"name": "Notes", "type": {"executable": None}},
        {"name": "Kit", "type": {"library": ["automatic"]}},
        {"name": "Admin", "type": {"executable": None}},
    ],
}


def placed(machine):
    """Returns the bytes of every file below the web folder of the package Notes."""
    web = machine.root / "Notes/web"
    paths = [path for path in web.rglob("*") if path.is_file()]
    return {str(path.relative_to(web)): path.read_bytes() for path in paths}


def expect_refusal(result, status, *said):
    assert result.status == status, result.errors
    for text in said:
        assert text in result.errors
    assert "Traceback" not in result.errors


# MARK: New apps


def test_new_writes_an_app_of_that_name(machine):
    result = machine.start("new", "Notes")
    assert (result.status, result.errors) == (0, "")
    folder = machine.root / "Notes"
    written = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert written == {
        ".devcontainer/devcontainer.json",
        ".github/workflows/pages.yml",
        ".gitignore",
        "Package.swift",
        "Sources/Notes/Notes.swift",
        "Tests/NotesTests/NotesTests.swift",
        "web/app.webmanifest",
        "web/icon.png",
        "web/icon.svg",
        "web/index.html",
        "web/main.js",
    }
    for path in written:
        assert b"MyApp" not in (folder / path).read_bytes(), path
    icon = "web/icon.png"
    assert (folder / icon).read_bytes() == (ROOT / "Template" / icon).read_bytes()
    manifest = (folder / "Package.swift").read_text()
    assert f'.package(name: "wasm-sharing", path: "{machine.root}")' in manifest
    assert len((folder / "Sources/Notes/Notes.swift").read_text().splitlines()) < 40


@pytest.mark.parametrize("folder", ["R&D", 'a "b"', "a\\b\\(c)"])
def test_new_writes_the_path_of_the_clone_as_a_text_of_swift(machine, folder):
    machine.root = machine.root.rename(machine.root.with_name(folder))
    assert machine.start("new", "Notes").status == 0
    manifest = (machine.root / "Notes/Package.swift").read_text()
    text = json.dumps(str(machine.root))  # the escapes of `"` and `\` are those of Swift
    assert f'.package(name: "wasm-sharing", path: {text})]' in manifest


URLS = ["https://example.org/me/sharing.git", "file:///srv/sharing", "https://a.org/R&D/sharing"]


@pytest.mark.parametrize("url", URLS)
def test_new_with_a_url_names_the_repository(machine, url):
    assert machine.start("new", "Notes", "--from", url).status == 0
    manifest = (machine.root / "Notes/Package.swift").read_text()
    assert f'.package(url: "{url}", branch: "main")' in manifest
    assert manifest.count('package: "sharing"') == 4
    assert "wasm-sharing" not in manifest


def test_new_with_a_url_that_ends_with_a_slash_names_the_repository(machine):
    assert machine.start("new", "Notes", "--from", "https://example.org/me/sharing/").status == 0
    manifest = (machine.root / "Notes/Package.swift").read_text()
    assert '.package(url: "https://example.org/me/sharing", branch: "main")' in manifest
    assert manifest.count('package: "sharing"') == 4


def test_new_writes_the_name_of_the_repository_as_a_text_of_swift(machine):
    assert machine.start("new", "Notes", "--from", 'https://a.org/x?a&"b"').status == 0
    manifest = (machine.root / "Notes/Package.swift").read_text()
    assert r'.package(url: "https://a.org/x?a&\"b\"", branch: "main")' in manifest
    assert manifest.count(r'package: "x?a&\"b\""') == 4


@pytest.mark.parametrize("name", ["my apps", "it's", 'a "b" $HOME `c` & (d)', "Äpfel"])
def test_new_prints_a_command_that_a_shell_can_run(machine, name):
    result = machine.start("new", f"{name}/Notes")
    assert result.status == 0, result.errors
    enter = re.search(r"Next: (.*) && swift run wasm serve", " ".join(result.shown))[1]
    shell = subprocess.run(["sh", "-c", f"{enter} && pwd"], capture_output=True, text=True)
    assert shell.stdout == f"{machine.root / name / 'Notes'}\n"


def test_new_changes_nothing_in_a_folder_that_exists(machine):
    (machine.root / "Notes").mkdir()
    (machine.root / "Notes/Package.swift").write_text("mine")
    result = machine.start("new", "Notes")
    expect_refusal(result, 1, "Notes' exists, and nothing in it was changed")
    assert files(machine.root / "Notes") == {"Package.swift": b"mine"}


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("my-app", "such as MyApp"),
        ("2048", "such as MyApp"),
        ("2fast", "such as "),
        ("zwölf", "such as "),
        ("a b", "such as AB"),
        ("Testing", "another Swift module"),
        ("SharingCore", "another Swift module"),
        ("wasm", "another Swift module or program"),
        ("WasmDemo", "another Swift module or program"),
        ("StoredExpansion", "another Swift module"),
        ("RandomSteps", "another Swift module"),
        ("SimulatedRevisions", "another Swift module"),
        ("XCTest", "another Swift module"),
        ("class", "a keyword of Swift"),
        ("_", "a keyword of Swift"),
    ],
)
def test_new_refuses_what_no_module_can_be_called(machine, name, said):
    expect_refusal(machine.start("new", name), 1, f"'{name}'", said)
    assert not (machine.root / name).exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "new needs a folder"),
        (["Notes", "More"], "new takes a folder, got also: More"),
        (["Notes", "--from"], "--from needs the URL"),
    ],
)
def test_new_says_how_it_is_used(machine, words, said):
    expect_refusal(machine.start("new", *words), 2, said)
    assert not (machine.root / "Notes").exists()


def test_new_in_a_folder_that_cannot_be_made_is_said(machine):
    (machine.root / "file").write_text("")
    expect_refusal(machine.start("new", "file/Notes"), 1, "file/Notes' could not be made")


# MARK: Packages


@pytest.fixture
def package(machine):
    """Adds the package Notes, which has a page, to a machine with Swift and Python."""

    def package(products, targets=()):
        folder = machine.root / "Notes"
        folder.mkdir()
        (folder / "Package.swift").write_text("")
        (folder / "web").mkdir()
        (folder / "web/index.html").write_text('<script type="module" src="main.js"></script>')
        (folder / "web/main.js").write_text('import { bind } from "./page.js";\n')
        described = json.dumps({"name": "notes", "products": products, "targets": targets})
        build = 'mkdir -p Notes/.build/wasm-sharing/wasm; echo "$*" >options'
        machine.fake_swift(package=f"echo '{described}'", build=build)
        # The last argument is the output.
        machine.fake("wasm-opt", 'echo "exports sharing_start" >"${!#}"')
        machine.link_python()
        return machine

    return package


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--package"], 2, "--package needs a folder"),
        (["--package", "nowhere"], 1, "There is no folder 'nowhere'"),
        (["--package", "Tools"], 1, "Tools is not a package: it has no Package.swift"),
    ],
)
def test_what_is_no_package_is_refused(machine, words, status, said):
    expect_refusal(machine.start(*words), status, said)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["frobnicate"], 2, "There is no verb 'frobnicate'"),
        (["lint"], 2, "There is no verb 'lint'"),
        (["build", "now"], 2, "build takes no argument"),
        (["--product"], 2, "--product needs a name"),
        (["serve", "http"], 2, "'http' is not a port"),
        (["run", "--dir"], 2, "--dir needs a folder"),
    ],
)
def test_wrong_use_of_a_package_is_refused(package, words, status, said):
    result = package(PACKAGES["one"]).start("--package", "Notes", *words)
    expect_refusal(result, status, said)


@pytest.mark.parametrize(
    ("which", "words", "said"),
    [
        ("none", [], "The package notes has no executable"),
        ("two", [], "Name one of the executables with --product: Admin, Notes"),
        ("one", ["--product", "Other"], "There is no executable Other. There are: Notes"),
    ],
)
def test_which_program_is_meant_must_be_clear(package, which, words, said):
    machine = package(PACKAGES[which])
    words = ["--package", "Notes", *words, "build"]
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, said, "Nothing was built")


@pytest.mark.parametrize(("which", "words"), [("one", []), ("two", ["--product", "Notes"])])
def test_the_program_and_the_modules_are_put_beside_the_page(package, which, words):
    machine = package(PACKAGES[which])
    words = ["--package", "Notes", *words, "build"]
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    assert result.status == 0, result.errors
    web = placed(machine)
    assert web["Notes.wasm"] == b"exports sharing_start\n"
    names = ["page", "sharing"]
    made = {f"dev/{name}.{end}" for name in names for end in ["d.ts", "js.map"]}
    assert web.keys() - {"index.html", "main.js", "Notes.wasm"} == {"page.js", "sharing.js", *made}
    for name in names:
        folder = machine.root / "JavaScript"
        sources = [folder / f"{name}.js", *(folder / name).glob("*.js")]
        scripts = [source.read_text() for source in sources]
        assert len(web[f"{name}.js"]) < 0.6 * sum(len(script) for script in scripts)
        assert f"sourceMappingURL=dev/{name}.js.map" in web[f"{name}.js"].decode()
        contents = json.loads(web[f"dev/{name}.js.map"])["sourcesContent"]
        assert sorted(contents) == sorted(scripts)


# MARK: Modules that a page loads


def sysroot_of(machine):
    sysroot = machine.root.parent / "sysroot"
    return sysroot if sysroot.exists() else machine.fake_wasi()


def scripts_of(machine):
    """Returns the modules of the product that a build copies next to the page."""
    words = ["--package", "Notes", "build"]
    result = machine.start(*words, WASI_SYSROOT=sysroot_of(machine))
    assert result.status == 0, result.errors
    own = {"main.js"}
    return {name for name in placed(machine) if name.endswith(".js") and "/" not in name} - own


def test_the_modules_of_engines_are_there_where_the_program_wants_them(package):
    machine = package(PACKAGES["one"])
    machine.fake("wasm-opt", 'echo "sharing_start engine_send" >"${!#}"')
    assert scripts_of(machine) == {"engines.js", "page.js", "sharing.js"}
    machine.fake("wasm-opt", 'echo "sharing_start engine_send engine_indexeddb" >"${!#}"')
    (machine.root / "Notes/Package.swift").write_text("// built anew")
    (machine.root / "Notes/.build/wasm-sharing/wasm/Notes.wasm").unlink()
    assert scripts_of(machine) == {"engines.js", "indexeddb.js", "page.js", "sharing.js"}


@pytest.mark.parametrize("file", ["web/main.js", "web/parts/world.mjs", "scripts/world.ts"])
def test_a_module_that_a_file_of_the_app_names_is_there_until_none_does(package, file):
    machine = package(PACKAGES["one"])
    path = machine.root / "Notes" / file
    path.parent.mkdir(exist_ok=True)
    before = path.read_text() if path.exists() else ""
    path.write_text(before + 'import { nats } from "../web/nats.js";\n')
    assert scripts_of(machine) == {"nats.js", "page.js", "sharing.js"}
    assert "dev/nats.d.ts" in placed(machine)
    path.write_text(before)
    assert scripts_of(machine) == {"page.js", "sharing.js"}
    assert not [name for name in placed(machine) if "nats" in name]


def test_the_inspector_is_there_where_a_script_names_it(package):
    machine = package(PACKAGES["one"])
    path = machine.root / "Notes/web/main.js"
    path.write_text(path.read_text() + '({ inspector: () => import("./inspector.js") });\n')
    assert scripts_of(machine) == {"inspector.js", "page.js", "sharing.js"}
    assert "dev/inspector.d.ts" in placed(machine)


def test_a_script_of_the_app_stays_that_has_the_name_of_a_module(package):
    machine = package(PACKAGES["one"])
    (machine.root / "Notes/web/nats.js").write_text("mine")
    assert "nats.js" in scripts_of(machine)
    assert placed(machine)["nats.js"] == b"mine"


@pytest.mark.parametrize(
    ("name", "naming", "text"),
    [
        ("page", "", "mine"),
        ("page", "", "mine;\n//# sourceMappingURL=page.js.map\n"),
        ("nats", 'import { nats } from "./nats.js";\n', "mine"),
        ("connect", 'import { connect } from "./connect.js";\n', "mine"),
        ("sharing", "", "mine"),
    ],
)
def test_a_script_of_the_app_is_refused_in_the_place_of_a_module(package, name, naming, text):
    machine = package(PACKAGES["one"])
    web = machine.root / "Notes/web"
    (web / "main.js").write_text((web / "main.js").read_text() + naming)
    (web / f"{name}.js").write_text(text)
    (web / f"{name}.js.map").write_text('{"sources": ["../scripts/mine.ts"]}')
    before = placed(machine)
    result = machine.start("--package", "Notes", "build", WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, f"Notes/web/{name}.js is not from a build", "Rename")
    after = placed(machine)
    assert after.pop("Notes.wasm") and after == before


def test_a_security_policy_calls_no_function_connect(package):
    machine = package(PACKAGES["one"])
    web = machine.root / "Notes/web"
    (web / "connect.js").write_text("mine")
    policy = '<meta http-equiv="Content-Security-Policy" content="connect-src *">'
    (web / "index.html").write_text(policy)
    scripts_of(machine)
    assert placed(machine)["connect.js"] == b"mine"
    (web / "connect.js").unlink()
    assert "connect.js" not in scripts_of(machine)
    (web / "main.js").write_text("sharing.connect(window);")
    assert "connect.js" in scripts_of(machine)


def test_types_that_the_app_has_written_stay(package):
    machine = package(PACKAGES["one"])
    own = ["page.d.ts", "connect.d.ts", "nats.d.ts", "nats.js.map", "dev/nats.txt"]
    for _ in range(2):  # the second time beside the files of a build
        for name in own:
            path = machine.root / "Notes/web" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text("mine")
        scripts_of(machine)
        web = placed(machine)
        assert {name: web.get(name) for name in own} == dict.fromkeys(own, b"mine")


def test_what_earlier_versions_have_put_beside_the_page_is_gone(package):
    machine = package(PACKAGES["one"])
    web = machine.root / "Notes/web"
    for name in ["nats", "page", "sharing"]:
        (web / f"{name}.js").write_text(f"formerPage;\n//# sourceMappingURL={name}.js.map\n")
        (web / f"{name}.js.map").write_text(f'{{"sources": ["../../JavaScript/{name}.js"]}}')
        (web / f"{name}.d.ts").write_text("// beside nats.js and indexeddb.js")
    assert scripts_of(machine) == {"page.js", "sharing.js"}
    assert b"formerPage" not in placed(machine)["page.js"]
    assert not [name for name in placed(machine) if name.startswith("nats.")]
    assert {"page.js.map", "page.d.ts", "sharing.d.ts"}.isdisjoint(placed(machine))


# MARK: Serving


@pytest.fixture
def server(package):
    """Adds a server that prints its arguments and its variable for output, to a package."""
    machine = package(PACKAGES["one"])
    tools = machine.root / "Notes/.build/wasm-sharing/serve"
    (tools / "bin").mkdir(parents=True)
    shutil.copy(machine.root / "Tools/serve.txt", tools / "requirements.txt")
    machine.fake("serve", 'echo "$*"; echo "$PYTHONUNBUFFERED"')
    (tools / "bin/python").symlink_to(machine.bin / "serve")
    return machine


@pytest.mark.parametrize(
    ("words", "host", "build"),
    [
        ([], "127.0.0.1", "rebuild {}"),
        (["--host", "0.0.0.0"], "0.0.0.0", "rebuild {}"),
        (["--release"], "127.0.0.1", "rebuild --release {}"),
    ],
)
def test_serve_starts_the_server_with_the_build_of_each_change(server, words, host, build):
    [port] = free_ports()
    words = ["--package", "Notes", "serve", *words, port, "--", "-Xcc", "-DTRACE"]
    result = server.start(*words, WASI_SYSROOT=server.fake_wasi())
    assert result.status == 0, result.errors
    (arguments, buffering) = result.shown
    assert arguments.startswith(f"Tools/serve.py --host {host} --port {port} ")
    assert arguments.endswith(f"--product Notes {build} -- -Xcc -DTRACE")
    assert buffering == "1", "a pipe gets messages late"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--host"], 2, "--host needs an address"),
        (["--host", "nowhere.invalid", "8127"], 1, "Port 8127 cannot be used"),
        (["--watch"], 2, "serve has no option --watch"),
    ],
)
def test_wrong_options_of_serve_are_refused(server, words, status, said):
    expect_refusal(server.start("--package", "Notes", "serve", *words), status, said)


def test_rebuild_leaves_the_program_out_of_the_folder_of_the_page(package):
    machine = package(PACKAGES["one"])
    built = "Notes/.build/wasm-sharing/wasm-debug/wasm32-unknown-none-wasm/release"
    machine.fake_swift(
        package=f"echo '{json.dumps({'name': 'notes', 'products': PACKAGES['one']})}'",
        build=f'mkdir -p {built}; echo "sharing_start engine_send $*" >{built}/Notes.wasm',
    )
    words = ["--package", "Notes", "--product", "Notes", "rebuild"]
    for part in ["program", "scripts"]:
        result = machine.start(*words, part, WASI_SYSROOT=sysroot_of(machine))
        assert result.status == 0, result.errors
    program = (machine.root / "Notes/.build/wasm-sharing/served/Notes.wasm").read_text()
    assert "toolset-debug.json" in program
    assert {"engines.js", "page.js", "sharing.js"} < placed(machine).keys()
    assert "Notes.wasm" not in placed(machine)


# MARK: Help


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["serve", "--help"], "  serve [--release] [--host HOST] [PORT]"),
        (["serve", "8080", "-h"], "  serve [--release] [--host HOST] [PORT]"),
        (["run", "-h"], "  run [--dir DIR] WORD"),
        (["--product", "Notes", "build", "--help"], "  build  "),
    ],
)
def test_a_verb_with_help_shows_its_lines_and_does_nothing(package, words, first):
    machine = package(PACKAGES["one"])
    result = machine.start("--package", "Notes", *words)
    begins = [line for line in result.shown if not line.startswith(" " * 20)]
    assert (result.status, result.errors, len(begins)) == (0, "", 1)
    assert result.shown[0].startswith(first)
    assert not (machine.root / "options").exists(), "it is built"


def test_words_after_the_first_one_of_run_are_for_the_program(package):
    machine = package(PACKAGES["two"])
    result = machine.start("--package", "Notes", "run", "increment", "--help")
    expect_refusal(result, 1, "Name one of the executables")


def test_the_verbs_of_an_app_are_listed_without_a_verb_and_by_help(package):
    machine = package(PACKAGES["one"])
    asked = [["help"], ["-h"], ["--help"]]
    for words in [["Notes"], ["Notes", "--product", "Notes"], *(["DIR", *word] for word in asked)]:
        result = machine.start("--package", *words)
        assert (result.status, result.errors) == (0, "")
        assert "  serve [--release] [--host HOST] [PORT]" in "\n".join(result.shown)
    assert not (machine.root / "options").exists(), "it is built"


@pytest.mark.parametrize("file", ["main.swift", "Sub/main.swift", "Notes.swift"])
def test_only_top_level_code_in_a_file_main_is_a_program(package, file):
    product = {"name": "Notes", "type": {"executable": None}, "targets": ["App"]}
    others = [{"name": "Kit", "type": "library", "sources": ["main.swift"]}]
    targets = [*others, {"name": "App", "type": "executable", "sources": ["App.swift", file]}]
    machine = package([product], targets)
    result = machine.start("--package", "Notes", "build", WASI_SYSROOT=machine.fake_wasi())
    assert result.status == 0, result.errors
    options = (machine.root / "options").read_text()
    assert ("-Xswiftc -parse-as-library" in options) == (file == "Notes.swift")


def test_a_program_that_no_page_can_start_is_said(package):
    machine = package(PACKAGES["one"])
    machine.fake("wasm-opt", 'echo "exports _start" >"${!#}"')
    words = ["--package", "Notes", "build"]
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    expect_refusal(result, 1, "No page can start Notes: it depends neither on SharingPage")
    (machine.root / "Notes/web/index.html").unlink()
    assert machine.start(*words, WASI_SYSROOT=machine.root.parent / "sysroot").status == 0


def test_a_program_with_a_loader_of_its_own_is_built(package):
    machine = package(PACKAGES["one"])
    machine.fake("wasm-opt", 'echo "exports sharing_abi_version" >"${!#}"')
    words = ["--package", "Notes", "build"]
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    assert result.status == 0, result.errors
    assert "no script here calls connect of sharing.js" in "\n".join(result.shown)
    script = 'import { connect } from "./sharing.js";'
    (machine.root / "Notes/web/loader.js").write_text(script)
    result = machine.start(*words, WASI_SYSROOT=machine.root.parent / "sysroot")
    assert result.status == 0, result.errors
    assert "connect" not in "\n".join(result.shown)


def test_scripts_are_single_files_and_the_lines_for_the_page_of_a_loader(package):
    machine = package(PACKAGES["one"])
    result = machine.start("--package", "Notes", "scripts", "public/js/")
    assert result.status == 0, result.errors
    folder = machine.root / "public/js"
    names = {"connect.js", "engines.js", "indexeddb.js", "sharing.js"}
    assert {path.name for path in folder.glob("*.js")} == names
    for name in names:
        imported = re.findall(r'(?:from|import)\(?"([^"]+)', (folder / name).read_text())
        assert {path.removeprefix("./") for path in imported} <= names
    shown = "\n".join(result.shown)
    assert 'import { connect } from "./sharing.js";' in shown
    assert "sharing.attach(instance)" in shown
    result = machine.start("--package", "Notes", "scripts", "a", "b")
    expect_refusal(result, 2, "scripts takes a folder, got: a b")
    result = machine.start("--package", "Notes", "scripts", "Notes/Package.swift")
    expect_refusal(result, 1, "could not be made")


def test_words_behind_two_dashes_are_options_of_the_build(package):
    machine = package(PACKAGES["one"])
    words = ["--package", "Notes", "build", "--", "-Xcc", "-DTRACE=a b"]
    result = machine.start(*words, WASI_SYSROOT=machine.fake_wasi())
    assert result.status == 0, result.errors
    assert "-Xcc -DTRACE=a b" in (machine.root / "options").read_text()
    result = machine.start("--package", "Notes", "build", "--")
    expect_refusal(result, 2, "There is no option behind --")
    result = machine.start("--package", "Notes", "build", "again", "--", "-Xcc", "-DTRACE")
    expect_refusal(result, 2, "build takes no argument, got: again")


def test_toolset_prints_only_where_the_toolset_lies(package):
    machine = package(PACKAGES["one"])
    result = machine.start("--package", "Notes", "toolset", WASI_SYSROOT=machine.fake_wasi())
    assert result.status == 0, result.errors
    assert result.shown == [f"{machine.root}/Notes/.build/wasm-sharing/toolset.json"]
    toolset = json.loads((machine.root / "Notes/.build/wasm-sharing/toolset.json").read_text())
    assert "-D__EMBEDDED_SWIFT__" in toolset["cCompiler"]["extraCLIOptions"]
    assert "--export-if-defined=__main_argc_argv" in toolset["linker"]["extraCLIOptions"]


def test_a_page_that_is_missing_is_said_before_anything_is_built(package):
    machine = package(PACKAGES["one"])
    (machine.root / "Notes/web/index.html").unlink()
    result = machine.start("--package", "Notes", "serve")
    expect_refusal(result, 1, "web/index.html is missing")
