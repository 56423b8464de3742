import RandomSteps
import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedRevisions
import WasiStorage

/// An open tab: its program, in an environment of its own.
final class RunningTab {
  let release: Release
  let faults: TabFaults
  let store: TabStore
  let journals: TabJournals
  private(set) var revisions: [TabRevisions] = []
  let clock = TabClock()
  private(set) var watched: [WatchedValue] = []
  private let environment = SharingEnvironment()
  private let origin: Origin
  private let tabNumber: Int
  /// Whether the database answers its requests at once.
  private let isAlone: Bool
  /// The simulated stores that replace the program's own revision stores.
  private var replacements: [ObjectIdentifier: (original: any RevisionStore, TabRevisions)] = [:]
  private let issues = Issues()
  private var program: (any SimulatedTab)?

  /// The first reported issue.
  private final class Issues: @unchecked Sendable {
    var first: String?
  }

  /// Opens a tab. A fault may already have ended it afterwards.
  /// - Parameters:
  ///   - tabNumber: The number of the tab in the origin.
  ///   - isAlone: Whether the database answers its requests at once.
  init(
    _ release: Release, at tabNumber: Int, over origin: Origin, isAlone: Bool = false,
    _ faults: [(fault: SimulatedFault, after: Int)] = []
  ) {
    (self.release, self.origin, self.tabNumber) = (release, origin, tabNumber)
    self.isAlone = isAlone
    self.faults = TabFaults(faults)
    store = TabStore(origin, tabNumber, self.faults)
    journals = TabJournals(origin.journals, self.faults)
    origin.opens(tabNumber)
    setUp()
    environment.run {
      let program: any SimulatedTab = batch { release.program.init() }
      watched = program.values.map { WatchedValue($0) }
      self.program = program
    }
    deliverAllIfAlone()
  }

  private func setUp() {
    let stores = environment.stores
    (stores.local, stores.files) = (store, store)
    (stores.session, stores.location) = (MemoryStore(), MemoryStore())
    stores.revisions = makeRevisions()
    journals.connection = revisions[0].connection
    stores.journalStore = journals
    environment.simulatedStores.replacement = { [unowned self] in replacement(for: $0) }
    environment.simulatedStores.journals = journals
    stores.clock = clock
    stores.notice = nil
    let number = origin.openings
    environment.makeIDs(
      at: { [origin] in origin.timeOfID() }, using: SplitMix64(seed: UInt64(number)))
    environment.onIssue = { [issues] issue in issues.first = issues.first ?? "\(issue)" }
  }

  private func makeRevisions() -> TabRevisions {
    let connection = SimulatedConnection(origin.database, of: tabNumber) { [environment] body in
      environment.run { batch(body) }
    }
    connection.release = release.number
    let made = TabRevisions(connection, faults)
    revisions.append(made)
    return made
  }

  private func replacement(for store: any RevisionStore) -> any RevisionStore {
    if let own = store as? TabRevisions { return own }
    if let (_, own) = replacements[ObjectIdentifier(store)] { return own }
    let made = makeRevisions()
    replacements[ObjectIdentifier(store)] = (store, made)
    return made
  }

  deinit {
    clock.forgetAll()
    for store in revisions { store.connection.end(losingMessages: false) }
  }

  /// The problem with the state of the program; nil if there is none.
  var problem: String? {
    if let issue = issues.first { return "an issue is reported: \(issue)" }
    if let name = nameInSeveralStores { return "several revision stores have a \"\(name)\"" }
    return environment.run { program?.problem }
  }

  /// A name that several revision stores use. All of them share one database, so that is a problem.
  private var nameInSeveralStores: KeyName? {
    watched.map { $0.name }.first { name in
      revisions.count { $0.connection.keys.contains(name) } > 1
    }
  }

  /// Runs a turn: a call from the host into the program.
  private func turn(_ body: (any SimulatedTab) -> Void) {
    guard let program else { return }
    store.turnBegins()
    for store in revisions { store.turnBegins() }
    environment.run { batch { body(program) } }
    deliverAllIfAlone()
  }

  private func deliverAllIfAlone() {
    if isAlone { origin.database.messages.deliverAll() }
  }

  /// Whether a value is in a revision store.
  func commits(_ name: KeyName) -> Bool {
    revisions.contains { $0.keys.contains(name) }
  }

  /// Whether a value may have changed by another program in this turn.
  func isUnseen(_ name: KeyName) -> Bool {
    commits(name)
      ? revisions.contains { $0.hasLoaded && $0.connection.keys.contains(name) }
      : store.isUnseen(name)
  }

  /// Its names in its revision stores.
  var programs: [UTF8Text] { progress.compactMap { $0?.client.program } }

  /// The name that always has a journal.
  var journaledProgram: UTF8Text? { progress[0]?.client.program }

  /// The progress of its commits, in the order of its revision stores; nil for an unused one.
  var progress: [CommitProgress?] { revisions.map { environment.commitProgress(in: $0) } }

  /// Performs an action.
  func act(_ action: String, _ number: Int) {
    turn { $0.perform(action, number) }
  }

  /// Sets and stores the values that a tab has shown, except one, which does not change.
  func show(_ values: [KeyName: any Equatable], except own: KeyName?) {
    for value in watched where value.name != own {
      guard let new = values[value.name], !areEqual(value.value, new) else { continue }
      turn { _ in value.base.change(new) }
      hide()
    }
  }

  /// Delivers a `storage` event.
  func deliverEvent(of key: KeyName?) {
    turn { _ in store.notify(key) }
  }

  /// Delivers a message of the database.
  func receive(_ kind: Messages.Kind, _ number: Int = 0, isRepeated: Bool = false) {
    turn { _ in
      origin.database.messages.deliver(
        kind, of: tabNumber, number: number, isRepeated: isRepeated)
    }
  }

  /// Returns the page from the browser's cache: it is notified of the committed values.
  func returnFromCache() {
    for store in revisions { origin.database.notify(store.connection, store.connection.keys) }
  }

  /// Lets time pass.
  func wait(milliseconds: Int) {
    turn { _ in clock.advance(by: milliseconds) }
  }

  /// Hides the page, which saves its delayed changes.
  func hide() {
    turn { _ in clock.callAll() }
  }

  /// Retries failed saves, and failed loads from a database. Commits are retried by themselves.
  func saveAgain() {
    turn { _ in
      for value in watched {
        if commits(value.name) {
          value.loadAgain()
        } else if value.saveError != nil {
          value.base.save()
        }
      }
    }
  }
}
