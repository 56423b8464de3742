import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

// The end of a schedule.
extension CommitSchedule {
  func finish() {
    programs.database.isOffline = false
    programs.database.isFull = false
    programs.journals.isFull = false
    programs.database.accident = .none
    for number in 0..<3 { programs[number].connection.death = .none }
    comeBack()
    replaceOutdated()
    for _ in 0..<3 { settle() }
    for run in runs { run.checkSaved() }
    failTwice()
    for run in runs { run.checkSaved() }
    settle()
    checkEnd()
    // A program that starts now has nothing to recover, and shows the same.
    runs.append(run(programs.start(), 3))
    settle()
    checkEnd()
  }

  /// Returns pages from the browser's cache. Their notifications cause them to store pending
  /// changes immediately, unless something else must come first. In half of the schedules, the
  /// other programs finish theirs before and store the changes that those pages had left.
  private func comeBack() {
    let back = runs.filter {
      $0.program.connection.isAway || $0.program.connection.hasMissedNotifications
    }
    if back.isEmpty { return }
    if clearings == 0 {
      for run in runs { programs.database.messages.abandonRequests(of: run.program.connection) }
    }
    // The programs of journals have a second, so a page that finds some may wait for that.
    let alone = back.filter { !$0.isOutdated && !hasJournals(beside: $0) }
    let isLate = clearings == 0 && programs.database.commits % 2 == 0
    if isLate { passMinute() }
    for run in back { run.program.connection.comeBack() }
    if clearings > 0 { return }
    programs.deliverAll()
    if isLate { return }
    for run in alone where !hasJournals(beside: run) { run.checkSaved() }
  }

  private func passMinute() {
    programs.deliverAll()
    for number in 0..<3 { wait(60, programs[number]) }
    programs.deliverAll()
  }

  private func hasJournals(beside run: CommitRun) -> Bool {
    programs.journals.names.contains { $0.isJournal && !run.program.owns($0) }
  }

  /// A change that fails twice: without another one, only time brings it into the store.
  func failTwice() {
    programs.database.isOffline = true
    // A program that still shows cleared values is notified with the next commit of each key.
    change(runs[0], clearings > 0 ? .pair : .add, 0)
    settle()
    programs.database.isOffline = false
    settle()
  }

  /// Delivers all messages, and lets a minute pass.
  func settle() {
    passMinute()
    for run in runs {
      run.check(model)
      run.loadAgain()
    }
    programs.deliverAll()
  }

  func checkStored() {
    let (inCount, pairs) = (CommitModel.parts(of: stored("count"))[3], stored("pairs"))
    if inCount != pairs { fail("of \(pairs) turns, \(inCount) are stored under the other key") }
    for key: UTF8Text in ["count", "pairs", "tasks"] { noteFormer(key) }
    if let text = programs.text("tasks.replaced")?.bytes, text != model.copies.last {
      model.copies.append(text)
    }
  }

  func checkEnd() {
    for run in runs { run.checkEnd(model) }
    for key in programs.journals.names where key.isJournal { fail("a journal is left") }
    for key: UTF8Text in ["count", "pairs", "tasks"] {
      if copy(of: key) != programs.text(key)?.bytes { fail("the copy of \(key) is old") }
    }
  }
}
