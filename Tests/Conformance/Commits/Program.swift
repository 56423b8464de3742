import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedRevisions
import WasiStorage

/// One of some ``Programs``: an environment and a connection to the store.
final class Program: @unchecked Sendable {
  private(set) var connection: SimulatedConnection!
  /// The store that the program uses in place of its connection.
  private(set) var store: (any RevisionStore)!
  private var environment = SharingEnvironment()
  private(set) var clock = ManualClock()
  /// Whether a shown change is in no journal.
  var lacksJournal = false

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
  var isRunning: Bool { connection.isRunning }

  /// Ends the program like a crash, and releases all its objects.
  func end(losingMessages: Bool) {
    connection.end(losingMessages: losingMessages)
    clock.callAll()  // waiting calls release their objects
    environment = SharingEnvironment()
    clock = ManualClock()
  }

  func run<Output>(_ body: () -> Output) -> Output { environment.run(body) }

  /// Saves debounced changes, as when a page is hidden.
  func hide() { run { environment.stores.flush() } }

  /// Sets the name of the app.
  func take(appName: UTF8Text) { run { environment.stores.appName = appName } }

  func count(_ name: String = "count") -> Shared<Int> {
    run { Shared(wrappedValue: 0, .revisions(name, in: store)) }
  }

  /// Returns a count that adopts the value of an old key.
  func adoptingCount() -> Shared<Int> {
    run {
      Shared(wrappedValue: 0, .revisions("count", in: store, adopting: .localStorage("old")))
    }
  }

  func tasks() -> Shared<[Task]> {
    run { Shared(wrappedValue: [], .revisions("tasks", in: store)) }
  }

  func tally() -> Shared<Tally> {
    run { Shared(wrappedValue: Tally(), .revisions("tally", in: store)) }
  }

  /// Returns whether it has written a journal.
  func owns(_ journal: KeyName) -> Bool {
    connection.client.map { $0 == journal.journalEntry?.client } ?? false
  }
}
