extension Persistence {
  /// A save that the key shall do, and who hears once how it went.
  struct Save {
    let request: SaveRequest
    let number: UInt32
    let waiting: [Completion]
  }

  /// Has the key store the value as it is.
  final func save(_ root: Root, _ save: Save) {
    guard let saver = root.lock.withLock({ saver }) else {
      return didSave(root, .nothing, save.number, save.waiting)
    }
    let continuation = ContinuationBox(
      .key(.passUnretained(self)), .save(root, number: save.number, waiting: save.waiting))
    let turn = Turn.current
    turn.withoutObserver {
      turn.whileSaving { saver(save.request, root, SaveContinuation(continuation)) }
    }
  }

  /// Takes note of how a save went, unless a later one has been answered.
  final func didSave(
    _ root: Root, _ outcome: Outcome, _ number: UInt32, _ waiting: [Completion]
  ) {
    if root.lock.withLock({ saves.end(number) }) {
      setSaveError(outcome.failure)
      // What a change has found out just now, such as a loss, its own saving does not unsay.
      if outcome.failure == nil, !isLoadErrorNew { setLoadError(nil) }
    }
    tell(outcome.completion, waiting)
  }

  /// Leaves the last change unsaved, and says so: the key makes another one in each of its saves.
  final func giveUpSaving(_ waiting: [Completion]) {
    let error = endlessSaving
    SharingEnvironment.current.report(SharingIssue(error.message))
    setSaveError(error)
    tell(.failure(error), waiting)
  }

  /// Counts a change that was made while a turn saves. The root's lock is held.
  final func countChangeInSaves(of turn: Turn) {
    if changesInSaves.turn != turn.number { changesInSaves = (turn.number, 0) }
    changesInSaves.count += 1
  }

  private func tell(_ result: Result<Void, AnyError>, _ waiting: [Completion]) {
    for done in waiting { done(result) }
  }
}

private var endlessSaving: StorageError {
  StorageError(
    .other, key: nil,
    """
    This value was changed in each of \(Turn.runLimit) saves of one turn; the last change is not \
    saved. Do not change values in a key's save, or only when they differ.
    """)
}
