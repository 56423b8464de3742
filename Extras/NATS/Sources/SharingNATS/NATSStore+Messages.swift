import SharingCore
import Synchronization
import WasiStorage

// Requests to the server.
extension NATSStore {
  func get(
    _ key: KeyName, tries: Int = 40,
    _ done: @escaping @Sendable (Result<NATSRecord, StorageError>) -> Void
  ) {
    let name = "$JS.API.DIRECT.GET.KV_\(server.bucket).\(NATSSubject.of(key, in: server.bucket))"
    server.connection.request(name) { result in
      switch result {
      case .failure(let error): done(.failure(error))
      case .success(let message):
        if let sequence = message.header("Nats-Sequence").flatMap({ Int64($0) }) {
          self.take(sequence, message.body, of: key, tries, done)
        } else if message.status == 404 {
          self.take(0, [], of: key, tries, done)
        } else {
          done(.failure(self.noBucket(message)))
        }
      }
    }
  }

  private func take(
    _ sequence: Int64, _ body: [UInt8], of key: KeyName, _ tries: Int,
    _ done: @escaping @Sendable (Result<NATSRecord, StorageError>) -> Void
  ) {
    var record = made(sequence, body, of: key)
    if let known = state.withLock({ $0.records[key] }), record.contradicts(known) {
      // The answer may come from a replica that is behind, for two seconds.
      if record.sequence < known.sequence, tries > 0 {
        return server.connection.callLater { self.get(key, tries: tries - 1, done) }
      }
      beginAnew(without: known, key)
      record = made(sequence, body, of: key)
    }
    // A copy in a restored bucket is no new loss.
    if remember(record, key), record.base > 0, key == self.key {
      feed.publish(.success([record.stored(key)]))
    }
    done(.success(record))
  }

  /// Answers with the new sequence; nil if the last record was not the expected one.
  func put(
    _ record: NATSRecord, _ key: KeyName, expecting last: NATSRecord?,
    _ done: @escaping @Sendable (Result<Int64?, StorageError>) -> Void
  ) {
    let header = last.map { "Nats-Expected-Last-Subject-Sequence: \($0.sequence)" } ?? ""
    server.connection.request(NATSSubject.of(key, in: server.bucket), headers: header, record.bytes)
    { result in
      switch result {
      case .failure(let error): done(.failure(error))
      case .success(let message):
        let answer = NATSAnswer(message)
        // An error has a sequence, too: 0.
        if let answer, answer.isConflict {
          if let last, let stored = answer.lastSequence, stored < last.sequence {
            self.beginAnew(without: last, key)
          }
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
