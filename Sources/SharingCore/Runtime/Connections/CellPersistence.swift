/// The state of loading and saving a value with a connection: the pending requests, the changes to
/// save, the failures.
package final class CellPersistence: @unchecked Sendable {
  /// Receives the outcome of a load or save once.
  typealias Completion = @Sendable (Result<Void, AnyError>) -> Void

  let connection: any Connection
  /// Whether the connection can store the value.
  let canSave: Bool
  /// Held until the first load of the value ends.
  let firstLoadLock = FirstLoadLock()
  private var weakCell: WeakReference<Cell>
  /// The cell's entry in a reference table, nil before it is listed and after its end.
  var listing: (entry: ReferenceEntry, table: ReferenceTable)?
  private let lock = Lock()
  private var madeStatus: TypedCell<SharedStatus>?
  /// Whether the program requested the value before there was a wrapper of the key. The key's
  /// subscription then has that context. Set before other threads can use the cell.
  var isAskedFor = false
  /// Whether to follow the store after the first load. Guarded by the cell's lock.
  var followsAfterLoad = false
  /// Whether the key reports that it is loading.
  private var isLoadingByItself = false
  private var loadErrorTurn: UInt?
  /// Whether the status exists, or something failed. Guarded by the cell's lock, like all
  /// properties below.
  var hasStatus = false
  /// The thread that saves the value, if any.
  var savingThread: UnsafeMutablePointer<Scheduler.State>?
  /// The number of changes of the value during the saves of a turn. A change of another thread
  /// resets it.
  var changesInSaves = TurnCount()
  var saves = RequestCount()
  var loads = RequestCount()
  /// The revisions before and after the last answers to loads, if there was no other change between
  /// them. Such answers do not make a later load's answer outdated.
  var loaded: (before: UInt32, after: UInt32)?
  /// Whether a read of the store was skipped because of a pending change or a save.
  var hasSkippedRead = false
  /// The number of such reads that a turn has made up for.
  var readsAgain = TurnCount()
  var requests: [Completion] = []
  /// The changes since the last save, for a connection that replays updates.
  var unsavedChanges = UnsavedChanges.none
  /// The elements that changed after the revision ``changedSince``.
  var changedPositions = ChangedPositions.unknown
  var changedSince: UInt32 = 0
  /// The revision that a reset made. While it is the current one, nothing must be stored.
  var resetRevision: UInt32?

  /// Returns nil if the cell's key has no connection.
  init?(_ made: _SharedConnection, of cell: Cell) {
    guard let connection = made.connection else { return nil }
    weakCell = WeakReference(cell)
    self.connection = connection
    canSave = made.canSave
  }

  /// The cell, nil after its last reference is gone.
  var cell: Cell? { weakCell.object }

  /// Whether the connection replays updates.
  var replaysUpdates: Bool { connection.replaysUpdates }

  /// Detaches the cell at its end, so that nothing reaches it any more. Called from its `deinit`.
  func detach() {
    weakCell.objectGoes()
    if let listing { listing.table.remove(listing.entry) }
    listing = nil  // the entry keeps this link
    connection.unfollow(.cell(self, revision: nil))
  }

  // MARK: Status

  /// The status, without making it: nil if it was never read and nothing failed.
  var unobservedStatus: TypedCell<SharedStatus>? { lock.withLock { madeStatus } }

  /// Records whether the key reports that it is loading, and updates the status.
  func setLoadingByItself(_ isLoading: Bool) {
    lock.withLock { isLoadingByItself = isLoading }
    updateProgress()
  }

  /// Ends the loading that the key reported, because it delivered something.
  /// - Returns: Whether there is a status to update.
  func endLoadingByItself() -> Bool {
    lock.withLock {
      isLoadingByItself = false
      return madeStatus != nil
    }
  }

  /// Updates `isLoading` and `isSaving` of the status, if there is one. Repeats if another thread
  /// changes them meanwhile.
  func updateProgress() {
    while let known = unobservedStatus?.current {
      let (isLoading, isSaving) = progress
      if known.loading != isLoading {
        set(isLoading, as: status.loading)
      } else if known.saving != isSaving {
        set(isSaving, as: status.saving)
      } else {
        return
      }
    }
  }

  @inline(never)
  private func set<Part>(_ value: Part, as part: Shared<Part>) {
    part.withLock { $0 = value }
  }

  /// Whether a load is pending or reported by the key, and whether a save is pending.
  private var progress: (isLoading: Bool, isSaving: Bool) {
    guard let cell else { return (false, false) }
    let (loading, saving) = cell.lock.withLock { (loads.underWay, saves.underWay) }
    return (lock.withLock { isLoadingByItself } || loading > 0, saving > 0)
  }

  /// Whether `loadError` was set in the current turn, so that no observer could read it yet.
  var isLoadErrorNew: Bool {
    get { lock.withLock { loadErrorTurn == Scheduler.current.thread.pointee.number } }
    set {
      lock.withLock { loadErrorTurn = newValue ? Scheduler.current.thread.pointee.number : nil }
    }
  }

  /// The status of loading and saving, made at first use.
  var status: Shared<SharedStatus> {
    let cell = cell
    if let cell { Scheduler.current.checkRead(of: cell) }
    if let known = unobservedStatus { return Shared(known) }
    // Without the lock: the program may make a tracker of it (rule R7).
    let status = TypedCell(SharedStatus(loading: false, saving: false))
    status.isStatus = true
    return Shared(
      lock.withLock {
        if let madeStatus { return madeStatus }
        // Set with the counts read: a request that ends afterwards finds the status and updates it.
        let (loading, saving) =
          cell?.lock.withLock {
            hasStatus = true
            return (loads.underWay, saves.underWay)
          } ?? (0, 0)
        status.value.pointee = SharedStatus(
          loading: isLoadingByItself || loading > 0, saving: saving > 0)
        madeStatus = status
        return status
      })
  }
}

/// The status of loading and saving a value. It is itself a shared value, so that each part is
/// read, changed and observed like any other (rule R10). The names differ from `Shared`'s own
/// properties, which would take precedence in `status.isLoading`.
struct SharedStatus {
  var loading: Bool
  var saving: Bool
  var loadFailure: AnyError?
  var saveFailure: AnyError?
}

extension CellPersistence {
  /// Sets the outcome of a load: nil, or the error.
  func setLoadError(_ error: AnyError?) {
    guard error != nil || unobservedStatus?.current.loadFailure != nil else { return }
    isLoadErrorNew = error != nil
    set(error, as: status.loadFailure)
  }

  /// Whether the last save failed, so that the value is only in memory.
  var hasSaveError: Bool { unobservedStatus?.current.saveFailure != nil }

  /// Sets the outcome of a save: nil, or the error.
  func setSaveError(_ error: AnyError?) {
    guard error != nil || hasSaveError else { return }
    set(error, as: status.saveFailure)
  }
}
