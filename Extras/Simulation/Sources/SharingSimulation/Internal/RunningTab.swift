import RandomSteps
import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedRevisions
import WasiStorage

/// A release of the simulated program.
struct Release {
  /// 0 is the oldest one.
  let number: Int
  let program: any SimulatedTab.Type
}

/// An open tab: its program, in an environment of its own.
final class RunningTab: @unchecked Sendable {
  let release: Release
  /// The number of the tab in the origin.
  let number: Int
  let faults: TabFaults
  let store: TabStore
  let journals: TabJournals
  private(set) var revisions: [TabRevisions] = []
  let clock = ManualClock()
  private(set) var program: (any SimulatedTab)!
  private(set) var watched: [WatchedValue] = []
  private let environment = SharingEnvironment()
  private let origin: Origin
  /// Whether the database answers its requests at once.
  private let isAlone: Bool
  /// The first reported issue.
  private var issue: String?

  /// Opens a tab. A fault may already have ended it afterwards.
  /// - Parameter isAlone: Whether the database answers its requests at once.
  init(
    _ release: Release, at number: Int, over origin: Origin, isAlone: Bool = false,
    _ faults: [(fault: SimulatedFault, after: Int)] = []
  ) {
    (self.release, self.number, self.origin, self.isAlone) = (release, number, origin, isAlone)
    self.faults = TabFaults(faults)
    store = TabStore(origin, number, self.faults)
    journals = TabJournals(origin.journals, self.faults)
    origin.opens(number)
    setUp()
    turn { program = release.program.init() }
    environment.run { watched = program.values.map { WatchedValue($0) } }
  }

  private func setUp() {
    let stores = environment.stores
    (stores.local, stores.files) = (store, store)
    (stores.session, stores.location) = (MemoryStore(), MemoryStore())
    stores.revisions = revisions(replacing: nil)
    journals.connection = revisions[0].connection
    stores.journalStore = journals
    environment.simulatedStores.replacement = { [unowned self] in revisions(replacing: $0) }
    environment.simulatedStores.journals = journals
    stores.clock = clock
    stores.notice = nil
    environment.makeIDs(at: { [origin] in origin.timeOfID() }, using: SplitMix64(seed: 0))
    environment.onIssue = { [weak self] in self?.note("\($0)") }
  }

  private func note(_ issue: String) {
    if self.issue == nil { self.issue = issue }
  }

  /// Returns the simulated store that replaces a revision store of the program.
  private func revisions(replacing original: (any RevisionStore)?) -> TabRevisions {
    if let made = revisions.first(where: { $0 === original || $0.original === original }) {
      return made
    }
    let connection = SimulatedConnection(origin.database, of: number) { [environment] body in
      environment.run { batch(body) }
    }
    connection.release = release.number
    revisions.append(TabRevisions(original, connection, faults))
    return revisions[revisions.count - 1]
  }

  deinit {
    clock.cancelAll()
    for store in revisions { store.connection.end(losingMessages: false) }
    origin.closes(number)
  }

  /// The problem with the state of the program; nil if there is none.
  var problem: String? {
    if let issue { return "an issue is reported: \(issue)" }
    // All revision stores share one database.
    for value in watched where revisions.count(where: { $0.keys.contains(value.name) }) > 1 {
      return "several revision stores have a \"\(value.name)\""
    }
    return environment.run { program.problem }
  }

  /// Runs a turn: a call from the host into the program.
  func turn(_ body: () -> Void) {
    environment.run { batch(body) }
    if isAlone { origin.database.messages.deliverAll() }
  }

  /// Whether a value is in a revision store.
  func commits(_ name: KeyName) -> Bool {
    revisions.contains { $0.keys.contains(name) }
  }

  /// Its names in its revision stores. The first one always has a journal.
  var programs: [UTF8Text?] { progress.map { $0?.client.program } }

  /// The progress of its commits, in the order of its revision stores; nil for an unused one.
  var progress: [CommitProgress?] { revisions.map { environment.commitProgress(in: $0) } }

  /// Sets and stores the values that a tab has shown, except one, which does not change.
  func show(_ values: [KeyName: any Equatable], except own: KeyName?) {
    for value in watched where value.name != own {
      guard let new = values[value.name], !areEqual(value.base.value(), new) else { continue }
      turn { value.base.change(new) }
      turn { clock.callAll() }
    }
  }

  /// Returns the page from the browser's cache: it may have missed events and notifications.
  func returnFromCache() {
    store.notify(nil)
    for store in revisions { origin.database.notify(store.connection, store.connection.keys) }
  }

  /// Retries failed saves, and failed loads from a database. Commits are retried by themselves.
  func saveAgain() {
    for value in watched {
      if commits(value.name) {
        value.loadAgain()
      } else if value.base.saveError() != nil {
        value.base.save()
      }
    }
  }
}
