import SharingCommits
import SharingCore
import WasiStorage

/// The connection of one program to a ``SimulatedDatabase``.
package final class SimulatedConnection: RevisionStore, @unchecked Sendable {
  package let database: SimulatedDatabase
  /// The number of the program. A program that is started again has the same number.
  package let owner: Int
  /// Whether the program still runs. Requests of an ended program are ignored.
  package var isRunning = true
  /// Whether the page is in the browser's cache, where it receives no messages.
  package private(set) var isAway = false
  /// Whether the program may not know changes that were stored while its page was in the cache.
  package private(set) var hasMissedNotifications = false
  /// The version of the store that the program supports.
  package let version: Int
  /// The number of the program's release.
  package var release = 0
  /// The event at which the program ends.
  package var death = Death.none
  /// Whether the answer to its next commit is lost.
  package var losesNextAnswer = false
  /// The program's name, which is that of its first client; nil before its first load.
  package private(set) var program: UTF8Text?
  /// The clients of the commits that are sent and not answered.
  private var clients: [UTF8Text] = []
  /// The requested keys, and the function to call when they change.
  package private(set) var keys: [KeyName] = []
  package private(set) var onChange: ((StoreChanges) -> Void)?
  /// The error of its own last commit or question, and its subject; nil if the store has answered
  /// since.
  package private(set) var failure: (reason: StorageError.Reason, keys: [KeyName])?
  /// The keys that could not be loaded, except those in `received`.
  package private(set) var notLoaded: [KeyName] = []
  /// The keys whose stored values the program has received.
  private var received: [KeyName] = []
  /// Whether the answer to a load is being delivered. It may replace any shown value.
  package private(set) var isReceivingLoad = false
  private var enter: (() -> Void) -> Void

  package enum Death {
    case none
    /// After the next commit was sent, which may arrive.
    case committing(arrives: Bool)
    /// Before the next write of its journal.
    case journaling
    /// The program has ended before a write of its journal.
    case journaled
  }

  /// - Parameter enter: Runs a call of the store as a turn of the program.
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

  /// Ends the program like a crash. Messages that it has sent may still arrive.
  package func end(losingMessages: Bool) {
    isRunning = false
    onChange = nil
    enter = { $0() }
    database.messages.end(self, losingMessages: losingMessages)
    database.connections.removeAll { $0 === self }
  }

  func run(_ body: () -> Void) { enter(body) }

  /// Sends the event of a change in another store to the program.
  package func receive(_ onChange: @escaping () -> Void) {
    database.messages.send(.notification, to: self, onChange)
  }

  // MARK: Requests

  package func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    program = client.program
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

  // MARK: Answers

  /// Records that a commit of a client is sent.
  /// - Returns: Whether the client has no other commit under way.
  func begin(_ client: UTF8Text) -> Bool {
    defer { clients.append(client) }
    return !clients.contains(client)
  }

  /// Records the answer to a commit.
  func finish(_ commit: Commit, _ answer: CommitAnswer) {
    if let index = clients.firstIndex(of: commit.client) { clients.remove(at: index) }
    if case .accepted(let stored, _) = answer { markReceived(stored.map { $0.key }) }
    if commit.client.program != program { return }
    failure =
      if case .failed(let error) = answer {
        (error.reason, commit.entries.map { $0.key })
      } else {
        nil
      }
  }

  /// Records that the program knows the stored values of some keys.
  func markReceived(_ keys: [KeyName]) {
    received += keys.filter { !received.contains($0) }
    notLoaded.removeAll { keys.contains($0) }
  }

  /// Delivers the answer to a load.
  func receiveLoad(
    _ keys: [KeyName], _ answer: Result<StoredSnapshot, StorageError>, _ body: () -> Void
  ) {
    // With a copy's key, the program loads a value, and does not ask for a client's last step.
    let isOfValue =
      keys.count > 1 && keys[1].bytes == keys[0].bytes + UTF8Text(".replaced").bytes
    switch answer {
    case .success:
      failure = nil
      markReceived(keys)
    case .failure where isOfValue: if !received.contains(keys[0]) { notLoaded.append(keys[0]) }
    case .failure(let error): failure = (error.reason, keys)
    }
    isReceivingLoad = true
    body()
    isReceivingLoad = false
  }

  // MARK: The browser's cache

  /// Moves the page into the browser's cache: it holds up no other page and receives no messages.
  package func leave() {
    isAway = true
    database.messages.close(self)
  }

  /// Returns the page from the cache. It requests the stored values.
  package func comeBack() {
    isAway = false
    hasMissedNotifications = true
    database.messages.ask(by: self) { [self] in
      if database.obstacle(to: self) != nil { return }
      hasMissedNotifications = false
      database.notify(self, keys)
    } orFail: {
    }
  }
}

extension UTF8Text {
  /// The program of a client. Its later clients have numbers.
  package var program: UTF8Text { UTF8Text(Array(bytes.prefix { $0 != UInt8(ascii: "~") })) }
}
