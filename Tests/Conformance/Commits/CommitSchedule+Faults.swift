import SharingCore
import SimulatedRevisions
import WasiStorage

// What happens to programs and their store that they do not do themselves.
extension CommitSchedule {
  /// Time passes for a program; what has not answered for long is given up.
  func wait(_ seconds: Int, _ program: Program) {
    if program.connection.isAway { return }
    if seconds >= 20 { programs.database.messages.giveUp(program.connection) }
    program.run { program.clock.advance(by: 1000 * seconds) }
  }

  /// A page goes into the browser's cache, perhaps with a last change.
  func leave(_ run: CommitRun, _ number: Int) {
    if run.program.connection.isAway { return }
    run.program.connection.leave()
    if number % 2 == 1 { change(run, .add, number) }
  }

  /// A newer program is started in place of one, and refuses the store to the older ones.
  func upgrade(_ number: Int) {
    if lacksJournal { return }
    programs.database.version += 1
    crash(number, losingMessages: false)
  }

  /// Whoever sees that an older program does not save any more opens the newer one.
  func replaceOutdated() {
    let outdated = (0..<3).filter { programs[$0].connection.version < programs.database.version }
    if outdated.isEmpty { return }
    for number in 0..<3 where programs[number].lacksJournal { change(runs[number], .add, 0) }
    for number in outdated { crash(number, losingMessages: false) }
  }

  /// The data of the store is cleared, and what is written at once.
  func clear(withJournals: Bool) {
    clearings += 1
    model.clear(counted: stored("count"), stored("pairs"), storedTasks)
    for run in runs { run.forget(counted: stored("count"), storedTasks) }
    programs.database.store.clear()
    // With a program that ends now, or has ended, something would be lost that is not stored.
    guard withJournals, !isDoomed, !isLeftToOthers else { return }
    programs.journals.clear()
    for run in runs where run.isSaving { run.program.lacksJournal = true }
  }

  /// Whether a program that has ended has left a journal.
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

  /// Whoever starts next is shown what was stored at some time.
  func makeCopyStale(_ number: Int) {
    if former.isEmpty { return }
    let (key, text) = former[number % former.count]
    let name: UTF8Text = "sharing.copy.\(key)"
    programs.journals.replace(KeyName(bytes: name.bytes), by: text.bytes)
  }
}
