"""Mistakes that a walk has to find: some have been made, the others could have been. Each is a name, the
walk that finds it within its time in CI, and what is to be replaced in which file; see known.py."""

import dataclasses

CORE = "Sources/SharingCore/Internal"
KEYS = "Sources/WasiStorage/Keys"
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


# A load knows nothing of the saves that are under way.
LOAD_DURING_SAVE = (
    (
        f"{CORE}/Persistence+Loading.swift",
        "let isSaved = !root.isUnsaved && saves.underWay == 0", "let isSaved = !root.isUnsaved",
    ),
    (
        f"{CORE}/Root+Changing.swift",
        "      if let persistence, persistence.saves.underWay > 0 { return false }\n", "",
    ),
)

MISTAKES = [
    page(
        "marking more than a hundred todos stops the page",
        (
            f"{CORE}/ChangedElements.swift",
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
    page(
        "a box is as a click has left it",
        ("web/page.js", 'if ("isOn" in element) element.checked = element.isOn;', ""),
    ),
    # These have been made.
    library(
        "an element that is changed after the whole stops the program",
        (
            f"{CORE}/ChangedElements.swift",
            "positions?.insertAscending(position)", "positions!.insertAscending(position)",
        ),
    ),
    library("a load during a late save loses a change", *LOAD_DURING_SAVE),
    threads("a load during another thread's save loses a change", *LOAD_DURING_SAVE),
    threads(
        "the last change is forgotten after a hundred saves",
        (
            f"{CORE}/Root+Saving.swift",
            "      let isEndless = turn == Turn.current.number && changes > Turn.runLimit\n",
            "      persistence.changesInSaves = (turn, changes + 1)\n"
            "      let isEndless = changes > Turn.runLimit\n",
        ),
    ),
    # These could have been.
    library(
        "only the first element that is changed in a turn is noted",
        (
            f"{CORE}/Root+Saving.swift",
            "    persistence.changedElements.insert(part)\n    guard !isUnsaved else { return }\n",
            "    guard !isUnsaved else { return }\n    persistence.changedElements.insert(part)\n",
        ),
    ),
    library(
        "save() overwrites what another program has stored",
        (
            f"{CORE}/Root+Saving.swift",
            "    refresh()\n    lock.withLock {\n      persistence.requests",
            "    lock.withLock {\n      persistence.requests",
        ),
    ),
    library(
        "a reset stores the default",
        (f"{CORE}/Root+Saving.swift", "      persistence?.resetRevision = revision &+ 1\n", ""),
    ),
    library(
        "a load in a batch hides what the batch has changed",
        (
            f"{CORE}/Persistence+Loading.swift",
            "let isSaved = !root.isUnsaved && saves.underWay == 0", "let isSaved = true",
        ),
        (f"{CORE}/Root+Changing.swift", "    if isUnsaved { return false }\n", ""),
    ),
    library(
        "who replaces a list does not say that all of it is to be encoded",
        (f"{CORE}/Root+Changing.swift", "      persistence?.changedElements.insertAll()\n", ""),
    ),
    library(
        "a change that could not be saved is lost without a word",
        (f"{CORE}/Persistence+Loading.swift", "        error = replaced\n", ""),
    ),
    library(
        "an element that has gone hides what was changed before",
        (
            f"{CORE}/ElementLog.swift",
            "changed.positions?.isEmpty == true ? position : nil", "position",
        ),
    ),
    library(
        "a change after an element has gone is forgotten",
        (f"{CORE}/ElementLog.swift", "guard let part, removed == nil else", "guard let part else"),
    ),
    library(
        "what an observer of elements was told, it is told again",
        (f"{CORE}/ElementLog.swift", "        changed = .none\n", ""),
    ),
    library(
        "who knows an element by its position is not woken by its id",
        (f"{CORE}/PathNode.swift", "      existingChild(alias)?.wakeAll(in: turn)\n", "      _ = alias\n"),
    ),
    library(
        "a part that nobody reads is let go of with what is in it",
        (f"{CORE}/PathNode.swift", "readers.isEmpty, passers.isEmpty, children.isEmpty", "readers.isEmpty, passers.isEmpty"),
    ),
    library(
        "an observer of elements that ends takes another one with it",
        (f"{CORE}/PathNode.swift", "      listeners[index] = last\n", "      _ = last\n"),
    ),
    library(
        "whoever is woken in passing by is not",
        (f"{CORE}/PathNode.swift", "where passers[index].pointee.kind == .presence", "where passers[index].pointee.kind == .value"),
    ),
    library(
        "elements behind one that gets shorter are not moved",
        (f"{JSON}/EncodedJSON+Edits.swift", "if shift != 0 {", "if shift > 0 {"),
    ),
    library(
        "an element that is new in an empty list begins with a comma",
        (f"{JSON}/JSONEdits.swift", "if place > 0 { writer", "if place >= 0 { writer"),
    ),
    library(
        "of the elements that have changed in two turns, those of the first are forgotten",
        (
            f"{KEYS}/SaveTiming.swift",
            "for position in changed { union.insertAscending(position) }", "union = changed",
        ),
    ),
    library(
        "what is stored already is written again",
        (f"{KEYS}/StoredBytes+Writing.swift", "if lock.withLock({ seen != new }) {", "if lock.withLock({ seen != .unknown }) {"),
    ),
    library(
        "what could not be written counts as written",
        (f"{KEYS}/StoredBytes+Writing.swift", "      _ = lock.withLock { note(before) }\n", "      _ = before\n"),
    ),
    library(
        "damaged text is overwritten where it could not be copied before",
        (f"{KEYS}/StoredBytes+Writing.swift", "      try setDamageAside()\n", ""),
    ),
    library(
        "a store without stamps is never asked",
        (f"{KEYS}/StoredBytes.swift", "return seen == 0 || item.stamp() != seen", "return item.stamp() != seen"),
    ),
    library(
        "what has rested overwrites what another program has stored",
        (f"{KEYS}/DebouncedSave.swift", "        bytes?.look()\n", ""),
    ),
    library(
        "what is changed again does not rest anew",
        (f"{KEYS}/DebouncedSave.swift", "if lock.withLock({ number == self.number }) { flush() }", "flush()"),
    ),
    library(
        "what another program has replaced is written all the same",
        (f"{KEYS}/DebouncedSave.swift", "    guard let taken = take() else { return nil }\n    // Before", "    guard let save = pending, case let taken = (save: save, continuations: waiting) else { return nil }\n    // Before"),
    ),
    library(
        "a change that another program has replaced is lost without a word",
        (f"{KEYS}/DebouncedSave.swift", "return news == .missing ? bytes.removedError : bytes.replacedError(mine)", "return news == .missing ? bytes.removedError : nil"),
    ),
    library(
        "an element that is gone is said to be where it was",
        (f"{CORE}/DetachableReference.swift", "override final var isGone: Bool { isMissing || super.isGone }", "override final var isGone: Bool { false }"),
    ),
    library(
        "an element that is kept shows what it was when it was found",
        (
            f"{CORE}/DetachableReference.swift",
            "        if access == .reading { swap(&former, &last) } else { last = nil }\n", "",
        ),
        (f"{CORE}/DetachableReference.swift", "        last = part.pointee\n", "        _ = last\n"),
    ),
    library(
        "nobody is woken when a wrapper is pointed elsewhere",
        (f"{CORE}/Box.swift", "      node?.wakeComers(through: self, in: turn)\n", "      _ = node\n"),
    ),
    threads(
        "two threads save at once",
        (f"{CORE}/Root+Saving.swift", "      guard persistence.savingThread == nil else { return false }\n", ""),
    ),
    threads(
        "a change that comes while another thread saves waits for the next one",
        (f"{CORE}/Root+Saving.swift", "        persistence.save(self, save)\n", "        persistence.save(self, save)\n        return lock.withLock { persistence.savingThread = nil }\n"),
    ),
]
