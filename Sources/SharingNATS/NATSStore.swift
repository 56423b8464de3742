import Foundation
import SharingCore
import Synchronization
import WasiStorage

/// The revision store of one key, and of the copies of what is replaced there.
final class NATSStore: RevisionStore {
  private struct State {
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

  private let key: KeyName
  private let server: NATSServer
  private let state = Mutex(State())

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
  private func take(_ record: NATSRecord, _ key: KeyName) -> Bool {
    state.withLock {
      if let known = $0.records[key], known.revision >= record.revision { return false }
      $0.records[key] = record
      return true
    }
  }

  // MARK: Committing

  func commit(
    _ commit: Commit, rebase: @escaping Rebase,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let values = commit.entries.filter { $0.expected != nil }
    guard let entry = values.first else {
      return putCopies(commit, done) { done(.accepted([], applied: commit.through)) }
    }
    guard values.count == 1, entry.key == key else { return done(.failed(otherKey)) }
    let known = state.withLock { $0.records[entry.key] }
    if let known, known.revision == entry.expected { return store(commit, entry, known, done) }
    getAndStore(commit, entry, done)
  }

  private var otherKey: StorageError {
    StorageError(
      .other, key: key,
      """
      The store of the key "\(key)" stores no other: give the engine one for each key, with \
      engines.use(for: .world) { server.store(for: $0) }.
      """)
  }

  private func getAndStore(
    _ commit: Commit, _ entry: CommitEntry, _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    get(entry.key) { result in
      switch result {
      case .success(let record): self.store(commit, entry, record, done)
      case .failure(let error): done(.failed(error))
      }
    }
  }

  private func store(
    _ commit: Commit, _ entry: CommitEntry, _ record: NATSRecord,
    _ done: @escaping @Sendable (CommitAnswer) -> Void
  ) {
    let applied = record.lastStep(of: commit.client)
    let stored = [record.stored(entry.key)]
    if let applied, applied >= commit.through { return done(.accepted(stored, applied: applied)) }
    guard applied ?? commit.after == commit.after, entry.expected == record.revision else {
      return done(.conflict(stored, applied: applied ?? commit.after))
    }
    // First, since what they keep is overwritten by the other.
    putCopies(commit, done) {
      let next = record.with(entry.bytes, by: commit.client, through: commit.through)
      self.put(next, entry.key, expecting: record.revision) { result in
        switch result {
        case .success(let revision?):
          var next = next
          next.revision = revision
          _ = self.take(next, entry.key)
          done(.accepted([next.stored(entry.key)], applied: commit.through))
        case .success(nil): self.getAndStore(commit, entry, done)
        case .failure(let error): done(.failed(error))
        }
      }
    }
  }

  private func putCopies(
    _ commit: Commit, _ done: @escaping @Sendable (CommitAnswer) -> Void,
    _ next: @escaping @Sendable () -> Void
  ) {
    let copies = commit.entries.filter { $0.expected == nil }
    putCopies(copies[...], by: commit, done, next)
  }

  private func putCopies(
    _ copies: ArraySlice<CommitEntry>, by commit: Commit,
    _ done: @escaping @Sendable (CommitAnswer) -> Void, _ next: @escaping @Sendable () -> Void
  ) {
    guard let copy = copies.first else { return next() }
    let record = NATSRecord().with(copy.bytes, by: commit.client, through: commit.through)
    put(record, copy.key, expecting: nil) { result in
      switch result {
      case .success: self.putCopies(copies.dropFirst(), by: commit, done, next)
      case .failure(let error): done(.failed(error))
      }
    }
  }

  // MARK: Messages

  private func get(
    _ key: KeyName, tries: Int = 5,
    _ done: @escaping @Sendable (Result<NATSRecord, StorageError>) -> Void
  ) {
    let name = "$JS.API.DIRECT.GET.KV_\(server.bucket).\(NATSSubject.of(key, in: server.bucket))"
    server.connection.request(name) { result in
      switch result {
      case .failure(let error): done(.failure(error))
      case .success(let message):
        let record: NATSRecord
        if let sequence = message.header("Nats-Sequence").flatMap({ Int64($0) }) {
          record = NATSRecord(revision: sequence, message.body)
        } else if message.status == 404 {
          record = NATSRecord()
        } else {
          return done(.failure(self.noBucket(message)))
        }
        // Who answers may be a replica that is behind.
        let known = self.state.withLock { $0.records[key]?.revision ?? 0 }
        if record.revision < known {
          if tries > 0 { return self.get(key, tries: tries - 1, done) }
          return done(.failure(self.unavailable("It answers with what is older than known.")))
        }
        _ = self.take(record, key)
        done(.success(record))
      }
    }
  }

  /// Answers with the new revision, nil where another one was expected.
  private func put(
    _ record: NATSRecord, _ key: KeyName, expecting revision: Int64?,
    _ done: @escaping @Sendable (Result<Int64?, StorageError>) -> Void
  ) {
    let header = revision.map { "Nats-Expected-Last-Subject-Sequence: \($0)" } ?? ""
    server.connection.request(NATSSubject.of(key, in: server.bucket), headers: header, record.bytes)
    { result in
      switch result {
      case .failure(let error): done(.failure(error))
      case .success(let message):
        let object =
          try? JSONSerialization.jsonObject(with: Data(message.body)) as? [String: Any]
        // An error has a sequence, too: 0.
        if let error = object?["error"] as? [String: Any] {
          let code = error["err_code"] as? Int
          if code == 10071 || code == 10164 { return done(.success(nil)) }
          return done(.failure(self.unavailable("\(error["description"] ?? "")")))
        }
        guard let sequence = object?["seq"] as? Int64 else {
          return done(.failure(self.noBucket(message)))
        }
        done(.success(sequence))
      }
    }
  }

  private func noBucket(_ message: NATSMessage) -> StorageError {
    unavailable(
      "The bucket \"\(server.bucket)\" does not answer (\(message.status ?? 0)): create the stream "
        + "KV_\(server.bucket), or wait until the cluster has a leader.")
  }

  private func unavailable(_ message: String) -> StorageError {
    StorageError(.unavailable, key: key, UTF8Text(message))
  }
}
