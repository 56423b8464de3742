import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

// External events of programs and their store.
extension CommitSchedule {
  /// Lets time pass for a program; overdue requests are given up.
  func wait(_ seconds: Int, _ program: Program) {
    if program.connection.isAway { return }
    if seconds >= 20 { programs.database.messages.abandonRequests(of: program.connection) }
    program.run { program.clock.advance(by: 1000 * seconds) }
  }

  /// Moves a page into the browser's cache, optionally with a last change.
  func leave(_ run: CommitRun, _ number: Int) {
    if run.program.connection.isAway { return }
    run.program.connection.leave()
    if number % 2 == 1 { change(run, .add, number) }
  }

  /// Starts a newer program in place of one. It blocks the store for older ones.
  func upgrade(_ number: Int) {
    if lacksJournal { return }
    programs.database.version += 1
    crash(number, losingMessages: false)
  }

  /// Replaces outdated programs, like users who see that these do not save any more.
  func replaceOutdated() {
    let outdated = (0..<3).filter { programs[$0].connection.version < programs.database.version }
    if outdated.isEmpty { return }
    for number in 0..<3 where programs[number].lacksJournal { change(runs[number], .add, 0) }
    for number in outdated { crash(number, losingMessages: false) }
  }

  /// Clears the data of the store, and optionally the journals and copies.
  func clear(withJournals: Bool) {
    clearings += 1
    model.clear(counted: stored("count"), stored("pairs"), storedTasks)
    for run in runs { run.forget(counted: stored("count"), storedTasks) }
    programs.database.store.clear()
    // A program that ends now, or has ended, would lose unsaved changes.
    guard withJournals, !isDoomed, !isLeftToOthers else { return }
    programs.journals.clear()
    for run in runs where run.isSaving { run.program.lacksJournal = true }
  }

  /// Whether an ended program has left a journal.
  private var isLeftToOthers: Bool {
    programs.journals.names.contains { key in
      key.isJournal && !(0..<3).contains { programs[$0].owns(key) }
    }
  }

  func noteFormer(_ key: UTF8Text) {
    guard let text = programs.text(key), former.last(where: { $0.key == key })?.text != text
    else { return }
    former.append((key, text))
  }

  /// Makes the copy an old stored value, which the next program shows first.
  func makeCopyStale(_ number: Int) {
    if former.isEmpty { return }
    let (key, text) = former[number % former.count]
    let name: UTF8Text = "sharing.copy.\(key)"
    programs.journals.replace(KeyName(bytes: name.bytes), by: text.bytes)
  }
}
