extension CellPersistence {
  /// Stores the value, or removes the stored one.
  func save(_ cell: Cell, _ number: UInt32, _ context: SaveContext, isReset: Bool) {
    retainWhileSaving(cell)
    Scheduler.current.with(nil, isSaving: true) {
      // The copy ends with this call, so that a completion changes an array in place.
      let value = cell.lock.withLock { cell.takeCopy(of: self, context) }
      let receiver = Receiver.cell(self, .save(number))
      if isReset { connection.remove(value, receiver) } else { connection.save(value, receiver) }
    }
    if cell.lock.withLock({ hasStatus }) { updateProgress(of: cell) }
  }

  /// Handles the outcome of a save.
  func didSave(_ error: AnyError?, _ number: UInt32) -> Delivery {
    guard let cell else { return Delivery(revision: nil) {} }
    let scheduler = Scheduler.current
    scheduler.checkRequest(of: cell)
    let (answer, done, hasStatus) = cell.lock.withLock {
      let answer = machine.saveAnswered(number, isFailure: error != nil, in: scheduler.turn)
      return (answer, takeSaveRequests(number), self.hasStatus)
    }
    if answer.next == .scheduleEnd { batch { scheduler.scheduleSave(of: cell) } }
    if hasStatus || error != nil {
      switch answer.status {
      case .nothing: break
      case .setSaveError: setSaveError(error)
      case .clearSaveError: setSaveError(nil)
      case .clearErrors:
        setSaveError(nil)
        setLoadError(nil)
      }
    }
    if hasStatus || error != nil { updateProgress(of: cell) }
    retainWhileSaving(cell)
    return Delivery(revision: 0) { Self.complete(done, error) }
  }

  /// Reports a failed save that will be tried again, and answers its requests.
  func postpone(_ error: AnyError, _ number: UInt32) {
    guard let cell else { return }
    let done = cell.lock.withLock {
      machine.savePostponed()
      return takeSaveRequests(number)
    }
    setSaveError(error)
    Self.complete(done, error)
  }

  /// The cell's lock is held.
  private func takeSaveRequests(_ number: UInt32) -> [Completion] {
    guard let index = saveRequests.firstIndex(where: { $0.number == number }) else { return [] }
    return saveRequests.remove(at: index).done
  }

  private static func complete(_ requests: [Completion], _ error: AnyError?) {
    for done in requests { done(error.map { .failure($0) } ?? .success(())) }
  }

  /// Leaves the last change unsaved, or the store unread, and reports that: each save or read by
  /// the key leads to another one.
  func giveUp(_ requests: [Completion], isUnsaved: Bool) {
    SharingEnvironment.current.onIssue(SharingIssue(endless.advice))
    if isUnsaved { setSaveError(endless) } else { setLoadError(endless) }
    Self.complete(requests, endless)
  }
}

private var endless: StorageError {
  StorageError(
    .other, key: nil,
    """
    This value was saved or read \(Scheduler.runLimit) times in one turn, because its key has \
    changed it in each save or read. The last change is not saved, and the value may be stale. Do \
    not change a value in its key's save. In a key's refresh, yield to the subscriber of the refresh \
    only.
    """)
}
