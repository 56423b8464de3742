"""Builds all mutants of Swift code in one program. The body of a function becomes a switch over its
variants, and the environment variable MUTANT selects the active ones. One build for each mutant
would take ten times as long as the tests."""

import dataclasses
import pathlib
import re
import sys

SWITCH = """import Glibc

/// Which mutant runs; 0 for none.
@usableFromInline
let activeMutant: Int = getenv("MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
"""
# Blocks that contain no statements.
CONTAINER = re.compile(r"\b(class|struct|enum|extension|protocol)\b(?! func| var| let)")
ACCESSORS = re.compile(
    r"\s*(?:@\w+(?:\(\w+\))?\s+)*(?:(?:non)?mutating\s+)?(?:get|set|_read|_modify|willSet|didSet)\b[^:=.]*\{"
)
ERROR = re.compile(r"^(/[^:]+):(\d+):\d+: error:")
# A variable's initial value.
VALUE = re.compile(r"^[^\n{(]*\b(?:var|let) \w+(?:: [\w.<>?\[\]]+)? = ([^\n{]+)$", re.MULTILINE)


@dataclasses.dataclass
class Body:
    """The code between the braces of a function, or a variable's initial value, with its variants
    by mutant number."""

    declaration: int  # the start of the code
    start: int
    end: int
    is_value: bool = False
    variants: dict = dataclasses.field(default_factory=dict)
    # The variants that lack a statement.
    shorter: set = dataclasses.field(default_factory=set)


class Variants:
    """The mutants that are compiled into one copy of the project."""

    def __init__(self, root, copy):
        self.root = root
        self.copy = copy
        self.files = {}
        self.owners = {}
        self.numbers = {}

    def add(self, mutants):
        """Adds the mutants within a function or an initial value; ignores the others."""
        for mutant in sorted(mutants, key=lambda mutant: (mutant.path, mutant.line, mutant.after)):
            text, _ = self.read(mutant.path)
            body = self.take(mutant.key, mutant.path, mutant.applied(text))
            if body and mutant.after.lstrip().startswith("//"):
                body.shorter.add(self.numbers[mutant.key])

    def read(self, path):
        """Returns the text of a file and the bodies in it."""
        if path not in self.files:
            text = (self.root / path).read_text()
            self.files[path] = text, bodies_of(text)
        return self.files[path]

    def take(self, key, path, broken):
        """Adds a changed text of a file.
        - Returns: The body that differs; None if not exactly one does."""
        text, bodies = self.files[path]
        for body in bodies:
            rest = text[body.end :]
            if broken.startswith(text[: body.start]) and broken.endswith(rest):
                number = self.numbers.setdefault(key, len(self.numbers) + 1)
                body.variants[number] = broken[body.start : len(broken) - len(rest)]
                return body

    def number(self, mutant):
        return self.numbers.get(mutant.key)

    def write(self):
        """Writes the files with all remaining variants."""
        for module in {pathlib.Path(path).parts[1] for path in self.files}:
            write(self.copy / "Sources" / module / "ActiveMutant.swift", SWITCH)
        for path in self.files:
            write(self.copy / path, self.woven(path))

    def woven(self, path):
        """Returns the text of a file with all variants; records the lines of each."""
        text, bodies = self.files[path]
        self.owners[path] = []
        woven, last = "", 0
        for body in bodies:
            if body.variants:
                woven += text[last : body.start]
                before, between, otherwise, after = (
                    ("", "activeMutant == {} ?\n{}\n: ", "\n{}", "")
                    if body.is_value
                    else (" switch activeMutant {{", "\ncase {}:\n{}", "\ndefault:\n{}", "\n}\n")
                )
                first = woven.count("\n") + 1 - text.count("\n", body.declaration, body.start)
                woven += before.format()
                for number, variant in body.variants.items():
                    piece = between.format(number, variant if blotted(variant).strip() else "break")
                    woven += self.noted(path, woven, piece, body, [number])
                piece = otherwise.format(text[body.start : body.end])
                woven += self.noted(path, woven, piece, body, list(body.variants)) + after
                last = body.end
                end = woven.count("\n") + 1
                self.owners[path].append((first, end, body, list(body.variants)))
        return woven + text[last:]

    def noted(self, path, woven, piece, body, numbers):
        first = woven.count("\n") + 1
        self.owners[path].append((first + 1, first + piece.count("\n"), body, numbers))
        return piece

    def drop(self, output):
        """Removes the mutants that the compiler rejects.
        - Returns: The numbers of those that are invalid, and of those that need a build of their
          own."""
        refused, unfit = set(), set()
        for line in output.splitlines():
            match = ERROR.match(line)
            path = match and str(pathlib.Path(match.group(1)).relative_to(self.copy))
            for first, last, body, numbers in self.owners.get(path, []):
                if first <= int(match.group(2)) <= last:
                    if len(numbers) == 1:
                        refused.update(numbers)
                    else:
                        # Usually, a value that the function returns or sets is missing.
                        unfit.update(body.shorter & set(numbers) or numbers)
                    break
        for _, bodies in self.files.values():
            for body in bodies:
                for number in (refused | unfit) & set(body.variants):
                    del body.variants[number]
        return refused, unfit - refused

    def forget(self, numbers):
        self.numbers = {key: number for key, number in self.numbers.items() if number not in numbers}


def write(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def bodies_of(text):
    """Returns the bodies of the outermost functions, in order; types and closures do not count."""
    code = blotted(text)
    bodies, head, parentheses = [], 0, 0
    ends = matching(code)
    index = 0
    while index < len(code):
        character = code[index]
        if character in "([":
            parentheses += 1
        elif character in ")]":
            parentheses -= 1
        elif character == "{" and not parentheses and index in ends:
            end = ends[index]
            declaration = code[head:index].split("\n\n")[-1]
            if CONTAINER.search(declaration) or ACCESSORS.match(code[index + 1 : end + 1]):
                head = index + 1
            else:
                begin = index - len(declaration.lstrip())
                bodies.append(Body(begin, index + 1, end))
                index = head = end
        elif character == "}":
            head = index + 1
        index += 1
    values = [Body(match.start(), *match.span(1), is_value=True) for match in VALUE.finditer(code)]
    outside = [v for v in values if not any(b.start <= v.start < b.end for b in bodies)]
    return sorted(bodies + outside, key=lambda body: body.start)


def matching(code):
    """Returns the end of each block by its start index."""
    ends, open_ = {}, []
    for index, character in enumerate(code):
        if character == "{":
            open_.append(index)
        elif character == "}" and open_:
            ends[open_.pop()] = index
    return ends


def blotted(text):
    """Returns the text with comments, strings and #if lines blanked out, at the same length."""
    pattern = r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/|^\s*#[^\n]*$'

    def blot(match):
        mark = "_" if match.group().startswith('"') else " "
        return re.sub(r"[^\n]", mark, match.group())

    return re.sub(pattern, blot, text, flags=re.MULTILINE)
