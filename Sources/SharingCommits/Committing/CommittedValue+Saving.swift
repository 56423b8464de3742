import SharingCore
import WasiStorage

extension CommittedValue {
  package func noteChange(in turn: UInt) {
    committer.lock.withLock {
      if !unsavedTurns.contains(turn) { unsavedTurns.append(turn) }
      committer.open(turn)
    }
  }

  package func noteCopy() {
    committer.lock.withLock {
      turnsInSave = unsavedTurns
      unsavedTurns = []
    }
  }

  package func dropChanges() {
    committer.lock.withLock { unsavedTurns = [] }
  }

  package func save(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    // The value may have been made from a delivered one: that delivery must end first.
    deliveryLock.withLock {}
    return batch {
      openTurn()
      return encodeAndAppend(value, request)
    }
  }

  package func remove(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    batch {
      openTurn()
      return deliveryLock.withLock {
        encoded.forgetUnknownMembers()
        return append(request, nil, nil)
      }
    }
  }

  /// Opens the turn that saves. At its end, turns whose changes it saves may be complete.
  private func openTurn() {
    committer.lock.withLock { committer.open(currentTurn) }
  }

  private func encodeAndAppend(_ value: ValueToSave, _ request: SaveRequest) -> SaveAnswer {
    do throws(StorageError) {
      let (bytes, updates) = try encoded.encode(value, request)
      if let updates { checkPurity(of: updates, giving: bytes) }
      return deliveryLock.withLock { append(request, updates, bytes) }
    } catch {
      committer.lock.withLock { turnsInSave = [] }
      return .failed(error)
    }
  }

  /// Whether a save of the shown bytes changes nothing: the stored value has them, or is newer and
  /// is shown after this save. The committer's lock is held.
  private var isShownStored: Bool {
    switch shownState {
    case .current: true
    case .outdated: base != nil && shown != nil && !committer.recovery.isRunning
    case .refused: false
    }
  }

  /// `deliveryLock` is held.
  private func append(
    _ request: SaveRequest, _ updates: [Update]?, _ bytes: [UInt8]?
  ) -> SaveAnswer {
    committer.lock.withLock {
      let turns = turnsInSave.isEmpty ? [currentTurn] : turnsInSave
      turnsInSave = []
      let isUnchanged = updates == nil && ItemContents(bytes) == ItemContents(shown)
      if isUnchanged, steps.isEmpty, isShownStored { return .saved }
      steps.append(
        PendingStep(
          updates.map { .updates($0) } ?? .set, by: turns, from: shown, to: bytes, request))
      shown = bytes
      encoded.noteWritten(bytes)
      return .later
    }
  }
}
