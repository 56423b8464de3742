"""Where the rules of the design are implemented, and how a line can be broken."""

import collections
import dataclasses
import re

CORE = "Sources/SharingCore"
KEYS = "Sources/WasiStorage/Keys"
JSON = "Sources/WasiStorage/JSON"
STORES = "Sources/WasiStorage/Stores"

# R4, that a reader cannot write, is the compiler's to see to: what is broken is how it follows.
RULES = {
    "R1": [f"{CORE}/Internal/ReferenceTable.swift", f"{CORE}/Internal/TableEntry.swift"],
    "R2": [
        f"{CORE}/Internal/Box.swift", f"{CORE}/Internal/FollowingBox.swift", f"{CORE}/Shared.swift",
    ],
    "R3": [
        f"{CORE}/Elements.swift", f"{CORE}/Internal/ElementReference.swift",
        f"{CORE}/Internal/OptionalReference.swift", f"{CORE}/Internal/DetachableReference.swift",
        f"{CORE}/Internal/PartPath.swift", f"{CORE}/Keyed.swift",
    ],
    "R4": [
        f"{CORE}/SharedReader.swift", f"{CORE}/SharedReadable.swift",
        f"{CORE}/Internal/Box+Reading.swift",
    ],
    "R5": [f"{CORE}/Internal/Turn.swift", f"{CORE}/Platform/Lock.swift"],
    "R6": [
        f"{CORE}/Shared.swift", f"{CORE}/Internal/Box+Changing.swift",
        f"{CORE}/Internal/Root+Changing.swift", f"{CORE}/Internal/Mutation.swift",
    ],
    "R7": [f"{CORE}/Internal/Observer.swift", f"{CORE}/Internal/KeyPersistence.swift"],
    "R8": [
        f"{CORE}/Internal/Observer.swift", f"{CORE}/Internal/PathNode.swift",
        f"{CORE}/Internal/Part.swift", f"{CORE}/Internal/Turn.swift",
        f"{CORE}/Internal/Dependency.swift",
    ],
    "R9": [f"{CORE}/Internal/ComputedReference.swift", f"{CORE}/Internal/Observer.swift"],
    "R10": [f"{CORE}/Internal/SharedStatus.swift", f"{CORE}/Internal/Persistence.swift"],
    "R11": [
        f"{CORE}/Internal/KeyPersistence.swift", f"{CORE}/Internal/Persistence+Loading.swift",
        f"{CORE}/Loading.swift",
    ],
    "R12": [
        f"{CORE}/Internal/Root+Saving.swift", f"{KEYS}/DebouncedSave.swift", f"{KEYS}/WrittenText.swift",
        "Sources/WasiStorage/Clocks/ManualClock.swift",
    ],
    "R13": [
        f"{KEYS}/StoredBytes.swift", f"{KEYS}/AnyStoredItem.swift", f"{CORE}/Internal/Root+Changing.swift",
    ],
    "R14": [f"{STORES}/ChangeHub.swift", f"{STORES}/MemoryStore.swift", f"{KEYS}/StoredBytes.swift"],
    "R15": [f"{KEYS}/StoredBytes+Damage.swift"],
    "R16": [f"{KEYS}/StoredBytes.swift", f"{CORE}/Internal/Persistence.swift"],
    "R17": [f"{STORES}/FileName.swift", f"{KEYS}/AppStorageValue.swift", f"{CORE}/KeyName.swift"],
    "R18": [f"{STORES}/HostFile.swift", f"{STORES}/FileStore.swift", f"{STORES}/DocumentStore.swift"],
    "R19": [f"{KEYS}/VersionedJSON.swift", f"{KEYS}/StorageMigration.swift"],
    "R20": ["web/sharing.js", "Sources/WasiStorage/Host/HostCode.swift"],
    "R21": [
        "web/sharing.js", "Sources/WasiStorage/Host/HostBuffer.swift", f"{STORES}/HostStore.swift",
    ],
    "R22": [f"{CORE}/SharingEnvironment.swift", f"{CORE}/PrepareSharing.swift"],
    "R23": [
        f"{CORE}/Internal/TrackedChanges.swift", f"{CORE}/Internal/Assertion.swift",
        f"{CORE}/Internal/TrackedRoot.swift", f"{CORE}/SharedChangeTracker.swift",
        f"{STORES}/RecordingStore.swift",
    ],
    # RFC 8259.
    "JSON": [
        f"{JSON}/{name}.swift"
        for name in [
            "JSONReader", "JSONReader+Tokens", "JSONReader+Members", "JSONReader+Containers",
            "JSONReader+Integers", "JSONReader+Numbers", "JSONPlainRun", "JSONText", "JSONEscape",
            "JSONNumber", "JSONWriter", "JSONWriter+Strings", "JSONWriter+Containers",
            "EncodedJSON", "EncodedJSON+Elements", "EncodedJSON+Edits", "Array+JSON", "Bool+JSON",
            "Dictionary+JSON", "Integers+JSON", "Optional+JSON",
        ]
    ],
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """One line of a file, and what it is made to."""

    path: str
    line: int
    before: str
    after: str
    nth: int = 1  # of the lines of the file that are the same
    rule: str = ""

    @property
    def change(self):
        return self.path, self.before.strip(), self.after.strip()

    @property
    def key(self):
        """What stays when the file gets other lines."""
        return *self.change, self.nth

    def of(self, rule):
        return dataclasses.replace(self, rule=rule)

    def applied(self, text):
        lines = text.split("\n")
        lines[self.line - 1] = self.after
        return "\n".join(lines)

    def __str__(self):
        return f"{self.rule:>4} {self.path}:{self.line}  {self.before.strip()}  =>  {self.after.strip()}"


# What is replaced, wherever it is found outside of comments and texts.
REPLACEMENTS = [
    (r" == ", " != "), (r" != ", " == "), (r" === ", " !== "), (r" !== ", " === "),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "),
    (r" && ", " || "), (r" \|\| ", " && "),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
    (r"(?<=[\s(,])!(?=[\w(.])", ""),
    (r" \+ ", " - "), (r" - ", " + "), (r" \+= ", " -= "), (r" &\+= ", " &-= "), (r" -= ", " += "),
    (r"(?<=[ (\[])0(?=[,)\]\s]|$)", "1"), (r"(?<=[ (\[])(?<!\+= )1(?=[,)\]\s]|$)", "2"),
    (r"\?\? (\w+)$", r"?? nil"),
]
CONDITIONS = [
    (r"^(\s*(?:\} else )?if )((?!let |var |case |#)[^{,]*[^{, ])( \{.*)$", r"\1!(\2)\3"),
    (r"^(\s*guard )((?!let |var |case )[^{,]*[^{, ])( else \{.*)$", r"\1!(\2)\3"),
    (r"^(\s*while )((?!let |var |case )[^{,]*[^{, ])( \{.*)$", r"\1false && \2\3"),
    (r"^(\s*if \()([^()]*(?:\([^()]*\)[^()]*)*)(\) .*)$", r"\1!(\2)\3"),  # JavaScript
]
# What turns around already when its one operator is replaced.
COMPARISON = re.compile(r"!?[^&|]* [!=]==? [^&|]*$|![\w.]*$")
# A call or an assignment that is a line of its own.
STATEMENT = re.compile(
    r"^\s+(?:_ = |try |self\.|[a-z]\w*(?:\.\w+|\?\.\w+)*(?:\(| = | [+-]= | &[+-]= )).*[)\w\]\"];?$"
)
NOT_A_STATEMENT = re.compile(
    r"^\s*(?:let|var|const|return|if|guard|else|for|while|case|switch|func|init|throw|default|super|private)\b|=>|\{$|^\s*\w+: "
)


def mutants_of(root, path):
    """Every way to break a line of a file."""
    found = []
    lines = (root / path).read_text().split("\n")
    is_native = True
    times = collections.Counter()
    for number, line in enumerate(lines, 1):
        if line.strip().startswith("#"):
            is_native = line.strip() != "#if hasFeature(Embedded)"
        elif is_native and is_code(line):
            times[line.strip()] += 1
            for after in dict.fromkeys(broken(line, lines[number - 2] if number > 1 else "")):
                if after != line:
                    found.append(Mutant(path, number, line, after, times[line.strip()]))
    return found


def is_code(line):
    text = line.strip()
    declares = re.match(r"(@|import|public (final )?(class|struct|enum|protocol)|extension|infix)", text)
    declares = declares or re.search(r"\bfunc [=<]|\bwhere \w+ ==", text)
    return bool(text) and "is overridden" not in text and not text.startswith(("//", "/*", "*", '"')) and not declares


def broken(line, previous):
    code = without_texts(line)
    for pattern, replacement in REPLACEMENTS:
        for match in re.finditer(pattern, code):
            yield line[: match.start()] + match.expand(replacement) + line[match.end() :]
    for pattern, replacement in CONDITIONS:
        match = re.search(pattern, code)
        if match and not COMPARISON.match(match.group(2)):
            yield re.sub(pattern, replacement, line)
    continues = previous.rstrip().endswith((",", "(", "=", "?", ":", "&&", "||", "+"))
    if STATEMENT.search(code) and not NOT_A_STATEMENT.search(code) and is_balanced(code) and not continues:
        yield re.match(r"\s*", line).group() + "// " + line.strip()


def without_texts(line):
    """The line with comments and the contents of texts blotted out, as long as before."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda text: '"' + "_" * (len(text.group()) - 2) + '"', line)
    return re.sub(r"(?:^|\s)//.*$", lambda text: " " * len(text.group()), line).rstrip()


def is_balanced(code):
    return all(code.count(left) == code.count(right) for left, right in ["()", "[]", "{}"])
