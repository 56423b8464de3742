extension CellPersistence {
  /// Stores the value, or removes the stored one.
  func save(_ request: SaveRequest, isReset: Bool) {
    let scheduler = Scheduler.current
    let answer = scheduler.with(nil, isSaving: true) {
      // The copy ends with this call, so that a completion changes an array in place.
      let value = request.cell.copyToSave()
      return isReset ? connection.remove(value, request) : connection.save(value, request)
    }
    switch answer {
    case .saved: didSave(request, nil)
    case .failed(let error): didSave(request, error)
    case .later: updateProgress()
    }
  }

  /// Handles the outcome of a save. If a later save was answered before, the status stays.
  func didSave(_ request: SaveRequest, _ error: AnyError?) {
    Scheduler.current.checkRequest(of: request.cell)
    let (isLast, hasStatus) = request.cell.lock.withLock {
      (saves.end(request.number), self.hasStatus)
    }
    if isLast, hasStatus || error != nil {
      setSaveError(error)
      // Keeps a load error of this turn, such as a loss: its own save must not clear it.
      if error == nil, !isLoadErrorNew { setLoadError(nil) }
    }
    if hasStatus { updateProgress() }
    if !request.waiting.isEmpty { request.complete(error) }
  }

  /// Leaves the last change unsaved and reports that: each save by the key makes another change.
  func giveUpSaving(_ waiting: [Completion]) {
    let error = endlessSaving
    SharingEnvironment.current.report(SharingIssue(error.message))
    setSaveError(error)
    for done in waiting { done(.failure(error)) }
  }

  /// Counts a change during the saves of a turn. The cell's lock is held.
  func countChangeInSaves(of scheduler: Scheduler) {
    if changesInSaves.turn != scheduler.thread.pointee.number {
      changesInSaves = (scheduler.thread.pointee.number, 0)
    }
    changesInSaves.count += 1
  }
}

private var endlessSaving: StorageError {
  StorageError(
    .other, key: nil,
    """
    This value was changed in each of \(Scheduler.runLimit) saves of one turn; the last change is not \
    saved. Do not change a value in a key's save, or change it only if the new value differs.
    """)
}
