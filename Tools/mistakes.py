"""Mistakes that a walk or the tests of engines have to find: some were made once, the others
are of their kind. Each has a name, what finds it within its time in CI, and edits of files; see
known.py."""

import dataclasses

import commit_mistakes
import engine_mistakes

CORE = "Sources/SharingCore"
VALUES = "Sources/WasiStorage/Values"
JSON = "Sources/WasiStorage/JSON"


@dataclasses.dataclass(frozen=True)
class Mistake:
    name: str
    walk: str
    edits: tuple  # of (path, before, after): each in the body of one function

    @property
    def key(self):
        return self.name


def library(name, *edits):
    return Mistake(name, "library", edits)


def threads(name, *edits):
    return Mistake(name, "threads", edits)


def page(name, *edits):
    return Mistake(name, "page", edits)


def commits(name, *edits):
    return Mistake(name, "commits", edits)


# A load does not know the saves under way.
LOAD_DURING_SAVE = (
    (
        f"{CORE}/Engine/Connections/CellPersistence+Loading.swift",
        "let isSaved = !cell.isUnsaved && saves.underWay == 0", "let isSaved = !cell.isUnsaved",
    ),
    (
        f"{CORE}/Engine/Cells/Cell+Changing.swift",
        "      if let persistence, persistence.saves.underWay > 0 { return false }\n", "",
    ),
)

MISTAKES = [
    page(
        "marking more than a hundred todos stops the page",
        (
            f"{CORE}/Engine/Observers/ChangedElements.swift",
            "positions?.insertAscending(position)", "positions!.insertAscending(position)",
        ),
    ),
    page(
        "an id is made again while a title is typed for its todo",
        (
            "Sources/WasmDemo/TodoIDs.swift",
            "    case .random:\n      var generator = SystemRandomNumberGenerator()\n"
            "      id += Int64(generator.next() >> 12)\n",
            "    case .random: for todo in todos { id = max(id, todo.id + 1) }\n",
        ),
    ),
    # Mistakes that were made.
    library(
        "an element that is changed after the whole stops the program",
        (
            f"{CORE}/Engine/Observers/ChangedElements.swift",
            "positions?.insertAscending(position)", "positions!.insertAscending(position)",
        ),
    ),
    library("a load during a late save loses a change", *LOAD_DURING_SAVE),
    threads("a load during another thread's save loses a change", *LOAD_DURING_SAVE),
    threads(
        "the last change is forgotten after a hundred saves",
        (
            f"{CORE}/Engine/Cells/Cell+Saving.swift",
            "let isEndless = changes.turn == scheduler.pointee.number && changes.count > Scheduler.runLimit",
            "persistence.changesInSaves.count += 1\n"
            "    let isEndless = changes.count > Scheduler.runLimit",
        ),
    ),
    # Mistakes of the same kind.
    library(
        "only the first element that is changed in a turn is noted",
        (
            f"{CORE}/Engine/Cells/Cell+Saving.swift",
            "      persistence.changedElements.insert(part)\n",
            "      if !isUnsaved { persistence.changedElements.insert(part) }\n",
        ),
    ),
    library(
        "save() overwrites what another program has stored",
        (f"{CORE}/Engine/Cells/Cell+Saving.swift", "    persistence.freshen(self, .change)\n", ""),
    ),
    library(
        "a reset stores the default",
        (f"{CORE}/Engine/Cells/Cell+Saving.swift", "      persistence?.resetRevision = revision &+ 1\n", ""),
    ),
    library(
        "a load in a batch hides what the batch has changed",
        (
            f"{CORE}/Engine/Connections/CellPersistence+Loading.swift",
            "let isSaved = !cell.isUnsaved && saves.underWay == 0", "let isSaved = true",
        ),
        (f"{CORE}/Engine/Cells/Cell+Changing.swift", "    if isUnsaved { return false }\n", ""),
    ),
    library(
        "a change that could not be saved is lost without a word",
        (f"{CORE}/Engine/Connections/CellPersistence+Loading.swift", "      error = replaced\n", ""),
    ),
    library(
        "an element that has gone hides what was changed before",
        (
            f"{CORE}/Engine/Observers/ElementLog.swift",
            "changed.positions?.isEmpty == true ? position : nil", "position",
        ),
    ),
    library(
        "a change after an element has gone is forgotten",
        (f"{CORE}/Engine/Observers/ElementLog.swift", "guard let part, removed == nil else", "guard let part else"),
    ),
    library(
        "what an observer of elements was told, it is told again",
        (f"{CORE}/Engine/Observers/ElementLog.swift", "        changed = .none\n", ""),
    ),
    library(
        "who knows an element by its position is not woken by its id",
        (f"{CORE}/Engine/Observers/ObserverNode.swift", "      existingChild(alias)?.markEverythingStale(in: scheduler)\n", "      _ = alias\n"),
    ),
    library(
        "a part that nobody reads is let go of with what is in it",
        (f"{CORE}/Engine/Observers/ObserverNode.swift", "valueDependents.count + locationDependents.count + children.count == 0", "valueDependents.count + locationDependents.count == 0"),
    ),
    library(
        "an observer of elements that ends takes another one with it",
        (f"{CORE}/Engine/Observers/ObserverNode.swift", "      listeners[index] = last\n", "      _ = last\n"),
    ),
    library(
        "whoever is woken in passing by is not",
        (f"{CORE}/Engine/Observers/ObserverNode.swift", "where locationDependents[index].pointee.kind == .presence", "where locationDependents[index].pointee.kind == .value"),
    ),
    library(
        "elements behind one that gets shorter are not moved",
        (f"{JSON}/Writing/JSONEdits.swift", "if shift != 0 {", "if shift > 0 {"),
    ),
    library(
        "an element that is new in an empty list begins with a comma",
        (f"{JSON}/Writing/JSONEdits.swift", "if place > 0 { writer", "if place >= 0 { writer"),
    ),
    library(
        "what has changed since a save was put off counts as saved with it",
        (
            f"{CORE}/Engine/Cells/Cell+Saving.swift",
            "guard let persistence, revision == self.revision else {", "guard let persistence else {",
        ),
    ),
    library(
        "what is stored already is written again",
        (f"{VALUES}/StoredValue+Saving.swift", "if former != new {", "if former != .unknown {"),
    ),
    library(
        "what could not be written counts as written",
        (f"{VALUES}/StoredValue+Saving.swift", "        lock.withLock { known.set(former, 0) }\n", "        _ = former\n"),
    ),
    library(
        "damaged text is overwritten where it could not be copied before",
        (f"{VALUES}/StoredValue+Saving.swift", "      if isCorrupt { try quarantineCorrupt() }\n", ""),
    ),
    library(
        "a store without stamps is never asked",
        (f"{VALUES}/StoredValue.swift", "return stamp != 0 && slot.stamp() == stamp", "return slot.stamp() == stamp"),
    ),
    library(
        "what has rested overwrites what another program has stored",
        (
            f"{VALUES}/DebouncedSave.swift",
            "        if let value, !value.look(), value.hasChanged {\n", "        if value == nil {\n",
        ),
    ),
    library(
        "what has rested overwrites what an open batch must not show yet",
        (
            f"{VALUES}/DebouncedSave.swift",
            "!value.look(), value.hasChanged {", "!value.look(), false {",
        ),
    ),
    library(
        "what is changed again does not rest anew",
        (f"{VALUES}/DebouncedSave.swift", "if lock.withLock({ number == self.number }) { flush() }", "flush()"),
    ),
    library(
        "what another program has replaced is written all the same",
        (f"{VALUES}/DebouncedSave.swift", "    guard let taken = take() else { return nil }\n    // Before", "    guard let pending else { return nil }\n    let taken: Taken = (pending.save, pending.value, replaced)\n    // Before"),
    ),
    library(
        "a change that another program has replaced is lost without a word",
        (f"{VALUES}/DebouncedSave.swift", "return newer == .missing ? value.removedError : value.replacedError(mine)", "return newer == .missing ? value.removedError : nil"),
    ),
    library(
        "an element that is gone is said to be where it was",
        (f"{CORE}/Engine/References/DetachableReference.swift", "override final var isDetached: Bool { isMissing || super.isDetached }", "override final var isDetached: Bool { false }"),
    ),
    library(
        "an element that is kept shows what it was when it was found",
        (
            f"{CORE}/Engine/References/DetachableReference.swift",
            "    if access == .reading { swap(&former, &last) } else { last = nil }\n", "",
        ),
        (f"{CORE}/Engine/References/DetachableReference.swift", "    last = part.pointee\n", "    _ = last\n"),
    ),
    library(
        "nobody is woken when a wrapper is pointed elsewhere",
        (f"{CORE}/Engine/Handles/Handle.swift", "      node?.markRepointedStale(through: self, in: scheduler)\n", "      _ = node\n"),
    ),
    threads(
        "two threads save at once",
        (f"{CORE}/Engine/Cells/Cell+Saving.swift", "      guard persistence.savingThread == nil else { return .elsewhere }\n", ""),
    ),
    threads(
        "a change that comes while another thread saves waits for the next one",
        (f"{CORE}/Engine/Cells/Cell+Saving.swift", "        persistence.save(request, isReset: isReset)\n", "        persistence.save(request, isReset: isReset)\n        return lock.withLock { persistence.savingThread = nil }\n"),
    ),
]

MISTAKES += [commits(name, *edits) for name, edits in commit_mistakes.ALL.items()]
for tests, mistakes in engine_mistakes.ALL.items():
    MISTAKES += [Mistake(name, tests, edits) for name, edits in mistakes.items()]
