import SharingCore
import WasiStorage

// Requests to the server.
extension NATSStore {
  /// Gets the records of keys, one after the other.
  func get(
    _ keys: ArraySlice<KeyName>, after records: [NATSRecord] = [],
    _ done: @escaping @Sendable (Result<[NATSRecord], StorageError>) -> Void
  ) {
    guard let key = keys.first else { return done(.success(records)) }
    get(key) { result in
      switch result {
      case .success(let record): self.get(keys.dropFirst(), after: records + [record], done)
      case .failure(let error): done(.failure(error))
      }
    }
  }

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
    let why = """
      The bucket "\(server.bucket)" does not answer (\(message.status ?? 0)): create the stream \
      KV_\(server.bucket), or wait until the cluster has a leader.
      """
    return StorageError(.unavailable, key: key, UTF8Text(why))
  }
}
