"""Compiles the Swift code of README.md and of the articles, and checks their JavaScript and links.

Each article (and the README) is a target of the package .build/docs-code. A block is the body of a
function of its own, unless it has an import, an extension, `@main` or a test at the beginning of a
line: then it stands in the article's file, where later blocks see what it declares. A comment above
a block, or instead of one, says what is different:

    <!-- swift: file -->            the block stands in the article's file
    <!-- swift: native -->          it compiles natively only
    <!-- swift: wasm -->            it compiles for WebAssembly only
    <!-- swift: never -->           it compiles nowhere: what the text warns of
    <!-- swift: manifest -->        a part of a package's manifest: arguments of `Package`
    <!-- swift: prelude             code that the article does not show; it stands in the file
    struct User: Sendable { … }
    -->

The JavaScript of an article is one module, which `deno check` reads. What it does not show is in a
comment, too:

    <!-- js: prelude
    const token = "…";
    -->

`check_docs.py --links` checks the links only, `--scripts` the JavaScript only, with the Deno beside
the Python that runs this; `--wasm` compiles for WebAssembly, too, where blocks that are native must
be refused. That needs the toolset which `./build.sh` writes.
"""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CATALOG = ROOT / "docs/Documentation.docc"
PACKAGE = ROOT / ".build/docs-code"
TOOLSET = ROOT / ".build/toolset.json"
WASM = "wasm32-unknown-none-wasm"
MARKS = {"file", "native", "wasm", "never", "manifest"}
# Code at the beginning of a line that cannot be in a function.
OF_FILE = re.compile(r"^(import|extension|protocol|public|@main|@Suite|@Test|@_expose)\b", re.MULTILINE)
IMPORTS = ["SharingCore", "SharingPage", "WasiStorage"]
NATIVE_PRODUCTS = ["SharingNATS", "SharingSimulation", "SharingTesting"]
NATIVE_IMPORTS = ["Foundation", "Observation", *NATIVE_PRODUCTS, "Testing", "XCTest"]


@dataclasses.dataclass
class Block:
    article: pathlib.Path
    line: int  # of its first line of code
    code: str
    marks: frozenset
    is_prelude: bool = False

    @property
    def place(self):
        return f"{self.article.relative_to(ROOT)}:{self.line}"

    def compiles(self, for_wasm):
        return not self.marks & {"never", "manifest", "native" if for_wasm else "wasm"}

    def source(self, for_wasm):
        """The block as it is compiled. What the compiler says names the article and its line."""
        code = re.sub(r"^(@testable )?import .*$", "", self.code, flags=re.MULTILINE)
        code = re.sub(r"^@main$", "", code, flags=re.MULTILINE)
        place = f'#sourceLocation(file: "{self.article.relative_to(ROOT)}", line: {self.line})\n'
        end = "#sourceLocation()\n"
        if "file" in self.marks or OF_FILE.search(self.code):
            return place + code + end
        effects = "async throws" if re.search(r"\bawait\b", code) else "throws"
        if for_wasm:
            effects = "throws(StorageError)"  # Embedded Swift has no other errors here
        return f"public func block{self.line}() {effects} {{\n{place}{code}{end}}}\n"


def articles():
    return [ROOT / "README.md", *sorted(CATALOG.glob("*.md"))]


def blocks(article):
    """The blocks of Swift of an article, and its preludes, in order."""
    found, marks, opened = [], frozenset(), None
    for number, line in enumerate(article.read_text().splitlines(), 1):
        if opened:
            kind, start, lines = opened
            if line.strip() != ("-->" if kind == "prelude" else "```"):
                lines.append(line)
                continue
            if kind == "swift":
                indent = min((len(one) - len(one.lstrip()) for one in lines if one), default=0)
                lines = [one[indent:] for one in lines]
            code = "".join(one + "\n" for one in lines)
            if kind in {"swift", "prelude"}:
                is_prelude = kind == "prelude"
                kind_marks = frozenset({"file"}) if is_prelude else marks
                found.append(Block(article, start, code, kind_marks, is_prelude))
            marks, opened = frozenset(), None
        elif match := re.fullmatch(r"\s*```(\w*)", line):
            opened = (match[1] or "text", number + 1, [])
        elif match := re.fullmatch(r"<!-- swift: prelude( [^>]*)?", line):
            opened = ("prelude", number + 1, [])
        elif match := re.fullmatch(r"<!-- swift: ([\w ]+) -->", line):
            marks = checked_marks(match[1].split(), article, number)
    if opened:
        sys.exit(f"{article.relative_to(ROOT)}:{opened[1] - 1}: This block has no end.")
    return found


def checked_marks(words, article, number):
    if set(words) - MARKS:
        sys.exit(f"{article.relative_to(ROOT)}:{number}: There is no mark '{' '.join(words)}'.")
    return frozenset(words)


# MARK: Compiling


def name(article):
    """The name of an article's module."""
    return "Article" + re.sub(r"\W", "", article.stem.title())


def write(path, text):
    """Writes a file, unless it is so already: the build is incremental."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def file(some, for_wasm):
    modules = IMPORTS if for_wasm else IMPORTS + NATIVE_IMPORTS
    imports = "".join(f"import {module}\n" for module in sorted(modules))
    return imports + "".join(block.source(for_wasm) for block in some)


def write_package(folder, for_wasm):
    """A package with a target for each article. What must not compile is not in it."""
    products = IMPORTS if for_wasm else IMPORTS + NATIVE_PRODUCTS
    targets = []
    for article in articles():
        some = [block for block in blocks(article) if block.compiles(for_wasm)]
        if some:
            targets.append(name(article))
            write(folder / f"Sources/{name(article)}/Article.swift", file(some, for_wasm))
    dependencies = ", ".join(
        f'.product(name: "{one}", package: "wasm-sharing")' for one in products
    )
    root = os.path.relpath(ROOT, folder)
    lines = "".join(
        f'    .target(name: "{one}", dependencies: dependencies),\n' for one in targets
    )
    write(
        folder / "Package.swift",
        "// swift-tools-version: 6.2\nimport PackageDescription\n\n"
        f"let dependencies: [Target.Dependency] = [{dependencies}]\n\n"
        'let package = Package(\n  name: "docs-code",\n'
        f'  dependencies: [.package(name: "wasm-sharing", path: "{root}")],\n'
        f"  targets: [\n{lines}  ])\n",
    )


def build(folder, for_wasm):
    options = ["--triple", WASM, "--toolset", TOOLSET, "-c", "release"] if for_wasm else []
    run = subprocess.run(
        # A cached plan does not know of new files of a dependency by path.
        ["swift", "build", "--package-path", folder, "--disable-build-manifest-caching"]
        + ["--quiet", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    # Articles name what they show, whether it is used or not.
    messages = re.findall(r"^\S.*: (?:error|warning): (?!.*#no-usage|.*never mutated).*$", run.stdout, re.M)
    if messages:
        sys.exit("\n".join(dict.fromkeys(messages)))
    if run.returncode:
        sys.exit(run.stdout)


def must_fail(folder, for_wasm):
    """Compiles each block that must be refused, or with a warning, behind what comes before it."""
    target = f"{WASM}/release" if for_wasm else "debug"
    modules = folder / ".build" / target
    options = ["-swift-version", "6", "-parse-as-library", "-I", modules / "Modules"]
    for module in ["CHost", "WasmCommand"]:
        options += ["-Xcc", f"-fmodule-map-file={modules}/{module}.build/module.modulemap"]
    if for_wasm:
        extra = json.loads(TOOLSET.read_text())["swiftCompiler"]["extraCLIOptions"]
        options += ["-target", WASM, *extra, "-c", "-o", "/dev/null"]
    else:
        options += ["-typecheck"]

    def compile_one(block):
        before = [
            one
            for one in blocks(block.article)
            if one.line < block.line and one.compiles(for_wasm)
        ]
        path = folder / f"Mistakes/{name(block.article)}{block.line}.swift"
        write(path, file([*before, block], for_wasm))
        run = subprocess.run(["swiftc", *options, path], capture_output=True, text=True)
        at_block = re.escape(f"{block.article.relative_to(ROOT)}:")
        complaint = rf"{at_block}\d+:.* (?:error|warning): (?!.*#no-usage)"
        is_refused = re.search(complaint, run.stderr)
        return block, is_refused, run.stderr

    some = [block for article in articles() for block in blocks(article)]
    some = [one for one in some if not one.compiles(for_wasm) and "manifest" not in one.marks]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        outcomes = list(pool.map(compile_one, some))
    where = "for WebAssembly" if for_wasm else "natively"
    wrong = [f"{block.place}: is marked, and compiles {where}" for block, ok, _ in outcomes if not ok]
    for block, ok, text in outcomes:
        if not ok and text:
            wrong.append(text)
    if wrong:
        sys.exit("\n".join(wrong))
    return len(some)


def check_manifests():
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout
    library = pathlib.Path(json.loads(info)["paths"]["runtimeResourcePath"]) / "pm/ManifestAPI"
    for block in [one for article in articles() for one in blocks(article)]:
        if "manifest" in block.marks:
            path = PACKAGE / f"Manifests/{name(block.article)}{block.line}.swift"
            place = f'"{block.article.relative_to(ROOT)}", line: {block.line - 1}'
            code = f"#sourceLocation(file: {place})\nlet package = Package(name: \"App\",\n"
            write(path, f"import PackageDescription\n{code}{block.code})\n")
            command = ["swiftc", "-typecheck", "-package-description-version", "6.2", "-I", library, path]
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                sys.exit(run.stderr)


def check_code(for_wasm):
    folder = PACKAGE.with_name("docs-code-wasm") if for_wasm else PACKAGE
    write_package(folder, for_wasm)
    build(folder, for_wasm)
    refused = must_fail(folder, for_wasm)
    some = [block for article in articles() for block in blocks(article)]
    compiled = sum(block.compiles(for_wasm) and not block.is_prelude for block in some)
    where = "for WebAssembly" if for_wasm else "natively"
    print(f"{compiled} blocks of code compile {where}, {refused} do not and are marked")


# MARK: JavaScript

SCRIPTS = ROOT / ".build/docs-scripts"
# The elements that an article finds in its page are there.
DENO = {"compilerOptions": {"checkJs": True, "strict": False, "lib": ["dom", "dom.iterable", "esnext"]}}
STARTING = 'import { bind } from "./page.js"; import { start } from "./sharing.js";'


def script(article):
    """The JavaScript of an article as one module, each line at its place; None if there is none."""
    lines, is_code = [], False
    for line in article.read_text().splitlines():
        if line in {"```js", "<!-- js: prelude"}:
            is_code = True
        elif is_code and line in {"```", "-->"}:
            is_code = False
        elif is_code:
            lines.append(line)
            continue
        lines.append("")
    if not any(lines):
        return None
    text = "\n".join(lines)
    # The first line is the title.
    return ("" if 'from "./sharing.js"' in text else STARTING) + text + "\n"


def check_scripts():
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    shutil.copytree(ROOT / "JavaScript", SCRIPTS)
    for module in ["page", "sharing"]:
        path = SCRIPTS / f"{module}.js"
        path.write_text(f'// @ts-self-types="./{module}.d.ts"\n{path.read_text()}')
    written = []
    for article in articles():
        if text := script(article):
            written.append(SCRIPTS / f"{article.stem}.md.js")
            written[-1].write_text(text)
    (SCRIPTS / "deno.json").write_text(json.dumps(DENO))
    deno = pathlib.Path(sys.executable).with_name("deno")
    command = [deno, "check", "--quiet", "--config", SCRIPTS / "deno.json", *written]
    if subprocess.run(command).returncode:
        sys.exit("The JavaScript of the articles has mistakes; they are above.")
    print(f"the JavaScript of {len(written)} articles is right")


# MARK: Links


def headings(text):
    """The anchors of a page's headings, as they are made from them on the web."""
    found = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in found}


def broken_links():
    """Relative links, and links to articles, that lead nowhere, each with its place."""
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    names = {article.stem for article in CATALOG.glob("*.md")} | {"Design"}
    broken = []
    for page in pages:
        text = re.sub(r"^```.*?^```$", blank, page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for match in re.finditer(r"\]\(([^)\s]+)\)|<doc:([^>]+)>", text):
            place = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
            path, _, anchor = (match[1] or match[2]).partition("#")
            if match[2]:
                if path not in names:
                    broken.append(f"{place}: there is no article {path}")
            elif not re.match(r"\w+:", path):
                goal = (page.parent / path).resolve() if path else page
                if not goal.exists():
                    broken.append(f"{place}: there is no {path}")
                elif anchor and goal.suffix == ".md" and anchor not in headings(goal.read_text()):
                    broken.append(f"{place}: {goal.name} has no heading #{anchor}")
    return broken


def blank(match):
    return "\n" * match[0].count("\n")


def main(arguments):
    if set(arguments) - {"--links", "--scripts", "--wasm"}:
        sys.exit(__doc__)
    if "--scripts" in arguments:
        return check_scripts()
    if broken := broken_links():
        sys.exit("\n".join(broken))
    if "--links" in arguments:
        return
    check_manifests()
    check_code(for_wasm=False)
    if "--wasm" in arguments:
        if not TOOLSET.exists():
            sys.exit("There are no options for WebAssembly yet: run ./build.sh first.")
        check_code(for_wasm=True)


if __name__ == "__main__":
    main(sys.argv[1:])
