import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedRevisions
import WasiStorage

/// One of some ``Programs``: an environment and a connection to the store.
package final class Program: @unchecked Sendable {
  package private(set) var connection: SimulatedConnection!
  /// The store that the program uses in place of its connection.
  package private(set) var store: (any RevisionStore)!
  private var environment = SharingEnvironment()
  package private(set) var clock = ManualClock()
  /// Whether a shown change is in no journal.
  package var lacksJournal = false
  /// The number of the last journal entry for which there was no room.
  private var lackedEntry = 0

  init(_ programs: Programs, _ number: Int) {
    connection = SimulatedConnection(programs.database, of: number) { [unowned(unsafe) self] body in
      run(body)
    }
    store = programs.doubles.store(connection)
    environment.stores.journalStore = programs.doubles.journals(
      ProgramJournals(self, programs.journals))
    environment.stores.clock = programs.doubles.clock(clock)
    environment.stores.local = programs.journals.store
    environment.stores.revisions = store
    environment.onIssue = { programs.issues.append(UTF8Text($0.description)) }
  }

  /// Whether the program still runs. The actions of an ended one have no effect.
  package var isRunning: Bool { connection.isRunning }

  /// Ends the program like a crash, and releases all its objects.
  package func end(losingMessages: Bool) {
    connection.end(losingMessages: losingMessages)
    clock.callAll()  // waiting calls release their objects
    environment = SharingEnvironment()
    clock = ManualClock()
  }

  package func run<Output>(_ body: () -> Output) -> Output { environment.run(body) }

  /// Saves debounced changes, as when a page is hidden.
  package func hide() { run { environment.stores.flush() } }

  /// Sets the name of the app.
  package func take(appName: UTF8Text) { run { environment.stores.appName = appName } }

  /// Returns whether it has written a journal.
  package func owns(_ journal: KeyName) -> Bool {
    connection.program.map { $0 == journal.journalEntry?.client.program } ?? false
  }

  /// Records whether a journal entry was stored. Older entries may be stored again after it.
  func note(_ entry: KeyName, isStored: Bool) {
    guard let (client, number) = entry.journalEntry, client.program == connection.program,
      number >= lackedEntry
    else { return }
    lacksJournal = !isStored
    if !isStored { lackedEntry = number }
  }
}
