import SharingCore
import WasiStorage

/// A tab that is open: its program, in an environment of its own.
final class RunningTab<Tab: SimulatedTab> {
  let store: TabStore
  let clock = TabClock()
  private(set) var watched: [WatchedValue] = []
  private let environment = SharingEnvironment()
  private let issues = Issues()
  private var program: Tab?

  /// Issues that have been reported.
  private final class Issues: @unchecked Sendable {
    var first: SharingIssue?
  }

  /// Opens a tab. It may be dead after that.
  /// - Parameters:
  ///   - number: Which tab's program it is.
  ///   - place: The number by which the origin knows the tab, where that is another one.
  init(
    _ number: Int, at place: Int? = nil, over origin: Origin,
    _ faults: [(fault: SimulatedFault, after: Int)] = []
  ) {
    store = TabStore(origin, place ?? number, faults)
    origin.opens(place ?? number)
    let stores = environment.stores
    (stores.local, stores.files) = (store, store)
    (stores.session, stores.location) = (MemoryStore(), MemoryStore())
    stores.revisions = NoRevisionStore()
    stores.clock = clock
    stores.notice = nil
    environment.onIssue = { [issues] issue in issues.first = issues.first ?? issue }
    environment.run {
      let program = batch { Tab(tab: number) }
      watched = program.values.map { WatchedValue($0) }
      self.program = program
    }
  }

  deinit {
    clock.forgetAll()
  }

  /// What is wrong with the state of the program as it is; nil when all is well.
  var problem: String? {
    if let issue = issues.first { return "an issue is reported: \(issue)" }
    return environment.run { program?.problem }
  }

  /// A turn: a call from the host into the program.
  private func turn(_ body: (Tab) -> Void) {
    guard let program else { return }
    store.turnBegins()
    environment.run { batch { body(program) } }
  }

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

  /// Time passes.
  func wait(milliseconds: Int) {
    turn { _ in clock.advance(by: milliseconds) }
  }

  /// The page is hidden.
  func hide() {
    turn { _ in clock.callAll() }
  }

  /// What could not be saved is tried again.
  func saveAgain() {
    turn { _ in for value in watched where value.saveError != nil { value.save() } }
  }
}
