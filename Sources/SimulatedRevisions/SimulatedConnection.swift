import SharingCore
import WasiStorage

/// The connection of one program to a ``SimulatedDatabase``.
package final class SimulatedConnection: RevisionStore, @unchecked Sendable {
  package let database: SimulatedDatabase
  /// Which of the programs it is: one that is started again has the same number.
  package let owner: Int
  /// Whether the program still runs: what one does that has ended reaches nobody.
  package var isRunning = true
  /// Whether it is in the browser's cache, where nothing reaches it.
  package private(set) var isAway = false
  /// Whether nobody has told it what was stored while it was there.
  package private(set) var hasMissedNotifications = false
  /// The form of the store that it knows.
  package let version: Int
  /// What ends the program.
  package var death = Death.none
  /// Whether the answer to its next commit is lost.
  package var losesNextAnswer = false
  /// The name by which the store knows it; nil before it has asked for anything.
  package private(set) var client: UTF8Text?
  /// The clients for which it has sent a commit that is not answered.
  private var clients: [UTF8Text] = []
  /// The keys that it has asked for, and what it does when they change.
  package private(set) var keys: [KeyName] = []
  package private(set) var onChange: ((StoreChanges) -> Void)?
  /// The error of its own last commit, and its subject; nil if the store has answered since.
  package private(set) var failure: (reason: StorageError.Reason, keys: [KeyName])?
  /// The keys that could not be loaded and of which it has heard nothing else; and those of which
  /// it has.
  package private(set) var notLoaded: [KeyName] = []
  private var heard: [KeyName] = []
  /// Whether it hears what it has asked to be loaded: that is taken over whatever is shown.
  package private(set) var isHearingLoad = false
  private var enter: (() -> Void) -> Void

  package enum Death {
    case none
    /// Its next commit is sent, and may arrive.
    case committing(arrives: Bool)
    /// Its journal is about to be written.
    case journaling
    /// Its journal was about to be written.
    case journaled
  }

  /// - Parameter enter: Runs what the store calls as a turn of the program.
  package init(
    _ database: SimulatedDatabase, of owner: Int, _ enter: @escaping (() -> Void) -> Void
  ) {
    self.database = database
    self.owner = owner
    self.enter = enter
    version = database.version
    let connections = database.connections
    let index = connections.firstIndex { $0.owner > owner } ?? connections.count
    database.connections.insert(self, at: index)
  }

  /// The program has ended, as a crash does. What it has sent may still arrive.
  package func end(losingMessages: Bool) {
    isRunning = false
    onChange = nil
    enter = { $0() }
    database.messages.end(self, losingMessages: losingMessages)
    database.connections.removeAll { $0 === self }
  }

  func run(_ body: () -> Void) { enter(body) }

  // MARK: What is asked

  package func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    self.client = client
    self.keys += keys.filter { !self.keys.contains($0) }
    if isRunning { database.load(keys, client, of: self, done) }
  }

  package func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    if isRunning { database.commit(commit, of: self, rebase, done) }
  }

  package func watch(
    _ onChange: @escaping @Sendable (StoreChanges) -> Void
  ) -> SharedSubscription {
    self.onChange = onChange
    return SharedSubscription { self.onChange = nil }
  }

  // MARK: What is answered

  /// A commit of a client is sent.
  /// - Returns: Whether it is the only one of that client.
  func begin(_ client: UTF8Text) -> Bool {
    defer { clients.append(client) }
    return !clients.contains(client)
  }

  /// A commit is answered.
  func finish(_ commit: Commit, _ answer: CommitAnswer) {
    if let index = clients.firstIndex(of: commit.client) { clients.remove(at: index) }
    if case .accepted(let stored, _) = answer { hear(of: stored.map { $0.key }) }
    if commit.client != client { return }
    failure =
      if case .failed(let error) = answer {
        (error.reason, commit.entries.map { $0.key })
      } else {
        nil
      }
  }

  /// It hears what is stored under some keys.
  func hear(of keys: [KeyName]) {
    heard += keys.filter { !heard.contains($0) }
    notLoaded.removeAll { keys.contains($0) }
  }

  /// What it has asked to be loaded is answered.
  func hear(_ keys: [KeyName], isLoaded: Bool, _ body: () -> Void) {
    if isLoaded {
      failure = nil
      hear(of: keys)
    } else if keys.count > 1, !heard.contains(keys[0]),
      keys[1].bytes == keys[0].bytes + UTF8Text(".replaced").bytes
    {
      // So a value is loaded, not only asked for its last step.
      notLoaded.append(keys[0])
    }
    isHearingLoad = true
    body()
    isHearingLoad = false
  }

  // MARK: The browser's cache

  /// Its page goes into the browser's cache: there it holds up nobody, and hears nothing.
  package func leave() {
    isAway = true
    database.messages.close(self)
  }

  /// Its page returns from there, and asks what is stored.
  package func comeBack() {
    isAway = false
    hasMissedNotifications = true
    database.messages.ask(by: self) { [self] in
      if database.obstacle(to: self) != nil { return }
      hasMissedNotifications = false
      database.tell(self, keys)
    } orFail: {
    }
  }
}
