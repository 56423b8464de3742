import SharingCore
import WasiStorage

/// One of some ``Programs``: an environment, and its way to the store.
final class Program: RevisionStore, @unchecked Sendable {
  let programs: Programs
  private var environment = SharingEnvironment()
  private(set) var clock = ManualClock()
  /// Whether the program still runs: what one does that has ended reaches nobody.
  var isRunning = true
  /// Whether it is in the browser's cache, where nothing reaches it.
  var isAway = false
  /// Whether nobody has told it what was stored while it was there.
  var hasMissedNews = false
  /// The form of the store that it knows.
  let version: Int
  /// What ends the program.
  var death = Death.none
  /// The name by which the store knows it; nil before it has asked for anything.
  private var client: UTF8Text?
  /// The clients for which it has sent a commit that is not answered.
  private var clients: [UTF8Text] = []
  /// The keys that it has asked for, and what it does with news of them.
  private(set) var keys: [KeyName] = []
  private(set) var onNews: ((StoreNews) -> Void)?
  /// Why the last commit of its own has failed, and what it was about; nil where the store has
  /// answered since.
  var failure: (reason: StorageError.Reason, keys: [KeyName])?
  /// Whether it hears what it has asked to be loaded: that is taken over whatever is shown.
  var isHearingLoad = false
  /// Whether something that it has shown is in no journal.
  var lacksJournal = false

  enum Death {
    case none
    /// Its next commit is sent, and may arrive.
    case committing(arrives: Bool)
    /// Its journal is about to be written.
    case journaling
    /// Its journal was about to be written.
    case journaled
  }

  init(_ programs: Programs) {
    self.programs = programs
    version = programs.version
    environment.stores.journalStore = ProgramJournals(self, programs.journals)
    environment.stores.clock = clock
    environment.stores.local = programs.journals.store
    environment.stores.revisions = self
    environment.onIssue = { programs.issues.append(UTF8Text($0.description)) }
  }

  /// Ends the program as a crash does, and lets go of all it has.
  func end() {
    isRunning = false
    onNews = nil
    clock.callAll()  // who waits lets go
    environment = SharingEnvironment()
    clock = ManualClock()
  }

  func run<Output>(_ body: () -> Output) -> Output { environment.run(body) }

  /// Does what was put off, as when a page is hidden.
  func hide() { run { environment.stores.flush() } }

  func count(_ name: String = "count") -> Shared<Int> {
    run { Shared(wrappedValue: 0, .revisions(name, in: self)) }
  }

  /// A count that takes over what an old key holds.
  func adoptingCount() -> Shared<Int> {
    run { Shared(wrappedValue: 0, .revisions("count", in: self, adopting: .localStorage("old"))) }
  }

  func tasks() -> Shared<[Task]> {
    run { Shared(wrappedValue: [], .revisions("tasks", in: self)) }
  }

  func tally() -> Shared<Tally> {
    run { Shared(wrappedValue: Tally(), .revisions("tally", in: self)) }
  }

  /// Whether it has written a journal.
  func owns(_ journal: KeyName) -> Bool {
    client.map { "sharing.journal.\($0)" == UTF8Text(journal.bytes) } ?? false
  }

  /// A commit of a client is sent.
  /// - Returns: Whether it is the only one of that client.
  func begin(_ client: UTF8Text) -> Bool {
    defer { clients.append(client) }
    return !clients.contains(client)
  }

  /// A commit is answered.
  func finish(_ commit: Commit, _ answer: CommitAnswer) {
    if let index = clients.firstIndex(of: commit.client) { clients.remove(at: index) }
    if commit.client != client { return }
    failure =
      if case .failed(let error) = answer {
        (error.reason, commit.entries.map { $0.key })
      } else {
        nil
      }
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    self.client = client
    self.keys += keys.filter { !self.keys.contains($0) }
    if isRunning { programs.load(keys, client, of: self, done) }
  }

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    if isRunning { programs.commit(commit, of: self, rebase, done) }
  }

  func watch(_ onNews: @escaping @Sendable (StoreNews) -> Void) -> SharedSubscription {
    self.onNews = onNews
    return SharedSubscription { self.onNews = nil }
  }
}
