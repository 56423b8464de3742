import SharingCore

extension CommittedValue {
  package func save(_ request: SaveRequest) -> SaveAnswer {
    batch { handOverLock.withLock { encodeAndAppend(request) } }
  }

  package func remove(_ request: SaveRequest) -> SaveAnswer {
    batch { handOverLock.withLock { append(request, nil, nil) } }
  }

  /// `handOverLock` is held.
  private func encodeAndAppend(_ request: SaveRequest) -> SaveAnswer {
    var encoded: Result<[UInt8]?, AnyError> = .success(nil)
    var (json, revision) = takeText()
    var updates: [Update]?
    request.withValue { value, changes in
      updates = changes.updates
      do throws(AnyError) {
        let changed = changes.elements(since: revision)
        encoded = .success(try coding.update(value, &json, changed))
        revision = changes.revision
      } catch {
        encoded = .failure(error)
        revision = nil
      }
    }
    lock.withLock { text = (json, revision) }
    switch encoded {
    case .success(let bytes):
      if let updates { checkPurity(of: updates, giving: bytes) }
      return append(request, updates, bytes)
    case .failure(let error):
      return .failed(StorageError.from(error, otherwise: .unencodable).of(name))
    }
  }

  /// `handOverLock` is held.
  private func append(
    _ request: SaveRequest, _ updates: [Update]?, _ bytes: [UInt8]?
  ) -> SaveAnswer {
    afterSaves { self.committer.turnEnds() }
    return committer.lock.withLock {
      let isUnchanged = updates == nil && LastKnown(bytes) == LastKnown(shown)
      if isUnchanged, steps.isEmpty, isCurrent { return .saved }
      steps.append(
        PendingStep(
          committer.openStep, updates.map { .updates($0) } ?? .set,
          from: shown, to: bytes, request))
      shown = bytes
      return .later
    }
  }
}
