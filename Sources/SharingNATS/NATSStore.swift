import SharingCore
import Synchronization
import WasiStorage

/// The revision store of one key, and of the copies of what is replaced there.
final class NATSStore: RevisionStore {
  struct State {
    var records: [KeyName: NATSRecord] = [:]
    var watchers: [Int: @Sendable ([StoredRevision]) -> Void] = [:]
    var lastWatcher = 0
    var isFollowing = false
    /// Whether it is known if changes of the key can be heard of.
    var isAnswered = false
    /// Why they cannot be, and never will.
    var refusal: StorageError?
    /// Who loads, and waits for that.
    var waiting: [@Sendable () -> Void] = []
  }

  let key: KeyName
  let server: NATSServer
  let state = Mutex(State())

  init(_ key: KeyName, of server: NATSServer) {
    self.key = key
    self.server = server
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    // What can be read and not followed would be shown, and grow old.
    whenAnswered {
      if let refusal = self.state.withLock({ $0.refusal }) { return done(.failure(refusal)) }
      self.load(keys[...], [], client, done)
    }
  }

  private func whenAnswered(_ body: @escaping @Sendable () -> Void) {
    let isAnswered = state.withLock {
      if !$0.isAnswered { $0.waiting.append(body) }
      return $0.isAnswered
    }
    if isAnswered { body() } else { followOnce() }
  }

  private func didAnswer(_ refusal: StorageError?) {
    let waiting = state.withLock { state in
      (state.isAnswered, state.refusal) = (true, refusal)
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body() }
  }

  private func load(
    _ keys: ArraySlice<KeyName>, _ records: [(KeyName, NATSRecord)], _ client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    guard let next = keys.first else {
      let applied = records.first?.1.lastStep(of: client)
      return done(
        .success(StoredSnapshot(records.map { $1.stored($0) }, applied: applied)))
    }
    get(next) { result in
      switch result {
      case .success(let record):
        self.load(keys.dropFirst(), records + [(next, record)], client, done)
      case .failure(let error): done(.failure(error))
      }
    }
  }

  func watch(_ onNews: @escaping @Sendable ([StoredRevision]) -> Void) -> SharedSubscription {
    let number = state.withLock { state in
      state.lastWatcher += 1
      state.watchers[state.lastWatcher] = onNews
      return state.lastWatcher
    }
    followOnce()
    return SharedSubscription { self.state.withLock { $0.watchers[number] = nil } }
  }

  func list(
    prefix: KeyName, _ onListing: @escaping @Sendable (RevisionListing) -> Void
  ) -> SharedSubscription {
    guard let subjects = NATSSubject.all(under: prefix, in: server.bucket) else {
      onListing(.failed(unavailable("A prefix ends with a dot, unlike \"\(prefix)\".")))
      return SharedSubscription {}
    }
    let listing = NATSListing(server.bucket, onListing)
    let follower = NATSFollower(server.bucket, subjects, server.connection) { listing.hear($0) }
    server.connection.follow(follower)
    return SharedSubscription { [server] in server.connection.unfollow(follower) }
  }

  private func followOnce() {
    let isFirst = state.withLock { state in
      defer { state.isFollowing = true }
      return !state.isFollowing
    }
    guard isFirst else { return }
    follow(key)
    follow(KeyName(bytes: key.bytes + ".replaced".utf8))
  }

  private func follow(_ key: KeyName) {
    let subject = NATSSubject.of(key, in: server.bucket)
    let follower = NATSFollower(server.bucket, subject, server.connection) { [weak self] event in
      switch event {
      case .began:
        if key == self?.key { self?.didAnswer(nil) }
        self?.tell([])
      case .failed(let error):
        // Else loading fails, too, or goes on while that lasts.
        if key == self?.key { self?.didAnswer(error.reason == .denied ? error : nil) }
      case .message(let message):
        let record = NATSRecord(revision: message.revision, message.body)
        if self?.take(record, key) ?? false { self?.tell([record.stored(key)]) }
      }
    }
    server.connection.follow(follower)
  }

  private func tell(_ news: [StoredRevision]) {
    for onNews in state.withLock({ $0.watchers.values }) { onNews(news) }
  }

  /// - Returns: Whether it is newer than what was known.
  func take(_ record: NATSRecord, _ key: KeyName) -> Bool {
    state.withLock {
      if let known = $0.records[key], known.revision >= record.revision { return false }
      $0.records[key] = record
      return true
    }
  }
}
