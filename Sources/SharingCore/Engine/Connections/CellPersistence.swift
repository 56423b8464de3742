/// What a value with a connection knows of loading and saving: which requests are under way, what
/// has to be saved, what has failed.
package final class CellPersistence: @unchecked Sendable {
  /// Somebody who has asked for loading or saving, and hears the outcome once.
  typealias Completion = @Sendable (Result<Void, AnyError>) -> Void

  let connection: any Connection
  /// Whether the connection can store the value.
  let canSave: Bool
  /// Closed until the value has been loaded for the first time.
  let startGate = StartGate()
  private var weakCell: WeakReference<Cell>
  /// Where the cell is listed; nil before it is, and when it goes.
  var listing: (entry: ReferenceEntry, table: ReferenceTable)?
  private let lock = Lock()
  private var madeStatus: TypedCell<SharedStatus>?
  /// Whether somebody has asked for the value before there was a wrapper of its key: then that is
  /// why the key is subscribed to. Set before others know of the cell.
  var isAskedFor = false
  /// Whether the store is followed once the value is loaded. Guarded by the cell's lock.
  var followsAfterLoad = false
  /// Whether the key has said that it is loading.
  private var isLoadingByItself = false
  private var loadErrorTurn: UInt?
  /// Whether somebody has asked for the status, or something has failed. Guarded by the cell's
  /// lock, as what follows.
  var hasStatus = false
  /// The thread that has the value saved, if one does. Guarded by the cell's lock, as what follows.
  var savingThread: UnsafeMutablePointer<Scheduler.State>?
  /// How often the value has been changed while its turn saved, and in which turn; counted anew
  /// from each change of another thread.
  var changesInSaves: (turn: UInt, count: Int) = (0, 0)
  var saves = RequestCount()
  var loads = RequestCount()
  /// The revisions before and after the last answers to loads, if nothing else has come in between:
  /// they do not stand in the way of a later load's answer.
  var loaded: (before: UInt32, after: UInt32)?
  /// Whether the store was not looked at because another thread was saving.
  var hasMissedFreshening = false
  var requests: [Completion] = []
  /// How the value was changed since it was saved, for a connection that replays updates.
  var unsavedChanges = UnsavedChanges.none
  /// Which elements have changed since the value had the revision ``changedSince``.
  var changedElements = ChangedElements.unknown
  var changedSince: UInt32 = 0
  /// The revision of the value that a reset has made: for as long as it is the current one, nothing
  /// shall be stored.
  var resetRevision: UInt32?

  /// Nil for a cell whose key has no connection.
  init?(_ made: _SharedConnection, of cell: Cell) {
    guard let connection = made.connection else { return nil }
    weakCell = WeakReference(cell)
    self.connection = connection
    canSave = made.canSave
  }

  /// The cell, as long as somebody refers to it.
  var cell: Cell? { weakCell.object }

  /// Whether the connection wants to have the updates.
  var replaysUpdates: Bool { connection.replaysUpdates }

  /// The cell goes: nothing must reach it from now on. Called from its `deinit`.
  func detach() {
    weakCell.objectGoes()
    if let listing { listing.table.remove(listing.entry) }
    listing = nil  // the entry keeps this link
    connection.unfollow()
  }

  // MARK: Status

  /// What is known, whoever asks: it is not observed. Nil while nobody has asked and nothing has
  /// failed.
  var unobservedStatus: TypedCell<SharedStatus>? { lock.withLock { madeStatus } }

  /// Notes whether the key says that it is loading, and has the status tell.
  func setLoadingByItself(_ isLoading: Bool) {
    lock.withLock { isLoadingByItself = isLoading }
    tellProgress()
  }

  /// The key has told something, and so it does not load any more.
  /// - Returns: Whether there is a status to tell of it.
  func endLoadingByItself() -> Bool {
    lock.withLock {
      isLoadingByItself = false
      return madeStatus != nil
    }
  }

  /// Has the status tell whether the value is being loaded and saved, if there is one; what another
  /// thread makes of that meanwhile, too.
  func tellProgress() {
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
  private func set(_ isUnderWay: Bool, as progress: Shared<Bool>) {
    progress.withLock { $0 = isUnderWay }
  }

  /// Whether a load is under way, or the key says so, and whether a save is.
  private var progress: (isLoading: Bool, isSaving: Bool) {
    guard let cell else { return (false, false) }
    let (loading, saving) = cell.lock.withLock { (loads.underWay, saves.underWay) }
    return (lock.withLock { isLoadingByItself } || loading > 0, saving > 0)
  }

  /// Whether `loadError` has been set in the turn under way: then nobody has had the time to see
  /// it.
  var isLoadErrorNew: Bool {
    get { lock.withLock { loadErrorTurn == Scheduler.current.thread.pointee.number } }
    set {
      lock.withLock { loadErrorTurn = newValue ? Scheduler.current.thread.pointee.number : nil }
    }
  }

  /// What is known of loading and saving, made when first asked for.
  var status: Shared<SharedStatus> {
    let cell = cell
    return Shared(
      lock.withLock {
        if let madeStatus { return madeStatus }
        // At once: who ends a request after that finds the status, and tells it.
        let (loading, saving) =
          cell?.lock.withLock {
            hasStatus = true
            return (loads.underWay, saves.underWay)
          } ?? (0, 0)
        let status = TypedCell(
          SharedStatus(loading: isLoadingByItself || loading > 0, saving: saving > 0))
        status.isStatus = true
        madeStatus = status
        return status
      })
  }
}
