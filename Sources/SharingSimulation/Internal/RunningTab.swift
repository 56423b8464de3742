import SharingCore
import SimulatedRevisions
import WasiStorage

/// A tab that is open: its program, in an environment of its own.
final class RunningTab<Tab: SimulatedTab> {
  /// Which tab's program it is.
  let number: Int
  let faults: TabFaults
  let store: TabStore
  let journals: TabJournals
  private(set) var revisions: [TabRevisions] = []
  let clock = TabClock()
  private(set) var watched: [WatchedValue] = []
  private let environment = SharingEnvironment()
  private let origin: Origin
  private let place: Int
  /// Whether what it asks of the database is answered at once.
  private let isAlone: Bool
  /// What stands in for which store.
  private var standIns: [ObjectIdentifier: (original: any RevisionStore, TabRevisions)] = [:]
  private let issues = Issues()
  private var program: Tab?

  /// Issues that have been reported.
  private final class Issues: @unchecked Sendable {
    var first: String?
  }

  /// Opens a tab. It may be dead after that.
  /// - Parameters:
  ///   - number: Which tab's program it is.
  ///   - place: The number by which the origin knows the tab, where that is another one.
  ///   - isAlone: Whether the database answers at once what it asks.
  init(
    _ number: Int, at place: Int? = nil, over origin: Origin, isAlone: Bool = false,
    _ faults: [(fault: SimulatedFault, after: Int)] = []
  ) {
    (self.number, self.origin, self.place) = (number, origin, place ?? number)
    self.isAlone = isAlone
    self.faults = TabFaults(faults)
    store = TabStore(origin, self.place, self.faults)
    journals = TabJournals(origin.journals, self.faults)
    origin.opens(self.place)
    setUp()
    environment.run {
      let program = batch { Tab(tab: number) }
      watched = program.values.map { WatchedValue($0) }
      self.program = program
    }
    hearAll()
  }

  private func setUp() {
    let stores = environment.stores
    (stores.local, stores.files) = (store, store)
    (stores.session, stores.location) = (MemoryStore(), MemoryStore())
    stores.revisions = makeRevisions()
    stores.journalStore = journals
    environment.revisionStandIns.standIn = { [unowned self] in standIn(for: $0) }
    environment.revisionStandIns.journals = journals
    stores.clock = clock
    stores.notice = nil
    environment.onIssue = { [issues] issue in issues.first = issues.first ?? "\(issue)" }
  }

  private func makeRevisions() -> TabRevisions {
    let connection = SimulatedConnection(origin.database, of: place) { [environment] body in
      environment.run { batch(body) }
    }
    let made = TabRevisions(connection, faults) { [issues] issue in
      issues.first = issues.first ?? "\(issue)"
    }
    revisions.append(made)
    return made
  }

  private func standIn(for store: any RevisionStore) -> any RevisionStore {
    if let own = store as? TabRevisions { return own }
    if let (_, own) = standIns[ObjectIdentifier(store)] { return own }
    let made = makeRevisions()
    standIns[ObjectIdentifier(store)] = (store, made)
    return made
  }

  deinit {
    clock.forgetAll()
    for store in revisions { store.connection.end(losingMessages: false) }
  }

  /// What is wrong with the state of the program as it is; nil when all is well.
  var problem: String? {
    if let issue = issues.first { return "an issue is reported: \(issue)" }
    if let name = nameInSeveralStores { return "several revision stores have a \"\(name)\"" }
    return environment.run { program?.problem }
  }

  /// They share one database.
  private var nameInSeveralStores: KeyName? {
    watched.map { $0.name }.first { name in
      revisions.count { $0.connection.keys.contains(name) } > 1
    }
  }

  /// A turn: a call from the host into the program.
  private func turn(_ body: (Tab) -> Void) {
    guard let program else { return }
    store.turnBegins()
    for store in revisions { store.turnBegins() }
    environment.run { batch { body(program) } }
    hearAll()
  }

  private func hearAll() {
    if isAlone { origin.database.messages.deliverAll() }
  }

  /// Whether a value is one of a revision store.
  func commits(_ name: KeyName) -> Bool {
    revisions.contains { $0.connection.keys.contains(name) }
  }

  /// Whether what it shows of a value may have come from outside in this turn.
  func isUnseen(_ name: KeyName) -> Bool {
    commits(name)
      ? revisions.contains { $0.hasLoaded && $0.connection.keys.contains(name) }
      : store.isUnseen(name)
  }

  /// The names by which its databases know it.
  var clients: [UTF8Text] { progress.compactMap { $0?.client } }

  /// That of them which keeps a journal in any case.
  var journaledClient: UTF8Text? { progress[0]?.client }

  /// How far what it has changed is stored, in the order of its revision stores; nil for one that
  /// it does not use.
  var progress: [CommitProgress?] { revisions.map { environment.commitProgress(in: $0) } }

  /// A person does something.
  func act(_ action: SimulatedAction<Tab>, _ number: Int) {
    turn { action.perform($0, number) }
  }

  /// Shows values that a tab has shown, and stores them; but for one, which stays as it is.
  func show(_ values: [any Equatable], except own: Int?) {
    for (index, value) in watched.enumerated() where index != own {
      guard !areEqual(value.value, values[index]) else { continue }
      turn { _ in value.change(to: values[index]) }
      hide()
    }
  }

  /// A `storage` event arrives.
  func hear(of key: KeyName?) {
    turn { _ in store.tell(key) }
  }

  /// Something arrives that has to do with the database.
  func receive(_ kind: Messages.Kind, _ number: Int = 0, isRepeated: Bool = false) {
    turn { _ in
      origin.database.messages.deliver(
        kind, of: place, number: number, isRepeated: isRepeated)
    }
  }

  /// The page comes back from the browser's cache, and is told what is committed.
  func catchesUp() {
    for store in revisions { origin.database.tell(store.connection, store.connection.keys) }
  }

  /// Time passes.
  func wait(milliseconds: Int) {
    turn { _ in clock.advance(by: milliseconds) }
  }

  /// The page is hidden.
  func hide() {
    turn { _ in clock.callAll() }
  }

  /// What could not be saved is tried again, or loaded from a database. Commits are tried again by
  /// themselves.
  func saveAgain() {
    turn { _ in
      for value in watched {
        if commits(value.name) {
          value.loadAgain()
        } else if value.saveError != nil {
          value.save()
        }
      }
    }
  }
}
