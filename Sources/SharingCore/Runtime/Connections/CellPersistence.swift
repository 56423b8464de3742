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
  /// Whether the program requested the value before there was a wrapper of the key. The key's
  /// subscription then has that context. Set before other threads can use the cell.
  var isAskedFor = false
  /// The loads and saves under way. Guarded by the cell's lock, like all properties below.
  var machine: PersistenceMachine
  private var madeStatus: TypedCell<SharedStatus>?
  /// The completions of the loads under way.
  var loadRequests: [(number: UInt32, done: LoadCompletion)] = []
  /// The completions of the next save.
  var requests: [Completion] = []
  /// Those of the saves under way.
  var saveRequests: [(number: UInt32, done: [Completion])] = []
  /// The cell while it is saving, so that new wrappers of the key find the value.
  private var savingCell: Cell?
  /// The changes since the last save, for a connection that replays updates.
  var unsavedChanges = UnsavedChanges.none
  /// The changes of elements after the revision ``changedSince``.
  var elementChanges = ElementChanges.anything
  var changedSince: UInt32 = 0

  /// Returns nil if the cell's key has no connection.
  init?(_ made: _SharedConnection, of cell: Cell) {
    guard let connection = made.connection else { return nil }
    weakCell = WeakReference(cell)
    self.connection = connection
    canSave = made.canSave
    machine = PersistenceMachine(connection.rules)
  }

  /// The cell, nil after its last reference is gone.
  var cell: Cell? { weakCell.object }

  /// Whether the connection replays updates.
  var replaysUpdates: Bool { machine.rules.replaysUpdates }

  /// Retains the cell if it is saving, else no longer. The caller retains it.
  func retainWhileSaving(_ cell: Cell) {
    let former = cell.lock.withLock {
      defer { savingCell = machine.isSaving ? cell : nil }
      return savingCell
    }
    _ = former  // released without the lock
  }

  /// Detaches the cell at its end, so that nothing reaches it any more. Called from its `deinit`.
  func detach() {
    weakCell.objectGoes()
    if let listing { listing.table.remove(listing.entry) }
    listing = nil  // the entry keeps this link
    connection.unfollow(.cell(self, .yield))
  }

  // MARK: Status

  /// Whether the status exists. The cell's lock is held.
  var hasStatus: Bool { madeStatus != nil }

  /// The status, without making it: nil if it was never read and nothing failed.
  var unobservedStatus: TypedCell<SharedStatus>? { cell?.lock.withLock { madeStatus } }

  /// Records whether the key reports that it is loading, and updates the status.
  func setLoadingByItself(_ isLoading: Bool) {
    guard let cell else { return }
    cell.lock.withLock { machine.loadsByItself(isLoading) }
    updateProgress(of: cell)
  }

  /// Updates `isLoading` and `isSaving` of the status, if there is one. Repeats if another thread
  /// changes them meanwhile.
  func updateProgress(of cell: Cell) {
    while let known = cell.lock.withLock({ madeStatus })?.current {
      let (isLoading, isSaving) = cell.lock.withLock { (machine.isLoading, machine.isSaving) }
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

  /// The status of loading and saving, made at first use.
  var status: Shared<SharedStatus> {
    if let cell { Scheduler.current.checkRead(of: cell) }
    if let known = unobservedStatus { return Shared(known) }
    // Without the lock: the program may make a tracker of it (rule R7).
    let status = TypedCell(SharedStatus(loading: false, saving: false))
    status.isStatus = true
    guard let cell else { return Shared(status) }
    return Shared(
      cell.lock.withLock {
        if let madeStatus { return madeStatus }
        status.value.pointee = SharedStatus(
          loading: machine.isLoading, saving: machine.isSaving)
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
    set(error, as: status.loadFailure)
  }

  /// Sets the outcome of a save: nil, or the error.
  func setSaveError(_ error: AnyError?) {
    guard error != nil || unobservedStatus?.current.saveFailure != nil else { return }
    set(error, as: status.saveFailure)
  }
}
