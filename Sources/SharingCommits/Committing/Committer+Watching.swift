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
    lock.withLock { heldChanges += changes }
    // A program that ends after its turn has committed: not another thread, a little later.
    retry(leavesSteps: true)
  }

  /// Asks the store which pending steps are stored: changes by other programs may contain them.
  func askForSteps() {
    let (keys, client) = lock.withLock {
      (values.filter { !$0.steps.isEmpty }.map { $0.name }, self.client)
    }
    store.load(keys, client: client) { result in
      switch result {
      case .success(let snapshot):
        let applied = snapshot.applied ?? self.lock.withLock { self.committedStep }
        self.accept(snapshot.revisions, through: applied)
        self.advance()
      case .failure(let error): self.fail(error, through: .max)
      }
    }
  }

  /// Whether a change by another program may contain steps that are pending here: that program may
  /// have recovered them. The lock is held.
  func mayContainSteps(_ change: StoredRevision) -> Bool {
    guard let value = value(named: change.key) else {
      // The copy of a step that was replaced comes with the value's change.
      return values.contains {
        $0.replacedName == change.key && $0.isPending && holdsChange(of: $0)
      }
    }
    return value.isPending && change.revision > value.base?.revision ?? 0
  }

  /// Takes over changes by other programs, except those that the answer to a request comes before.
  /// - Parameter isAnswered: Whether the request under way is answered.
  func takeHeldChanges(isAnswered: Bool = false) {
    var (changed, replaced): ([CommittedValue], [CommittedValue]) = ([], [])
    let changes = lock.withLock {
      var (taken, held): ([StoredRevision], [StoredRevision]) = ([], [])
      for stored in heldChanges {
        if !(machine.takesChanges || isAnswered) || mayContainSteps(stored) {
          held.append(stored)
        } else {
          taken.append(stored)
        }
      }
      heldChanges = held
      for stored in taken {
        if let value = replacedValue(of: stored) { replaced.append(value) }
        guard let value = value(named: stored.key) else { continue }
        value.receive(stored)
        changed.append(value)
      }
      return taken
    }
    if changes.isEmpty { return }
    tidyLater()
    batch {
      for value in changed where !lock.withLock({ value.isCurrent }) { value.show() }
      // At the end, since showing a value clears its error.
      for value in replaced { value.reportReplaced() }
    }
  }

  /// Whether a newer change of a value is held. The lock is held.
  func holdsChange(of value: CommittedValue) -> Bool {
    heldChanges.contains { $0.key == value.name && $0.revision > value.base?.revision ?? 0 }
  }

  /// Returns the value of a list of replaced values, if the list has a new entry of another
  /// program. The lock is held.
  private func replacedValue(of list: StoredRevision) -> CommittedValue? {
    guard let value = values.first(where: { $0.replacedName == list.key }) else { return nil }
    let known = lists[list.key]
    if known.revision >= list.revision { return nil }
    lists.set(list)
    let isNew = ReplacedList.hasNew(
      list.bytes ?? [], since: known.bytes ?? [], notOf: journal?.client ?? client)
    return isNew && hasStored ? value : nil
  }

  /// Records the list that existed before any change here; it contains none of our changes. The
  /// lock is held.
  func knowList(in snapshot: StoredSnapshot) {
    if snapshot.revisions.count > 1 { lists.set(snapshot.revisions[1]) }
  }
}
