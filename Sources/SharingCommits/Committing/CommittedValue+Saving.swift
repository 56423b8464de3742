import SharingCore
import WasiStorage

extension CommittedValue {
  package func recordChange(in turn: UInt) {
    committer.lock.withLock {
      if !unsavedTurns.contains(turn) { unsavedTurns.append(turn) }
      committer.open(turn)
    }
  }

  package func recordCopy() {
    committer.lock.withLock {
      turnsInSave = unsavedTurns
      unsavedTurns = []
    }
  }

  package func dropChanges() {
    committer.lock.withLock { unsavedTurns = [] }
  }

  package func save(_ value: ValueToSave, _ receiver: Receiver) {
    // The value may have been made from a delivered one: that delivery must end first.
    deliveryLock.withLock {}
    batch {
      openTurn()
      encodeAndAppend(value, receiver)
    }
  }

  package func remove(_ value: ValueToSave, _ receiver: Receiver) {
    batch {
      openTurn()
      let isStored = deliveryLock.withLock {
        encoded.forgetUnknownMembers()
        // This replaces a text that cannot be read.
        committer.lock.withLock { if !committer.recovery.has(name) { obstacle = nil } }
        return append(.reset, nil, receiver)
      }
      if isStored { receiver.answer(nil) }
    }
  }

  /// Opens the turn that saves. At its end, turns whose changes it saves may be complete.
  private func openTurn() {
    committer.lock.withLock { committer.open(currentTurn) }
  }

  private func encodeAndAppend(_ value: ValueToSave, _ receiver: Receiver) {
    do throws(StorageError) {
      let (bytes, updates) = try encoded.encode(value, receiver)
      if let updates { checkPurity(of: updates, giving: bytes) }
      let isStored = deliveryLock.withLock {
        append(updates.map { .updates($0) } ?? .set, bytes, receiver)
      }
      if isStored { receiver.answer(nil) }
    } catch {
      committer.lock.withLock { turnsInSave = [] }
      receiver.answer(error)
    }
  }

  /// Whether a save of the shown bytes changes nothing: the stored value has them, or is newer and
  /// is shown after this save. The committer's lock is held.
  private var isShownStored: Bool {
    switch shownState {
    case .current: true
    case .nothing, .outdated: base != nil && shown != nil && !committer.recovery.has(name)
    case .refused: false
    }
  }

  /// Adds a step to commit. `deliveryLock` is held.
  /// - Returns: Whether the bytes are stored already, so that there is no step.
  private func append(
    _ change: PendingStep.Change, _ bytes: [UInt8]?, _ receiver: Receiver
  ) -> Bool {
    committer.lock.withLock {
      let turns = turnsInSave.isEmpty ? [currentTurn] : turnsInSave
      turnsInSave = []
      let isUnchanged = !change.isUpdate && ItemContents(bytes) == ItemContents(shown)
      if isUnchanged, steps.isEmpty, isShownStored { return true }
      steps.append(PendingStep(change, by: turns, from: shown, to: bytes, receiver))
      shown = bytes
      encoded.noteWritten(bytes)
      return false
    }
  }
}
