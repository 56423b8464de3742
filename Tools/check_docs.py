"""Compiles the Swift code of README.md and of the articles, and checks their JavaScript and links.

Each article (and the README) is one file, which the compiler checks beside the modules that the
other builds have made; it makes no code of it. A block is the body of a function of its own, unless
it has an import, an extension, `@main` or a test at the beginning of a line: then it stands in the
article's file, where later blocks see its declarations. A comment above a block, or instead of one,
says what is different:

    <!-- swift: file -->            the block stands in the article's file
    <!-- swift: native -->          it compiles natively only
    <!-- swift: wasm -->            it compiles for WebAssembly only
    <!-- swift: never -->           it compiles nowhere: what the text warns of
    <!-- swift: manifest -->        a part of a package's manifest: arguments of `Package`
    <!-- swift: prelude             code that the article does not show; it stands in the file
    struct User: Sendable { … }
    -->

The JavaScript of an article is one module, which `deno check` reads. What it does not show is in a
comment, too; a block below the second comment is a file beside it:

    <!-- js: prelude
    const token = "…";
    -->
    <!-- js: file instantiate.js -->

`check_docs.py --scripts` checks the JavaScript only, with the Deno beside the Python that runs
this; `--wasm` compiles for WebAssembly, too, where blocks that are native must be refused. That
needs the toolset which `./build.sh` writes.
"""

import concurrent.futures
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CATALOG = ROOT / "docs/Documentation.docc"
CODE = ROOT / ".build/docs-code"
TOOLSET = ROOT / ".build/toolset-debug.json"
WASM = "wasm32-unknown-none-wasm"
MARKS = {"file", "native", "wasm", "never", "manifest"}
# Code at the beginning of a line that is not allowed in a function.
OF_FILE = re.compile(r"^(import|extension|protocol|public|@main|@Suite|@Test|@_expose)\b", re.MULTILINE)
IMPORTS = ["SharingCommits", "SharingCore", "SharingPage", "WasiStorage"]
NATIVE_IMPORTS = [
    "Foundation", "Observation", "SharingNATS", "SharingSimulation", "SharingTesting", "Testing",
    "XCTest",
]
# The compiler's message for a place, except the warnings that any example causes.
COMPLAINT = r"^{place}:\d+:\d+: (?:error|warning): (?!.*#no-usage|.*never mutated).*$"


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
        """Returns the code to compile. The compiler's messages name the article and its line."""
        code = re.sub(r"^(@testable )?import .*$", "", self.code, flags=re.MULTILINE)
        code = re.sub(r"^@main$", "", code, flags=re.MULTILINE)
        place = f'#sourceLocation(file: "{self.article.relative_to(ROOT)}", line: {self.line})\n'
        end = "#sourceLocation()\n"
        if "file" in self.marks or OF_FILE.search(self.code):
            return place + code + end
        effects = "async throws" if re.search(r"\bawait\b", code) else "throws"
        if for_wasm:
            effects = "throws(StorageError)"  # Embedded Swift allows no other errors here
        return f"public func block{self.line}() {effects} {{\n{place}{code}{end}}}\n"


def articles():
    return [ROOT / "README.md", *sorted(CATALOG.glob("*.md"))]


def blocks(article):
    """Returns the Swift blocks of an article and its preludes, in order."""
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
    """Returns the name of an article's module."""
    return "Article" + re.sub(r"\W", "", article.stem.title())


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def file(some, for_wasm):
    modules = IMPORTS if for_wasm else IMPORTS + NATIVE_IMPORTS
    imports = "".join(f"import {module}\n" for module in sorted(modules))
    return imports + "".join(block.source(for_wasm) for block in some)


def build_modules(for_wasm):
    """Builds the modules that articles import, in the folders of the unoptimized builds.
    Returns their folder."""
    where, options = ".build/debug", []
    if for_wasm:
        where = f".build/wasm-debug/{WASM}/debug"
        options = ["--triple", WASM, "--toolset", TOOLSET]
        options += ["--scratch-path", ".build/wasm-debug", "--target", "SharingPage"]
    run = subprocess.run(["swift", "build", "--quiet", *options], cwd=ROOT)
    if run.returncode:
        sys.exit("The modules that the articles import could not be built; see above.")
    return ROOT / where


def macro_tool(modules):
    """The program that expands `@Stored`, which SwiftPM builds beside the modules."""
    modules = modules.resolve()
    return next(modules.parent.parent.glob(f"*/{modules.name}/SharingMacros-tool"))


class Compiler:
    """Checks files on one host. It stops before code generation, which takes most of the time and
    reports no further errors."""

    def __init__(self, modules, for_wasm):
        self.for_wasm = for_wasm
        self.folder = CODE / ("wasm" if for_wasm else "native")
        self.command = ["swiftc", "-swift-version", "6", "-parse-as-library", "-I", modules / "Modules"]
        for module in ["CHost", "WasmCommand"]:
            self.command += ["-Xcc", f"-fmodule-map-file={modules}/{module}.build/module.modulemap"]
        self.command += ["-load-plugin-executable", f"{macro_tool(modules)}#SharingMacros"]
        if for_wasm:
            extra = json.loads(TOOLSET.read_text())["swiftCompiler"]["extraCLIOptions"]
            self.command += ["-target", WASM, *extra]
        self.command += ["-Onone", "-emit-sil", "-o", "/dev/null"]

    def check(self, module, some):
        """Checks blocks in one file."""
        path = self.folder / f"{module}.swift"
        write(path, file(some, self.for_wasm))
        command = [*self.command, "-module-name", module, path]
        return subprocess.run(command, capture_output=True, text=True)

    def problem(self, article):
        """Returns the problem of an article, or None."""
        some = [block for block in blocks(article) if block.compiles(self.for_wasm)]
        run = self.check(name(article), some)
        messages = re.findall(COMPLAINT.format(place=r"\S[^:\n]*"), run.stderr, re.MULTILINE)
        return "\n".join(dict.fromkeys(messages)) or (run.stderr if run.returncode else None)

    def problem_of_marked(self, block):
        """Returns the problem of a block that must be rejected or must warn, compiled behind the
        blocks before it in its article; or None."""
        before = [one for one in blocks(block.article) if one.line < block.line]
        before = [one for one in before if one.compiles(self.for_wasm)]
        said = self.check(f"{name(block.article)}{block.line}", [*before, block]).stderr
        place = re.escape(str(block.article.relative_to(ROOT)))
        if re.search(COMPLAINT.format(place=place), said, re.MULTILINE):
            return None
        where = "for WebAssembly" if self.for_wasm else "natively"
        return f"{block.place}: is marked as not compiling, but compiles {where}\n{said}"


def check_manifests():
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout
    library = pathlib.Path(json.loads(info)["paths"]["runtimeResourcePath"]) / "pm/ManifestAPI"
    for block in [one for article in articles() for one in blocks(article)]:
        if "manifest" in block.marks:
            path = CODE / f"Manifests/{name(block.article)}{block.line}.swift"
            place = f'"{block.article.relative_to(ROOT)}", line: {block.line - 1}'
            code = f"#sourceLocation(file: {place})\nlet package = Package(name: \"App\",\n"
            write(path, f"import PackageDescription\n{code}{block.code})\n")
            command = ["swiftc", "-typecheck", "-package-description-version", "6.2", "-I", library, path]
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                sys.exit(run.stderr)


def check_code(for_wasm):
    compiler = Compiler(build_modules(for_wasm), for_wasm)
    some = [block for article in articles() for block in blocks(article)]
    shown = [block for block in some if not block.is_prelude]
    marked = [one for one in some if not one.compiles(for_wasm) and "manifest" not in one.marks]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [
            *pool.map(compiler.problem, articles()),
            *pool.map(compiler.problem_of_marked, marked),
        ]
    if any(problems):
        sys.exit("\n".join(filter(None, problems)))
    compiled = sum(block.compiles(for_wasm) for block in shown)
    where = "for WebAssembly" if for_wasm else "natively"
    print(f"{compiled} blocks of code compile {where}, {len(marked)} do not and are marked")


# MARK: JavaScript

SCRIPTS = ROOT / ".build/docs-scripts"
# Elements that an article finds in its page count as present.
DENO = {"compilerOptions": {"checkJs": True, "strict": False, "lib": ["dom", "dom.iterable", "esnext"]}}
STARTING = 'import { bind } from "./page.js"; import { start } from "./sharing.js";'


OTHER_FILE = re.compile(r"^<!-- js: file ([\w.]+) -->\n```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def script(article):
    """Returns the JavaScript of an article as one module with unchanged line numbers, or None if
    there is none."""
    lines, is_code = [], False
    text = OTHER_FILE.sub(lambda match: "\n" * match[0].count("\n"), article.read_text())
    for line in text.splitlines():
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
    # Replaces the first line, which is the title.
    return ("" if 'from "./sharing.js"' in text else STARTING) + text + "\n"


def check_scripts():
    shutil.rmtree(SCRIPTS, ignore_errors=True)
    shutil.copytree(ROOT / "JavaScript", SCRIPTS)
    for folder in [*ROOT.glob("Extras/*/JavaScript"), ROOT / "Tests/browser/guides"]:
        shutil.copytree(folder, SCRIPTS, dirs_exist_ok=True)
    for path in SCRIPTS.glob("*.d.ts"):
        # The types of an extra import those of the product, which are beside them here.
        path.write_text(path.read_text().replace("../../../JavaScript/", "./"))
    for module in ["page", "sharing"]:
        path = SCRIPTS / f"{module}.js"
        path.write_text(f'// @ts-self-types="./{module}.d.ts"\n{path.read_text()}')
    written = []
    for article in articles():
        if text := script(article):
            written.append(SCRIPTS / f"{article.stem}.md.js")
            written[-1].write_text(text)
        for name, text in OTHER_FILE.findall(article.read_text()):
            (SCRIPTS / name).write_text(text)
    (SCRIPTS / "deno.json").write_text(json.dumps(DENO))
    deno = pathlib.Path(sys.executable).with_name("deno")
    command = [deno, "check", "--quiet", "--config", SCRIPTS / "deno.json", *written]
    if subprocess.run(command).returncode:
        sys.exit("The JavaScript of the articles has mistakes; they are above.")
    print(f"the JavaScript of {len(written)} articles is right")


# MARK: Links


def headings(text):
    """Returns the anchors of a page's headings, as GitHub forms them."""
    found = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {anchor(one) for one in found}


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def broken_links():
    """Returns the broken links of documents and articles, each with its place."""
    patterns = ["*.md", "Benchmarks/*.md", "Extras/*/*.md", "Tests/*.md", "docs/**/*.md"]
    pages = [page for pattern in patterns for page in sorted(ROOT.glob(pattern))]
    broken = []
    for page in pages:
        text = re.sub(r"^```.*?^```$", blank, page.read_text(), flags=re.MULTILINE | re.DOTALL)
        for match in re.finditer(r"\]\(([^)\s]+)\)", text):
            place = f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, match.start()) + 1}"
            path, _, anchor = match[1].partition("#")
            if not re.match(r"\w+:", path):
                goal = (page.parent / path).resolve() if path else page
                if not goal.exists():
                    broken.append(f"{place}: there is no {path}")
                elif anchor and goal.suffix == ".md" and anchor not in headings(goal.read_text()):
                    broken.append(f"{place}: {goal.name} has no heading #{anchor}")
    return broken


def blank(match):
    return "\n" * match[0].count("\n")


def main(arguments):
    if set(arguments) - {"--scripts", "--wasm"}:
        sys.exit(__doc__)
    if "--scripts" in arguments:
        return check_scripts()
    if broken := broken_links():
        sys.exit("\n".join(broken))
    check_manifests()
    check_code(for_wasm=False)
    if "--wasm" in arguments:
        if not TOOLSET.exists():
            sys.exit("There are no compiler options for WebAssembly yet: run ./build.sh first.")
        check_code(for_wasm=True)


if __name__ == "__main__":
    main(sys.argv[1:])
