extension Persistence {
  /// Has the key store the value as it is; who waits hears the outcome once.
  final func save(_ root: Root, _ request: SaveRequest, _ waiting: [Completion]) {
    guard let saver = root.lock.withLock({ saver }) else { return tell(.success(()), waiting) }
    lock.withLock { savesUnderWay += 1 }
    let continuation = ContinuationBox(nil, .save(self, waiting: waiting))
    Turn.current.withoutObserver { saver(request, root, SaveContinuation(continuation)) }
  }

  /// Takes note of how a save went.
  final func didSave(_ outcome: Outcome, _ waiting: [Completion]) {
    lock.withLock { savesUnderWay -= 1 }
    setSaveError(outcome.failure)
    // What a change has found out just now, such as a loss, its own saving does not unsay.
    if outcome.failure == nil, !isLoadErrorNew { setLoadError(nil) }
    tell(outcome.completion, waiting)
  }

  /// Leaves the last change unsaved, and says so: the key makes another one in each of its saves.
  final func giveUpSaving(_ waiting: [Completion]) {
    let error = endlessSaving
    SharingEnvironment.current.report(SharingIssue(error.message))
    setSaveError(error)
    tell(.failure(error), waiting)
  }

  private func tell(_ result: Result<Void, AnyError>, _ waiting: [Completion]) {
    for done in waiting { done(result) }
  }
}

private var endlessSaving: StorageError {
  StorageError(
    .other, key: nil,
    """
    A key has changed its own value in each of \(Turn.runLimit) saves; the last change is not \
    saved. Do not change a value in its key's save.
    """)
}
