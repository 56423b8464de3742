"""The places that implement the rules of the design, and the ways to break a line."""

import collections
import dataclasses
import re

CORE = "Sources/SharingCore"
JSON = "Sources/SharingJSON"
VALUES = "Sources/WasiStorage/Values"
STORES = "Sources/WasiStorage/Stores"
COMMITS = "Sources/SharingCommits/Committing"
JOURNAL = "Sources/SharingCommits/Journal"
SHIM = "JavaScript/sharing"
REVISIONS = "Sources/SharingCommits/Stores"

# The compiler enforces R4 (a reader cannot write); the mutants change how a reader follows.
RULES = {
    "R1": [f"{CORE}/Runtime/References/ReferenceTable.swift", f"{CORE}/Runtime/References/ReferenceEntries.swift"],
    "R2": [f"{CORE}/Runtime/Handles/Handle.swift", f"{CORE}/Shared.swift"],
    "R3": [
        f"{CORE}/Deriving/Elements.swift", f"{CORE}/Runtime/Handles/Handle+Parts.swift",
        f"{CORE}/Runtime/References/Reference+Elements.swift", f"{CORE}/Runtime/References/ElementPositionCache.swift",
        f"{CORE}/Runtime/References/ElementReference.swift", f"{CORE}/Runtime/References/DetachableReference.swift",
        f"{CORE}/Testing/Path.swift", f"{CORE}/Keys/Shared+Keys.swift",
    ],
    "R4": [
        f"{CORE}/SharedReader.swift", f"{CORE}/SharedReadable.swift",
        f"{CORE}/Runtime/Handles/Handle+Reading.swift",
    ],
    "R5": [
        f"{CORE}/Runtime/Observers/Scheduler.swift", f"{CORE}/Runtime/Observers/Scheduler+Flushing.swift",
        f"{CORE}/Platform/Lock.swift",
    ],
    "R6": [
        f"{CORE}/Shared.swift", f"{CORE}/Runtime/Handles/Handle+Changing.swift",
        f"{CORE}/Runtime/Cells/Cell+Changing.swift", f"{CORE}/Runtime/Cells/Mutation.swift",
    ],
    "R7": [
        f"{CORE}/Runtime/Observers/Observer.swift",
        f"{CORE}/Runtime/Connections/KeyConnection.swift",
    ],
    "R8": [
        f"{CORE}/Runtime/Observers/Observer.swift", f"{CORE}/Runtime/Observers/Observer+Reading.swift",
        f"{CORE}/Runtime/Observers/ObserverNode.swift", f"{CORE}/Runtime/Observers/ObserverNode+Marking.swift",
        f"{CORE}/Runtime/Observers/Scheduler.swift", f"{CORE}/Runtime/Observers/Scheduler+Flushing.swift",
        f"{CORE}/Runtime/References/PathComponent.swift", f"{CORE}/Runtime/Observers/Dependency.swift",
    ],
    "R9": [
        f"{CORE}/Runtime/References/DerivedReference.swift", f"{CORE}/Runtime/Observers/Observer.swift",
        f"{CORE}/Runtime/Observers/Observer+Reading.swift",
    ],
    "R10": [f"{CORE}/Runtime/Connections/CellPersistence.swift"],
    "R11": [
        f"{CORE}/Runtime/Connections/KeyConnection.swift", f"{CORE}/Runtime/Connections/CellPersistence+Loading.swift",
        f"{CORE}/Keys/Loading.swift",
    ],
    "R12": [
        f"{CORE}/Runtime/Cells/Cell+Saving.swift", f"{CORE}/Runtime/Connections/Connection.swift",
        f"{CORE}/Runtime/Connections/CellPersistence+Saving.swift", f"{VALUES}/SaveTiming.swift",
        f"{CORE}/Runtime/Connections/PersistenceMachine.swift",
        f"{CORE}/Runtime/Connections/PersistenceMachine+Loading.swift",
        "Sources/SharingTestDoubles/ManualClock.swift",
    ],
    "R13": [
        f"{VALUES}/StoredValue.swift", f"{VALUES}/KnownContents.swift",
        f"{CORE}/Runtime/Cells/Cell+Changing.swift",
    ],
    "R14": [
        f"{STORES}/ChangeHub.swift", f"{STORES}/MemoryStore.swift", f"{VALUES}/StoredValue.swift",
        f"{VALUES}/KnownContents.swift",
    ],
    "R15": [f"{VALUES}/StoredValue+Corruption.swift"],
    "R16": [f"{VALUES}/StoredValue+Saving.swift", f"{CORE}/Runtime/Connections/CellPersistence.swift"],
    "R17": [f"{STORES}/FileName.swift", f"{VALUES}/EncodedValue.swift", f"{CORE}/Keys/KeyName.swift"],
    "R18": [f"{STORES}/FileSlot.swift", f"{STORES}/FileStore.swift", f"{STORES}/DocumentStore.swift"],
    "R19": [f"{VALUES}/VersionedJSON.swift", f"{VALUES}/StorageMigration.swift"],
    "R20": [
        "JavaScript/sharing.js",
        *[
            f"{SHIM}/{name}.js"
            for name in ["boundary", "engine-modules", "host", "messages", "turns", "wasi"]
        ],
        "Sources/WasiStorage/Boundary/BoundaryCall.swift",
    ],
    "R21": [
        *[
            f"{SHIM}/{name}.js"
            for name in ["events", "items", "storages", "texts"]
        ],
        "Sources/WasiStorage/Boundary/BoundaryCall.swift", f"{STORES}/BrowserStore.swift",
        f"{STORES}/BrowserSlot.swift",
    ],
    "R22": [f"{CORE}/Environment/SharingEnvironment.swift"],
    "R23": [
        f"{CORE}/Testing/TrackedChanges.swift", f"{CORE}/Testing/Assertion.swift",
        f"{CORE}/Testing/SharedChangeTracker.swift",
        "Sources/SharingTestDoubles/RecordingStore.swift",
    ],
    "R24": [f"{COMMITS}/Replay.swift", f"{CORE}/Runtime/Cells/Update.swift"],
    "R25": [f"{JSON}/Merging/JSONMerge.swift", f"{COMMITS}/Replay.swift"],
    "R26": [f"{CORE}/Runtime/Connections/CellPersistence.swift", f"{COMMITS}/CommittedValue+Saving.swift"],
    "R27": [f"{COMMITS}/Committer+Committing.swift", f"{CORE}/Runtime/Observers/Scheduler.swift", f"{CORE}/Runtime/Observers/Scheduler+Flushing.swift"],
    "R28": [
        *[
            f"{JOURNAL}/{name}.swift"
            for name in ["Journal", "JournaledSteps", "JournaledStep"]
        ],
        f"{COMMITS}/Committer+Journal.swift", f"{REVISIONS}/CommitRecords.swift",
    ],
    "R29": [f"{COMMITS}/Committer+Committing.swift", "Sources/WasiStorage/Clocks/RetryTimer.swift"],
    "R30": [f"{COMMITS}/CommittedValue+Showing.swift", f"{COMMITS}/Committer+Watching.swift"],
    "R31": [
        f"{REVISIONS}/FolderRevisionStore.swift", f"{REVISIONS}/FolderRevisionStore+State.swift",
        f"{REVISIONS}/FolderState.swift",
    ],
    # RFC 8259.
    "JSON": [
        f"{JSON}/{name}.swift"
        for name in [
            "Reading/JSONReader", "Reading/JSONReader+Tokens", "Reading/JSONReader+Members",
            "Reading/JSONReader+Containers", "Numbers/Integers+JSON",
            "Reading/JSONText", "Reading/JSONEscape", "Writing/JSONWriter",
            "Writing/JSONWriter+Tokens", "Writing/JSONWriter+Containers", "EncodedJSON",
            "Writing/EncodedJSON+Elements", "Writing/JSONEdits", "Reading/EncodedJSON+Reading",
            "Reading/JSONComparison", "Values/Containers+JSON", "Values/Bool+JSON",
        ]
    ],
}


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A change of one line of a file."""

    path: str
    line: int
    before: str
    after: str
    nth: int = 1  # the index among equal lines of the file
    rule: str = ""

    @property
    def change(self):
        return self.path, self.before.strip(), self.after.strip()

    @property
    def key(self):
        """Identifies the mutant also when its line has moved."""
        return *self.change, self.nth

    def of(self, rule):
        return dataclasses.replace(self, rule=rule)

    def applied(self, text):
        lines = text.split("\n")
        lines[self.line - 1] = self.after
        return "\n".join(lines)

    def __str__(self):
        return f"{self.rule:>4} {self.path}:{self.line}  {self.before.strip()}  =>  {self.after.strip()}"


# Replacements, applied at each match outside of comments and strings.
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
# A condition for which replacing its single operator already is the negation.
COMPARISON = re.compile(r"!?[^&|]* [!=]==? [^&|]*$|![\w.]*$")
# A call or an assignment that fills a line.
STATEMENT = re.compile(
    r"^\s+(?:_ = |try |self\.|[a-z]\w*(?:\.\w+|\?\.\w+)*(?:\(| = | [+-]= | &[+-]= )).*[)\w\]\"];?$"
)
NOT_A_STATEMENT = re.compile(
    r"^\s*(?:let|var|const|return|if|guard|else|for|while|case|switch|func|init|throw|default|super|private)\b|=>|\{$|^\s*\w+: "
)


def mutants_of(root, path):
    """Returns all mutants of a file."""
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
    """Returns the line with comments and string contents blanked out, at the same length."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda text: '"' + "_" * (len(text.group()) - 2) + '"', line)
    return re.sub(r"(?:^|\s)//.*$", lambda text: " " * len(text.group()), line).rstrip()


def is_balanced(code):
    return all(code.count(left) == code.count(right) for left, right in ["()", "[]", "{}"])
