"""Mistakes in Sources/WasiStorage/Commits that the schedules of commits have to find: the first
ones were made once, the others are of their kind. See mistakes.py."""

COMMITS = "Sources/WasiStorage/Commits"
COMMITTER = f"{COMMITS}/Committer+Committing.swift"
VALUE = f"{COMMITS}/CommittedValue.swift"
STEP = f"{COMMITS}/PendingStep.swift"
COMMITTING = f"{COMMITS}/CommittedValue+Committing.swift"
SHOWING = f"{COMMITS}/CommittedValue+Showing.swift"
SAVING = f"{COMMITS}/CommittedValue+Saving.swift"
WATCHING = f"{COMMITS}/Committer+Watching.swift"
REPLAY = f"{COMMITS}/Replay.swift"
RETRY = f"{COMMITS}/RetryTimer.swift"
MERGE = f"{COMMITS}/JSONMerge.swift"
JOURNAL = f"{COMMITS}/Journal.swift"
STEPS = f"{COMMITS}/JournaledSteps.swift"
RECOVERY = f"{COMMITS}/Committer+Journal.swift"
COMMIT = f"{COMMITS}/Commit.swift"
RECORDS = f"{COMMITS}/CommitRecords.swift"
CLIENTS = f"{COMMITS}/ClientSteps.swift"
CORE = "Sources/SharingCore/Engine"

MADE_ONCE = {
    "an element that was behind one that is removed comes to the front": [
        (MERGE, "if merged[name] != nil { former = name }", "former = name"),
    ],
    "what a journal has updated comes back although it was removed": [
        (MERGE, "    if addsNumbers, before != nil, theirs == nil { return nil }\n", ""),
    ],
    "what a pending change has replaced on the screen is not kept": [
        (STEP, "if case .updates = change {", "do {"),
    ],
    "what is replaced without a conflict is not kept": [
        (COMMITTING, "isCurrent && !hasLoss ?", "isCurrent ?"),
    ],
    "of what a commit replaces, only the last part is kept": [
        (REPLAY, "loss = loss ?? theirs", "loss = theirs"),
    ],
    "a copy of what was replaced is overwritten by an older one": [
        (STEPS, "      if count(of: stored.key) == 0 { continue }\n", ""),
    ],
    "what is shown after a loss unsays it": [
        (
            WATCHING,
            "      for value in changed where !lock.withLock({ value.isCurrent }) { value.show() }\n",
            "      for value in replaced { value.reportReplaced() }\n"
            "      replaced = []\n"
            "      for value in changed where !lock.withLock({ value.isCurrent }) { value.show() }\n",
        ),
    ],
    "observers run where nothing differs": [
        (SHOWING, "if isShown || deliver", "if deliver"),
    ],
}

ONCE = {
    "a commit whose answer was lost is made again": [
        (COMMITTING, "$0.number > applied && $0.number <= through", "$0.number <= through"),
    ],
    "a commit that is made again has later steps in it": [
        (COMMITTING, "$0.number > applied && $0.number <= through", "$0.number > applied"),
    ],
    "a conflict does not say which step is stored": [
        (RECORDS, "applied: applied ?? commit.after)", "applied: commit.after)"),
    ],
    "the store forgets the last step of all but one client": [
        (CLIENTS, "if all.count == limit", "if all.count == 1"),
    ],
    "the store knows one client less than it should": [
        (CLIENTS, "if all.count == limit", "if all.count == limit - 1"),
    ],
    "the store forgets who has committed last": [
        (CLIENTS, "all.remove(at: 0)", "all.removeLast()"),
    ],
    "the store forgets whom it has known for longest, not who has not committed for longest": [
        (
            CLIENTS,
            "    all = all.filter { $0.client != client.client }\n",
            "    for index in 0..<all.count where all[index].client == client.client {\n"
            "      all[index] = client\n"
            "      return\n"
            "    }\n",
        ),
    ],
    "a failed commit counts as not stored, whatever the store says": [
        (
            WATCHING,
            "snapshot.applied ?? self.lock.withLock { self.committedStep }",
            "self.lock.withLock { self.committedStep }",
        ),
    ],
    "a value that is loaded has steps in it that are pending": [
        (VALUE, ", committer.knows(snapshot.applied),", ","),
    ],
}

JOURNALS = {
    "the journal is written after the commit": [
        (COMMITTER, "    writeJournal()\n    commit()\n", "    commit()\n    writeJournal()\n"),
    ],
    "the journal is not written in the turn": [
        (COMMITTER, "    writeJournal()\n    commit()\n", "    commit()\n"),
    ],
    "the journal forgets what is sent before it is answered": [
        (
            RECOVERY, "for step in values[index].steps {",
            "for step in values[index].steps where step.number == openStep - 1 {",
        ),
    ],
    "the last step is not in the journal": [
        (RECOVERY, "in values[index].steps {", "in values[index].steps.dropLast() {"),
    ],
    "two programs that recover a journal store it twice": [
        (STEPS, "&& step.number > applied {", "&& step.number > 0 {"),
    ],
    "who recovers a journal leaves out its first step": [
        (STEPS, "&& step.number > applied {", "&& step.number > applied + 1 {"),
    ],
    "a journal is recovered as steps of who recovers it": [
        (RECOVERY, "client: commit.client, after: applied", "client: self.client, after: applied"),
    ],
    "who recovers a journal removes what has been added to it": [
        (JOURNAL, "bytes.holdsSame(as: steps.bytes)", "!bytes.isEmpty"),
    ],
    "a journal joins what has been made since another program has read it": [
        (
            RECOVERY,
            "      for step in values[index].steps { writer.append(step, of: values[index]) }\n",
            "      var joined: PendingStep?\n"
            "      for step in values[index].steps {\n"
            "        if let last = joined, last.kind == step.kind, step.before != nil,\n"
            "          step.after?.count ?? 0 > 100\n"
            "        {\n"
            "          joined = PendingStep(\n"
            "            step.number, step.change, from: last.before, to: step.after)\n"
            "        } else {\n"
            "          if let joined { writer.append(joined, of: values[index]) }\n"
            "          joined = step\n"
            "        }\n"
            "      }\n"
            "      if let joined { writer.append(joined, of: values[index]) }\n",
        ),
    ],
    "a journal that is recovered stays": [(RECOVERY, "        self.journal?.remove(steps)\n", "")],
    "the copy for the first paint is not brought up to date": [
        (RECOVERY, "    for base in bases { journal?.keepCopy(base) }\n", ""),
        (VALUE, "    committer.journal?.keepCopy(stored)\n", ""),
    ],
}

MERGING = {
    "steps are made again in the wrong order": [
        (REPLAY, "    for step in steps {", "    for step in steps.reversed() {"),
    ],
    "withLock overwrites what another program has stored": [
        (REPLAY, "text = merge.merge(", "text = step.after\n      _ = merge.merge("),
    ],
    "the result of an update is stored, without making it again": [
        (REPLAY, "text = try run(updates)", "text = updates.isEmpty ? text : step.after"),
    ],
    "an element that another program has removed comes back": [
        (
            MERGE,
            "if LastKnown(mine) == LastKnown(before) { return theirs }",
            "if LastKnown(mine) == LastKnown(before) { return theirs ?? mine }",
        ),
    ],
    "the loser is not told": [(WATCHING, "{ value.reportReplaced() }", "{ _ = value }")],
    "what the loser had is not kept": [
        (COMMITTING, "if let loss = replay.loss {", "if let loss = replay.loss, loss.isEmpty {"),
    ],
    "only the last update of a turn is made again": [
        (
            f"{CORE}/Cells/Update.swift",
            "updates = (updates ?? []) + [update]", "updates = [update]",
        ),
    ],
    "an update after withLock in one turn is all that is made again": [
        (f"{CORE}/Cells/Update.swift", "case .update: updates == nil", "case .update: false"),
    ],
    "withLock after an update in one turn is not made again": [
        (f"{CORE}/Cells/Update.swift", "case .change: updates != nil", "case .change: false"),
    ],
    "the updates of earlier turns are made again": [
        (f"{CORE}/Cells/Cell+Saving.swift", "    persistence.updates = nil\n", ""),
    ],
}

HELD_BACK = (
    "      defer { isCommitting = isCommitting || isInDoubt }\n"
    "      let mustWait = isCommitting || isInDoubt\n"
    "      return (mustWait, isInDoubt && !isCommitting)\n"
)

NEWS = {
    "a change that is older than what is shown is shown": [
        (SHOWING, "    if let base, change.revision <= base.revision { return }\n", ""),
    ],
    "what others have stored is shown before a lost answer is known": [
        (WATCHING, HELD_BACK, "      return (isCommitting, false)\n"),
    ],
    "what others have stored is shown while a commit is under way": [
        (
            WATCHING, "mustWait = isCommitting || isInDoubt",
            "mustWait = isInDoubt",
        ),
        (WATCHING, "isRecovering || isPending(stored.key) {", "isRecovering {"),
    ],
    "what is told while a commit is under way is forgotten": [
        (WATCHING, "{ heldChanges += changes }", "{ if !isCommitting { heldChanges += changes } }"),
    ],
    "what others have recovered with what it waits for is shown beside itself": [
        (
            WATCHING,
            "      if isRecovering, heldChanges.contains(where: { isPending($0.key) }) {"
            " isInDoubt = true }\n",
            "",
        ),
    ],
    "a journal that is stored is not shown until it is known what else is": [
        (WATCHING, "    if mustAsk { return resolveDoubt() }\n",
         "    if mustAsk {\n      if let recovered { endRecovery(of: recovered) }\n"
         "      return resolveDoubt()\n    }\n"),
    ],
    "what was told before it was asked for is taken over after the answer": [
        (WATCHING, "      heldChanges = heldChanges.filter { !isPending($0.key) }\n", ""),
    ],
}

COMMITTING = {
    "a conflict ends a commit": [
        (
            COMMITTER, "      let entries = rebase(commit, stored, applied)\n",
            "      if !stored.isEmpty {\n"
            "        fail(StorageError(.other, key: nil, \"A conflict.\"), commit)\n"
            "        return false\n"
            "      }\n"
            "      let entries = rebase(commit, stored, applied)\n",
        ),
    ],
    "two commits are under way at once": [
        (COMMITTER, "    if isFirst { commitAll() }\n", "    _ = isFirst\n    commitAll()\n"),
    ],
    "the keys of a turn are committed one by one": [
        (
            SAVING,
            "    afterSaves { self.committer.turnEnds() }\n", "    defer { committer.turnEnds() }\n",
        ),
    ],
    "only one key of a turn is committed": [
        (COMMITTER, "      if let entry = values", "      if entries.isEmpty, let entry = values"),
    ],
    "what has changed during a commit counts as stored with it": [
        (
            COMMITTING, "    steps.removeFirst(count)\n", "    steps = []\n",
        ),
    ],
    "a value counts as stored when its commit is sent": [
        (SAVING, "      shown = bytes\n      return .later", "      shown = bytes\n      return .saved"),
    ],
    "save() answers before the commit under way is answered": [
        (SAVING, "if isUnchanged, steps.isEmpty, isCurrent {", "if isUnchanged {"),
    ],
    "a value is being saved for ever": [
        (
            COMMITTING, "hasLoss = false }\n    return requests\n",
            "hasLoss = false }\n    return requests.dropLast()\n",
        ),
    ],
    "what has failed is not tried again": [
        (COMMITTER, "    retries.start { self.commit() }\n", "    _ = retries\n"),
    ],
    "what is recovered while a doubt is resolved is made again": [
        (WATCHING, "        else { continue }\n        return true\n", "        else { continue }\n"),
    ],
    "a journal shows what its last step has made, not what the step has changed": [
        (STEPS, "result = step.made(on: isNothing ? step.defaultText : result).text", "result = step.after"),
    ],
    "what is changed after a start is committed before what was journaled": [
        (RECOVERY, "hasRecoveryFailed else { return isRecovering }", "hasRecoveryFailed else { return false }"),
    ],
    "journals are recovered in any order": [
        (JOURNAL, "firstIndex { $0.order > steps.order }", "firstIndex { $0.order < steps.order }"),
    ],
    "what a journal has is shown over a copy that has it, too": [
        (STEPS, "      if isFirst, !(", "      if false, isFirst, !("),
    ],
    "a journal whose recovery has failed is not recovered again": [
        (RECOVERY, "    hasRecoveryFailed = true\n    return nil\n", "    return nil\n"),
    ],
    "what is left to a program that may still run stays so when it has ended": [
        (RECOVERY, "        self.hasWaitedForOthers = true\n", ""),
    ],
    "what has failed twice is not tried again": [
        (RETRY, "      self.lock.withLock { self.isRunning = false }\n      retry()", "      retry()"),
    ],
}

# What needs an action of CommitAction.rareWeights: that the store is full, or cleared.
FAULTS = {
    "a full store is told as another failure": [
        (
            COMMITTER, "step.request?.postponed(error)",
            "step.request?.postponed(StorageError(.other, key: nil, \"It fails.\"))",
        ),
    ],
    "what a full store has refused is not tried again": [
        (
            COMMITTER, "    retries.start { self.commit() }\n",
            "    if error.reason != .quotaExceeded { retries.start { self.commit() } }\n",
        ),
    ],
    "a journal brings back what was stored before the store was cleared": [
        (STEPS, "let theirs = text ?? step.defaultText", "let theirs = text ?? step.former"),
    ],
    "a client that a cleared store does not know must begin anew": [
        (COMMIT, "guard applied ?? after == after else", "guard applied ?? 0 == after else"),
    ],
}

# What a program does where its store fails, and when its page returns from the browser's cache.
HOSTS = {
    "it is not told that what is shown could not be loaded": [
        (VALUE, "        self.reportStale(error)\n", "        _ = error\n"),
    ],
    "a change of what is shown is taken for one of what is stored": [
        (SAVING, "from: shown, to: bytes", "from: base?.bytes ?? shown, to: bytes"),
    ],
    "what is changed after a commit has failed is in no journal": [
        (
            COMMITTER, "    writeJournal()\n    commit()\n",
            "    if !lock.withLock({ isInDoubt }) { writeJournal() }\n    commit()\n",
        ),
    ],
    "a page that returns does not ask what has become of its commit": [
        (WATCHING, "return (mustWait, isInDoubt && !isCommitting)", "return (mustWait, false)"),
    ],
}

ALL = MADE_ONCE | ONCE | JOURNALS | MERGING | NEWS | COMMITTING | FAULTS | HOSTS
