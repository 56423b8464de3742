import SharingCore
import WasiStorage

// Receives commits of other programs.
extension Committer {
  func receive(_ changes: StoreChanges) {
    switch changes {
    case .success(let stored): receive(stored)
    case .failure(let error): receive(error)
    }
  }

  /// Reports that commits of other programs may be missed, of one key or of all.
  private func receive(_ error: StorageError) {
    for value in lock.withLock({ values }) where error.key == nil || error.key == value.name {
      value.reportStale(error)
    }
  }

  /// Receives changes by other programs. An empty array means that the store is available again.
  func receive(_ changes: [StoredRevision]) {
    recoverAgain()
    lock.withLock { heldChanges += changes }
    applyHeldChanges()
  }

  /// Asks the store which pending steps are stored: changes by other programs may contain them.
  func resolveDoubt() {
    var keys: [KeyName] = []
    lock.withLock {
      keys = values.filter { !$0.steps.isEmpty }.map { $0.name }
      // The store's answer is newer than these changes.
      heldChanges = heldChanges.filter { !isPending($0.key) }
    }
    store.load(keys, client: client) { result in
      if case .success(let snapshot) = result {
        let applied = snapshot.applied ?? self.lock.withLock { self.committedStep }
        if self.hasOthers(than: snapshot.revisions, through: applied) {
          return self.resolveDoubt()
        }
        self.accept(snapshot.revisions, through: applied)
        self.lock.withLock { self.state = .idle }
        // The answer to the pending steps comes before changes by other programs.
        self.commit()
      } else {
        self.lock.withLock { self.state = .doubtful }
        self.retries.start { self.commit() }
      }
    }
  }

  /// Whether stored steps belong to values that the answer lacks: another program has recovered
  /// them.
  func hasOthers(than stored: [StoredRevision], through step: Int) -> Bool {
    lock.withLock {
      values.contains { value in
        guard let first = value.steps.first, first.number <= step, value.replayError == nil
        else { return false }
        return !stored.contains { $0.key == value.name }
      }
    }
  }

  /// Takes over changes by other programs, unless a commit is under way or in doubt.
  func applyHeldChanges() {
    let (state, recovery) = lock.withLock {
      var state = self.state
      if case .idle = state, mayHaveBeenRecovered { state = .doubtful }
      if case .doubtful = state { self.state = .asking }
      return (state, self.recovery.state)
    }
    switch state {
    case .committing, .asking: return
    case .doubtful: return resolveDoubt()
    case .idle: break
    }
    guard case .stored(let steps) = recovery else { return takeHeldChanges() }
    endRecovery(of: steps)
    takeHeldChanges()
    recoverFirst()
  }

  /// Whether another program that recovered a journal may also have recovered steps that wait for
  /// it here. The lock is held.
  private var mayHaveBeenRecovered: Bool {
    recovery.isRunning && heldChanges.contains { isPending($0.key) }
  }

  /// Whether a value has steps that may not be stored. The lock is held.
  private func isPending(_ key: KeyName) -> Bool { value(named: key)?.steps.isEmpty == false }

  /// Takes over changes by other programs. Between two commits, leaves out values with pending
  /// steps, which another program may have recovered.
  func takeHeldChanges() {
    var changes: [StoredRevision] = []
    lock.withLock { swap(&changes, &heldChanges) }
    guard !changes.isEmpty else { return }
    var (changed, replaced): ([CommittedValue], [CommittedValue]) = ([], [])
    lock.withLock {
      for stored in changes {
        if isCommitting, recovery.isRunning || isPending(stored.key) {
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
      // At the end, since showing a value clears its error.
      for value in replaced { value.reportReplaced() }
    }
  }

  /// Returns the value that has lost a change, if the copy is new. The lock is held.
  private func replacedValue(of copy: StoredRevision) -> CommittedValue? {
    guard let value = values.first(where: { $0.name.copy("replaced") == copy.key })
    else { return nil }
    return copies.set(copy) && hasStored ? value : nil
  }

  /// Records the copy that existed before any change here; it contains none of our changes. The
  /// lock is held.
  func knowCopy(in snapshot: StoredSnapshot) {
    if snapshot.revisions.count > 1 { _ = copies.set(snapshot.revisions[1]) }
  }
}

/// The copies of replaced and corrupt values that a committer knows. They tell which of them are
/// new. Guarded by the committer's lock.
struct KnownCopies {
  /// The latest copies that other programs made.
  private var others = CommitRecords()
  /// The latest copies of this program, without bytes.
  private var own: [StoredRevision] = []

  /// Records a copy that this program has made.
  mutating func setOwn(_ copy: StoredRevision) {
    own.append(StoredRevision(key: copy.key, revision: copy.revision))
    if own.count > 16 { own.remove(at: 0) }
  }

  /// Records a copy.
  /// - Returns: Whether another program made the copy and it is new.
  mutating func set(_ copy: StoredRevision) -> Bool {
    if others[copy.key].revision >= copy.revision { return false }
    if own.contains(where: { $0.key == copy.key && $0.revision == copy.revision }) { return false }
    others.set(copy)
    return true
  }
}
