import SharingCommits
import SharingCore
import Synchronization
import WasiStorage

/// The revision store of one key, and of the copies of its replaced values.
final class NATSStore: RevisionStore {
  struct State {
    var records: [KeyName: NATSRecord] = [:]
    /// The base of each key's records; see ``NATSRecord/base``.
    var bases: [KeyName: Int64] = [:]
    var isFollowing = false
    var followers: [NATSFollower] = []
    var reception = Reception.unknown
    /// Loads that wait until the store can tell whether it receives changes of the key.
    var waiting: [@Sendable () -> Void] = []
  }

  /// Whether the store receives changes of the key.
  enum Reception {
    case unknown
    case working
    /// No: the server cannot be reached.
    case away
    /// No: the server refuses it.
    case refused(StorageError)
  }

  let key: KeyName
  /// The key of the list of replaced values.
  let listKey: KeyName
  let server: NATSServer
  let state = Mutex(State())
  let feed = RevisionFeed()

  init(_ key: KeyName, of server: NATSServer) {
    self.key = key
    listKey = key.copy("replaced")
    self.server = server
  }

  deinit {
    for follower in state.withLock({ $0.followers }) { server.connection.unfollow(follower) }
  }

  func load(
    _ keys: [KeyName], client: UTF8Text,
    _ done: @escaping @Sendable (Result<StoredSnapshot, StorageError>) -> Void
  ) {
    if keys.isEmpty { return done(.success(StoredSnapshot([], applied: nil))) }
    followOnce()
    get(keys[...]) { result in
      // A value that can be read but not followed would become stale while it is shown.
      self.whenAnswered {
        if case .refused(let error) = self.state.withLock({ $0.reception }) {
          return done(.failure(error))
        }
        done(
          result.map { records in
            StoredSnapshot(
              zip(records, keys).map { $0.stored($1) },
              applied: records.first?.seen.lastStep(of: client))
          })
      }
    }
  }

  private func whenAnswered(_ body: @escaping @Sendable () -> Void) {
    let isWaiting = state.withLock {
      guard case .unknown = $0.reception else { return false }
      $0.waiting.append(body)
      return true
    }
    if !isWaiting { body() }
  }

  /// - Returns: The state before.
  private func set(_ reception: Reception) -> Reception {
    let (before, waiting) = state.withLock { state in
      defer { (state.reception, state.waiting) = (reception, []) }
      return (state.reception, state.waiting)
    }
    for body in waiting { body() }
    return before
  }

  private func didBegin(isEmpty: Bool) {
    switch set(.working) {
    case .unknown, .working: break
    case .away, .refused:
      // A known record, even an empty one, reports that changes are received again.
      let known = state.withLock { $0.records[key] }
      if let record = known ?? (isEmpty ? NATSRecord() : nil) {
        feed.publish(.success([record.stored(key)]))
      }
    }
  }

  private func didFail(_ error: StorageError) {
    // Otherwise loading fails, too, or continues meanwhile.
    let before = set(error.isRefusal ? .refused(error) : .away)
    if case .unknown = before { return }
    if error.isRefusal {
      feed.publish(.failure(StorageError(error.reason, key: key, error.advice)))
    }
  }

  func watch(_ onChange: @escaping @Sendable (StoreChanges) -> Void) -> SharedSubscription {
    let subscription = feed.watch(onChange)
    followOnce()
    return subscription
  }

  private func followOnce() {
    let isFirst = state.withLock { state in
      defer { state.isFollowing = true }
      return !state.isFollowing
    }
    guard isFirst else { return }
    follow(key)
    follow(listKey)
  }

  private func follow(_ key: KeyName) {
    let subject = NATSSubject.of(key, in: server.bucket)
    let follower = NATSFollower(server.bucket, subject, server.connection) { [weak self] event in
      guard let self else { return }
      switch event {
      case .began(let isEmpty):
        if key == self.key { didBegin(isEmpty: isEmpty) }
        feed.publish(.success([]))
        if isEmpty { receive(0, [], of: key, isFirst: true) }
      case .failed(let error): if key == self.key { didFail(error) }
      case .message(let revision, let body, let isFirst):
        receive(revision, body, of: key, isFirst: isFirst)
      }
    }
    state.withLock { $0.followers.append(follower) }
    server.connection.follow(follower)
  }

  /// Receives a message of a consumer, or that there is none.
  private func receive(_ sequence: Int64, _ body: [UInt8], of key: KeyName, isFirst: Bool) {
    let record = made(sequence, body, of: key)
    let isContradiction = state.withLock { state in
      state.records[key].map { record.contradicts($0) } ?? false
    }
    // A later message can be older than the answer to an own commit, but not the first one.
    if isContradiction {
      if isFirst { get(key) { _ in } }
    } else if remember(record, key), record.revision > 0 {
      feed.publish(.success([record.stored(key)]))
    }
  }

  /// Makes a record of a message that was stored now.
  func made(_ sequence: Int64, _ body: [UInt8], of key: KeyName) -> NATSRecord {
    NATSRecord(sequence, body, base: state.withLock { $0.bases[key] ?? 0 })
  }

  /// Begins with another base of a key: the bucket was made anew or restored, so that the known
  /// record is not in it.
  func beginAnew(without known: NATSRecord, _ key: KeyName) {
    state.withLock { state in
      guard state.bases[key] ?? 0 == known.base else { return }
      state.bases[key] = known.revision + 1
      state.records[key] = nil
    }
  }

  /// - Returns: Whether the record is newer than the known one.
  func remember(_ record: NATSRecord, _ key: KeyName) -> Bool {
    state.withLock {
      if let known = $0.records[key], known.revision >= record.revision { return false }
      $0.records[key] = record
      return true
    }
  }
}
