import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

// The invariants.
extension CommitWorld {
  /// Checks a commit that was stored.
  func checkStored(_ stored: SimulatedCommit) {
    let sender = started.last { $0.program.connection === stored.sender }
    for (index, entry) in stored.commit.entries.enumerated() {
      guard let key = setting.keys.first(where: { KeyName(bytes: $0.name.bytes) == entry.key })
      else {
        if !isCopyOfDamage(entry) { fail("\(entry.key) is stored") }
        continue
      }
      let before = stored.before[index].bytes.map { UTF8Text($0) }
      let isSame = before?.bytes == entry.bytes
      if let sender, !isSame, !sender.release.canRead(before, of: key) {
        fail("an older release has overwritten \(before!)")
      }
      let isOwn = stored.commit.client.program == stored.sender.program
      if before == Self.damage, isOwn, let value = sender?.value(key) {
        let changes = key.changes(in: text(key))
        for change in value.losable where value.lastShown.contains(change) {
          if !changes.contains(change) { fail("\(change) is shown, and replaced with the damage") }
        }
      }
      let revision = database.store.stored(entry.key).revision
      if setting.sharesNotes, key == .notes {
        let marked = MarkedNote.changes(in: text(key))
        for change in key.changes(in: text(key)) where newestChanges.contains(change) {
          if !marked.contains(change) { fail("the mark of \(change) is lost") }
        }
      }
      if let problem = model.store(key.changes(in: text(key)), of: key, as: revision) {
        fail(problem)
      }
    }
  }

  private func isCopyOfDamage(_ entry: CommitEntry) -> Bool {
    let name: UTF8Text = "\(setting.keys[0].name).corrupt"
    return damageCount > 0 && entry.key == KeyName(bytes: name.bytes)
      && entry.bytes == Self.damage.bytes
  }

  /// Checks the running programs.
  func check() {
    if !isChecking { return }
    for issue in programs.issues { fail("issue: \(issue)") }
    for (number, run) in running.enumerated() {
      guard let run else { continue }
      run.program.run { for value in run.values { check(value, of: run, number) } }
    }
  }

  private func check(_ value: ExploredValue, of run: ExploredProgram, _ number: Int) {
    value.note(value.changes)
    if let problem = value.problem { fail("\(problem) in \(number)") }
    let (key, shown) = (value.key, value.lastShown)
    let (revision, pendingCount) = value.status
    for change in value.own where !value.losable.contains(change) {
      if !shown.contains(change) { fail("\(number) does not show its change \(change)") }
      if !value.isSaving, run.open == nil, !model.stored[key.rawValue].contains(change) {
        fail("\(number) does not save its change \(change), which is not stored")
      }
    }
    for change in shown where !model.made[key.rawValue].contains(change) {
      fail("\(number) shows \(change), which nobody has made")
    }
    if revision < run.revisions[key.rawValue] { fail("the revision of \(number) goes back") }
    run.revisions[key.rawValue] = revision
    guard pendingCount == 0, value.loadError == nil, run.open == nil,
      let stored = model.changes(of: key, in: revision), stored != shown
    else { return }
    fail("\(number) shows \(shown) of revision \(revision), which is \(stored)")
  }

  /// Checks the running programs when all messages have arrived and time has passed.
  func checkQuiet() {
    let isNewestRunning = running.contains { $0?.release == setting.newest }
    for (number, run) in running.enumerated() {
      guard let run else { continue }
      for value in run.values {
        let isReadable = run.release.canRead(text(value.key), of: value.key)
        // Changes of an older release may wait for a newer one, whose journals may be there, too.
        // Without room for the bell, a newer one that runs does not hear of them.
        let hasNewest = isNewestRunning && (fullCount == 0 || isAtEnd)
        let mayWait =
          run.release != setting.newest && !hasNewest && (!isReadable || hasJournals)
        let problem = run.program.run {
          problemOfQuiet(value, isReadable: isReadable, mayWait: mayWait)
        }
        if let problem { fail("in the end, \(problem) in \(number)") }
      }
    }
  }

  private var hasJournals: Bool { programs.journals.names.contains { $0.isJournal } }

  private func problemOfQuiet(
    _ value: ExploredValue, isReadable: Bool, mayWait: Bool
  ) -> String? {
    let stored = model.stored[value.key.rawValue]
    if text(value.key) == Self.damage {
      guard let error = value.loadError, case .corrupt = reason(of: error) else {
        return "loadError does not say that the text is damaged"
      }
    } else if !isReadable {
      guard let error = value.loadError else {
        return "loadError does not say that it is unreadable"
      }
      if !reason(of: error).isOfOtherRelease { return "loadError is \(details(of: error))" }
    } else if !mayWait {
      if let error = value.loadError { return "loadError is \(details(of: error))" }
      if value.lastShown != stored { return "\(value.lastShown) is shown, and \(stored) stored" }
    }
    if mayWait { return problemOfWaiting(value, stored) }
    if let error = value.saveError { return "saveError is \(details(of: error))" }
    if value.isSaving { return "a change is still being saved" }
    let count = value.status.pendingCount
    return count > 0 ? "\(count) are pending" : nil
  }

  private func problemOfWaiting(_ value: ExploredValue, _ stored: [Int]) -> String? {
    if let error = value.saveError {
      return reason(of: error) == .waiting ? nil : "saveError is \(details(of: error))"
    }
    let isStored = value.own.allSatisfy { stored.contains($0) }
    return isStored ? nil : "saveError does not say that a change waits"
  }
}

private func details(of error: AnyError) -> UTF8Text {
  StorageError.from(error, otherwise: .other).text
}

private func reason(of error: AnyError) -> StorageError.Reason {
  StorageError.from(error, otherwise: .other).reason
}
