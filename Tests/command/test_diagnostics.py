"""The compiler's messages on misuse of the library: they include the place and the remedy."""

import re

import pytest
from conftest import ROOT, call
from hosts import build, suite

TYPES = """
import SharingCore
import WasiStorage

struct User: Sendable {
  var name = "Ada"; var age = 1; var initials: String { get { name } set {} }
}
enum Theme: String { case light, dark }
"""


@pytest.fixture(scope="module")
def natively():
    build("ConformanceRunner")  # builds the modules that a program imports
    folder = ROOT / ".build/debug"
    return lambda file: call("swiftc", "-typecheck", *modules(folder), file)


@pytest.fixture(scope="module")
def for_wasm():
    suite()
    folder = ROOT / ".build/wasm/wasm32-unknown-none-wasm/release"
    options = "-target wasm32-unknown-none-wasm -enable-experimental-feature Embedded -wmo -Osize"
    # Embedded Swift reports its errors when it generates code.
    return lambda file: call(
        "swiftc", *options.split(), "-c", "-o", "/dev/null", *modules(folder), file
    )


def modules(folder):
    header = f"-fmodule-map-file={folder}/CHost.build/module.modulemap"
    if not (folder / "CHost.build/module.modulemap").exists():
        header = f"-I{ROOT}/Sources/CHost/include"
    return ["-swift-version", "6", "-parse-as-library", "-I", folder / "Modules", "-Xcc", header]


@pytest.fixture
def program(tmp_path):
    """Returns a function that writes a file with some types and a function with a given body."""

    def write(body):
        file = tmp_path / "Program.swift"
        file.write_text(f"{TYPES}\npublic func program() {{\n{body}\n}}\n")
        return file

    return write


MISTAKES = {
    "a reader is changed": (
        "let reader = SharedReader(value: 1)\nreader.withLock { $0 += 1 }",
        "A SharedReader only reads",
    ),
    "a reader is asserted": (
        "let reader = SharedReader(value: 1)\nreader.assert { $0 += 1 }",
        "assert the changes of the '@Shared' value",
    ),
    "what cannot be compared is asserted": (
        '@Shared(value: User()) var user\n$user.assert { $0.name = "Bo" }',
        "Only an Equatable value can be asserted",
    ),
    "a default is missing": (
        '\n@Shared(.inMemory("count")) var count: Int',
        "Assign a default",
    ),
    "a key is missing": (
        "\n@Shared var count = 0",
        "Give the value a key",
    ),
    "a reader's key is missing": (
        "\n@SharedReader var names: [String] = []",
        "Give the reader a key",
    ),
    "a plain struct in localStorage": (
        '\n@Shared(.localStorage("user")) var user = User()',
        "no JSON form. Write @Stored in front of the struct or enum",
    ),
    "an array of plain structs in a file": (
        '\n@Shared(.fileStorage("users.json")) var users: [User] = []',
        "natively, Codable is enough",
    ),
    "a plain enum in sessionStorage": (
        '\n@Shared(.sessionStorage("theme")) var theme = Theme.light',
        "Write @Stored in front of the struct or enum",
    ),
    "a plain struct in appStorage": (
        '\n@Shared(.appStorage("user")) var user = User()',
        "The value's type has no JSON form",
    ),
    "a version beside a coding": (
        '\n@Shared(.localStorage("count", version: 2, coding: .json)) var count = 0',
        "Give the version to the coding",
    ),
    "a version of a file": (
        '\n@Shared(.fileStorage("count.json", version: 2)) var count = 0',
        "coding: .json(version: 2",
    ),
    "a version in appStorage": (
        '\n@Shared(.appStorage("count", version: 2)) var count = 0',
        "Use .localStorage(key, version: 2",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_its_remedy(natively, program, mistake):
    body, message = MISTAKES[mistake]
    expect_error(natively(program(body)), message)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_in_embedded_swift_too(for_wasm, program, mistake):
    body, message = MISTAKES[mistake]
    expect_error(for_wasm(program(body)), message)


@pytest.mark.parametrize(
    "derivation",
    [
        '@Shared(value: User()) var user\n$user.initials.withLock { $0 = "" }',
        "@Shared(value: User()) var user\n_ = $user.initials",
        "let user = SharedReader(value: User())\n_ = user.initials",
    ],
)
def test_embedded_swift_refuses_a_derived_computed_property(for_wasm, program, derivation):
    expect_error(for_wasm(program(derivation)), "cannot use key path in embedded Swift")


def test_a_plain_struct_at_a_url_is_told_with_its_remedy(natively, program):
    body = '\n@Shared(.fileStorage(URL(fileURLWithPath: "user.json"))) var user = User()'
    file = program(body)
    file.write_text("import Foundation" + file.read_text())
    expect_error(natively(file), "The value's type has no JSON form. Write @Stored in front of")


CORRECT = """
@Shared(value: User()) var user
$user.name.assert { $0 = "Bo" }
$user.name.withLock { $0 = "Bo" }
_ = $user.age()
_ = $user.read { $0.initials }
@Shared(.appStorage("name")) var name = "Ada"
@Shared(.localStorage("count")) var count = 0
struct Row { @Shared var count: Int }
_ = Row(count: $count)
"""


def test_what_is_right_compiles(natively, for_wasm, program):
    for compile in [natively, for_wasm]:
        result = compile(program(CORRECT))
        assert (result.status, result.errors) == (0, "")


OBSERVABLE = """
import Observation

@Observable final class Model {
  @ObservationIgnored @Shared(.inMemory("count")) var count = 0
}
"""


def test_shared_is_left_to_itself_in_an_observable_class(natively, program):
    file = program("")
    file.write_text(file.read_text() + OBSERVABLE)
    assert natively(file).status == 0


def expect_error(result, message):
    """Expects an error in the second line of the program's body."""
    assert result.status != 0
    errors = re.findall(r"Program\.swift:(\d+):\d+: error: (.*)", result.errors)
    line = TYPES.count("\n") + 2 + 2
    assert [line, True] in [[int(at), message in text] for at, text in errors], result.errors
