import SharingCore
import WasiStorage

// Shows the result of the stored value and the pending steps.
extension CommittedValue {
  /// Receives a value that another program has stored. The committer's lock is held.
  func receive(_ change: StoredRevision) {
    if mayBeStale { outdate() }
    if let base, change.revision <= base.revision { return }
    if ItemContents(change.bytes) != ItemContents(base?.bytes) { outdate() }
    base = change
  }

  /// Shows the result of the steps on the stored value. If the cell has an unsaved change, shows it
  /// after the save.
  func show() {
    let (base, recovery, steps, version) = committer.lock.withLock {
      (mustWait ? nil : self.base, committer.recovery, self.steps, self.version)
    }
    // Without a loaded value, the browser's copy may be shown.
    guard let base else { return reportUnreadable() }
    let journaled = journaled(base, recovery)
    guard let receiver = committer.lock.withLock({ follower })?.readable() else { return }
    show(journaled, steps, version, to: receiver)
  }

  /// Whether the value stays as it is shown: it may contain journaled steps that are not stored
  /// yet, or a change is held that may contain steps of this program. The committer's lock is held.
  private var mustWait: Bool {
    shownState != .nothing && committer.recovery.has(name) || committer.holdsChange(of: self)
  }

  /// Returns a stored value with the journal entries of other programs applied.
  func journaled(_ stored: StoredRevision, _ recovery: Recovery) -> StoredRevision {
    guard recovery.isRunning else { return stored }
    let text = recovery.text(stored.bytes, of: name, encoded)
    return StoredRevision(
      key: name, revision: stored.revision, bytes: text?.isEmpty ?? true ? nil : text)
  }

  private func show(
    _ base: StoredRevision, _ steps: [PendingStep], _ version: UInt32, to receiver: Receiver
  ) {
    batch {
      do throws(StorageError) {
        let replay = try replay(steps, over: base)
        if let corruption = replay.corruption { throw corruptError(corruption) }
        if !confirm(replay, steps, version, to: receiver) {
          deliver(replay, steps, version, to: receiver)
        }
        reportUnreadable()
      } catch {
        receiver.receive(.failure(error))
      }
    }
  }

  /// Reports that the stored value cannot be read, if changes that wait are shown in its place.
  func reportUnreadable() {
    let (base, follower) = committer.lock.withLock {
      (committer.recovery.has(name) ? self.base : nil, self.follower)
    }
    guard let base, let follower else { return }
    do throws(StorageError) {
      let replay = try replay([], over: base)
      if let corruption = replay.corruption { throw corruptError(corruption) }
    } catch {
      follower.receive(.failure(error))
    }
  }

  /// Reports that the shown value may be stale.
  func reportStale(_ error: StorageError) {
    let follower = committer.lock.withLock {
      mayBeStale = true
      return self.follower
    }
    follower?.receive(.failure(error.of(name)))
  }

  /// Reports that another program's commit has replaced a change of this one. If this program
  /// cannot read the stored value, `loadError` says that: a newer release shows the replaced value.
  func reportReplaced() {
    let (base, follower) = committer.lock.withLock { (self.base, self.follower) }
    guard (try? replay([], over: base)) != nil else { return }
    let error = StorageError(
      .replaced, key: name, "The replaced value is kept under \"\(replacedName)\".")
    follower?.receive(.failure(error))
  }

  func corruptError(_ cause: StorageError) -> StorageError {
    StorageError(
      cause.reason, key: name,
      "The next change copies it to \"\(name.copy("corrupt"))\". \(cause.advice)",
      ErrorCause(cause))
  }

  /// Reads a text that is not the result of steps, and calls `receive` with the value.
  /// - Returns: Whether the cell took the value.
  func read(_ text: [UInt8]?, _ receive: (Outcome) -> Bool) -> Bool {
    var isTaken = false
    var json = _EncodedJSON()
    if let text {
      try? coding.read(text, &json) { isTaken = receive(.value($0)) }
    } else {
      isTaken = receive(.nothing)
    }
    if isTaken { encoded.noteUnknownMembers(in: text ?? [], hasSome: json.mayHaveUnknownMembers) }
    return isTaken
  }

  /// Records that the value in memory is the result of the steps, if it has their text; then no
  /// observer has to run.
  private func confirm(
    _ replay: Replay, _ steps: [PendingStep], _ version: UInt32, to receiver: Receiver
  ) -> Bool {
    deliveryLock.withLock {
      guard isShown(replay.text) else { return false }
      if committer.lock.withLock({ mayBeStale }) { receiver.endFailure() }
      didShow(replay, steps, version)
      return true
    }
  }

  private func deliver(
    _ replay: Replay, _ steps: [PendingStep], _ version: UInt32, to receiver: Receiver
  ) {
    guard let text = replay.text,
      let changeElements = encoded.prepareElements(of: text, for: receiver)
    else {
      _ = deliver(replay, steps, version) { receiver.deliver($0) }
      return
    }
    deliveryLock.withLock { if changeElements() { didShow(replay, steps, version) } }
  }

  /// Decodes the result of the steps and delivers it.
  /// - Parameter receive: Delivers the value to the cell.
  /// - Returns: Whether the cell took the value. It does not if it has an unsaved change.
  func deliver(
    _ replay: Replay, _ steps: [PendingStep], _ version: UInt32,
    _ receive: (Outcome) -> Delivery
  ) -> Bool {
    var delivery: Delivery?
    func deliver(_ outcome: Outcome) {
      delivery = deliveryLock.withLock {
        let delivery = receive(outcome)
        if delivery.revision != nil {
          encoded.noteUnknownMembers(in: replay.text ?? [], hasSome: replay.resultHasUnknownMembers)
          didShow(replay, steps, version)
        }
        return delivery
      }
    }
    if let text = replay.text {
      try? coding.decode(text) { deliver(.value($0)) }
    } else {
      deliver(.nothing)
    }
    delivery?.complete()
    return delivery?.revision != nil
  }

  /// Whether the value in memory has this text; then no observer has to run.
  private func isShown(_ text: [UInt8]?) -> Bool {
    committer.lock.withLock {
      ItemContents(text ?? defaultText.bytes) == ItemContents(shown ?? defaultText.bytes)
    }
  }

  func replay(
    _ steps: [PendingStep], over stored: StoredRevision?
  ) throws(StorageError) -> Replay {
    do throws(StorageError) {
      let replay = try Replay(
        steps, over: stored, or: committer.lock.withLock { defaultText }, encoded)
      committer.lock.withLock { if !committer.recovery.has(name) { obstacle = nil } }
      return replay
    } catch {
      let error = error.of(name)
      if error.reason.isOfOtherRelease { committer.lock.withLock { obstacle = error } }
      throw error
    }
  }

  /// Records that the value in memory is the result of these steps on the base, as both were at a
  /// version.
  func didShow(_ replay: Replay, _ shownSteps: [PendingStep], _ shownVersion: UInt32) {
    committer.lock.withLock {
      var before = replay.start
      for (step, after) in zip(shownSteps, replay.texts) {
        step.moved(from: before, to: after)
        before = after
      }
      hasLoss = replay.loss != nil
      shown = replay.text
      let isCurrent = version == shownVersion && !committer.recovery.has(name)
      shownState = isCurrent ? .current : .outdated
      mayBeStale = false
    }
  }
}
