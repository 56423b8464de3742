import SharingCore
import Synchronization
import WasiStorage

// Requests to the server.
extension NATSStore {
  func get(
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
        // The answer may come from a replica that is behind.
        let known = self.state.withLock { $0.records[key]?.revision ?? 0 }
        if record.revision < known {
          if tries > 0 { return self.get(key, tries: tries - 1, done) }
          // Or the bucket was restored. The next request accepts the answer.
          self.forget()
          return done(.failure(self.unavailable("The server answers with an old revision.")))
        }
        _ = self.remember(record, key)
        done(.success(record))
      }
    }
  }

  /// Answers with the new revision; nil if another revision was expected.
  func put(
    _ record: NATSRecord, _ key: KeyName, expecting revision: Int64?,
    _ done: @escaping @Sendable (Result<Int64?, StorageError>) -> Void
  ) {
    let header = revision.map { "Nats-Expected-Last-Subject-Sequence: \($0)" } ?? ""
    server.connection.request(NATSSubject.of(key, in: server.bucket), headers: header, record.bytes)
    { result in
      switch result {
      case .failure(let error): done(.failure(error))
      case .success(let message):
        let answer = NATSAnswer(message)
        // An error has a sequence, too: 0.
        if let answer, answer.isConflict {
          if let revision, let last = answer.lastRevision, last < revision { self.forget() }
          return done(.success(nil))
        }
        if let answer, let problem = answer.problem {
          let reason: StorageError.Reason = answer.isQuota ? .quotaExceeded : .unavailable
          return done(.failure(StorageError(reason, key: self.key, UTF8Text(problem))))
        }
        guard let sequence = answer?.content["seq"] as? Int64 else {
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

  func unavailable(_ message: String) -> StorageError {
    StorageError(.unavailable, key: key, UTF8Text(message))
  }
}

/// Gathers the records of keys that are loaded together, in their order.
final class NATSGathering: Sendable {
  typealias Done = @Sendable (Result<[NATSRecord], StorageError>) -> Void

  /// The records so far; nil after the answer.
  private let found: Mutex<[NATSRecord?]?>
  private let done: Done

  init(count: Int, _ done: @escaping Done) {
    found = Mutex(Array(repeating: nil, count: count))
    self.done = done
  }

  /// Records the answer for one key. Answers after the last key or the first failure.
  func take(_ result: Result<NATSRecord, StorageError>, at index: Int) {
    let all: Result<[NATSRecord], StorageError>? = found.withLock { found in
      guard var records = found else { return nil }
      do throws(StorageError) {
        records[index] = try result.get()
        let known = records.compactMap { $0 }
        found = known.count == records.count ? nil : records
        return found == nil ? .success(known) : nil
      } catch {
        found = nil
        return .failure(error)
      }
    }
    if let all { done(all) }
  }
}
