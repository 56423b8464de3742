import SharingCore

// What others commit.
extension Committer {
  func receive(_ changes: StoreChanges) {
    switch changes {
    case .success(let stored): receive(stored)
    case .failure(let error): receive(error)
    }
  }

  /// Others' commits may be missed, of one key or of all.
  private func receive(_ error: StorageError) {
    for value in lock.withLock({ values }) where error.key == nil || error.key == value.name {
      value.reportStale(error)
    }
  }

  /// Hears what others have stored, or nothing: that the store is back.
  func receive(_ changes: [StoredRevision]) {
    recoverAgain()
    lock.withLock { heldChanges += changes }
    applyHeldChanges()
  }

  /// Asks whether what is pending is stored: what others have stored may have it in it.
  func resolveDoubt() {
    var keys: [KeyName] = []
    lock.withLock {
      keys = values.filter { !$0.steps.isEmpty }.map { $0.name }
      // The answer is newer than what others have told.
      heldChanges = heldChanges.filter { !isPending($0.key) }
    }
    store.load(keys, client: client) { result in
      if case .success(let snapshot) = result {
        let applied = snapshot.applied ?? self.lock.withLock { self.committedStep }
        if self.hasOthers(than: snapshot.revisions, through: applied) {
          return self.resolveDoubt()
        }
        self.accept(snapshot.revisions, through: applied)
      }
      let isKnown = self.lock.withLock {
        self.isCommitting = false
        return !self.isInDoubt
      }
      if isKnown {
        // The answer to what is still pending comes before what others have stored meanwhile.
        self.commit()
      } else {
        self.retries.start { self.commit() }
      }
    }
  }

  /// Whether steps that are stored are of other values: another program has recovered them.
  func hasOthers(than stored: [StoredRevision], through step: Int) -> Bool {
    lock.withLock {
      values.contains { value in
        guard let first = value.steps.first, first.number <= step, value.replayError == nil
        else { return false }
        return !stored.contains { $0.key == value.name }
      }
    }
  }

  /// Takes over what others have stored, as soon as it is known what of this program is in it.
  func applyHeldChanges() {
    let (mustWait, mustAsk) = lock.withLock {
      // Who has recovered a journal may have recovered what waits for that here, too.
      if isRecovering, heldChanges.contains(where: { isPending($0.key) }) { isInDoubt = true }
      defer { isCommitting = isCommitting || isInDoubt }
      let mustWait = isCommitting || isInDoubt
      return (mustWait, isInDoubt && !isCommitting)
    }
    if mustAsk { return resolveDoubt() }
    if mustWait { return }
    let recovered = lock.withLock { self.recovered }
    if let recovered { endRecovery(of: recovered) }
    takeHeldChanges()
    if recovered != nil { recoverFirst() }
  }

  /// Whether something of a value is not known to be stored. The lock is held.
  private func isPending(_ key: KeyName) -> Bool { value(named: key)?.steps.isEmpty == false }

  /// Takes over what others have stored; between two commits, not that of a value with something
  /// pending: another program may have recovered that.
  func takeHeldChanges() {
    var changes: [StoredRevision] = []
    lock.withLock { swap(&changes, &heldChanges) }
    guard !changes.isEmpty else { return }
    var (changed, replaced): ([CommittedValue], [CommittedValue]) = ([], [])
    lock.withLock {
      for stored in changes {
        if isCommitting, isRecovering || isPending(stored.key) {
          heldChanges.append(stored)
          continue
        }
        if let value = replacedValue(of: stored) { replaced.append(value) }
        guard let value = value(named: stored.key) else { continue }
        value.receive(stored)
        changed.append(value)
      }
    }
    tidyLater()
    batch {
      for value in changed where !lock.withLock({ value.isCurrent }) { value.show() }
      // In the end: what is shown after it would unsay it.
      for value in replaced { value.reportReplaced() }
    }
  }

  /// The value of which a loss is told that was not known. The lock is held.
  private func replacedValue(of copy: StoredRevision) -> CommittedValue? {
    guard let value = values.first(where: { $0.copyName("replaced") == copy.key })
    else { return nil }
    return recordCopy(copy) && hasStored ? value : nil
  }

  /// Notes the copy that was there before anything was changed here: nothing of ours is in it. The
  /// lock is held.
  func knowCopy(in snapshot: StoredSnapshot) {
    if snapshot.revisions.count > 1 { _ = recordCopy(snapshot.revisions[1]) }
  }

  /// Notes a copy. The lock is held.
  /// - Returns: Whether another program has made it, and it was not known.
  private func recordCopy(_ copy: StoredRevision) -> Bool {
    if copies[copy.key].revision >= copy.revision { return false }
    for own in ownCopies where own.key == copy.key && own.revision == copy.revision {
      return false
    }
    copies.set(copy)
    return true
  }
}
