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
    SharingEnvironment.current.onIssue(SharingIssue(error.message))
    setSaveError(error)
    for done in waiting { done(.failure(error)) }
  }

  /// Leaves the store unread and reports that: each read leads to another one.
  func giveUpReading() {
    SharingEnvironment.current.onIssue(SharingIssue(endlessReads.message))
    setLoadError(endlessReads)
  }
}

private var endlessReads: StorageError {
  StorageError(
    .other, key: nil,
    """
    This value was read \(Scheduler.runLimit) times in one turn, because its key has changed it in \
    each read; the value may be stale. In a key's refresh, yield to the subscriber of the refresh \
    only.
    """)
}

private var endlessSaving: StorageError {
  StorageError(
    .other, key: nil,
    """
    This value was changed in each of \(Scheduler.runLimit) saves of one turn; the last change is \
    not saved. Do not change a value in a key's save, or change it only if the new value differs.
    """)
}
