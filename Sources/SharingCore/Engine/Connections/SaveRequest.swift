/// A request to store a value. A class, since whoever keeps one then copies one word.
package final class SaveRequest: Sendable {
  /// Why it is stored.
  package let context: SaveContext
  let cell: Cell
  let number: UInt32
  let waiting: [CellPersistence.Completion]
  /// A copy of the value, of a request that is kept, and the revision that it had.
  private let snapshot: ValueSnapshot?

  init(
    _ context: SaveContext, _ cell: Cell, number: UInt32, waiting: [CellPersistence.Completion],
    snapshot: ValueSnapshot? = nil
  ) {
    self.context = context
    self.cell = cell
    self.number = number
    self.waiting = waiting
    self.snapshot = snapshot
  }

  /// A request of a key that is part of another one.
  package convenience init<Value>(
    _ value: Value, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    self.init(
      context, TypedCell(value), number: 0, waiting: [{ continuation.resume(with: $0) }])
  }

  /// The request with a copy of the value, to be kept: the value may change meanwhile.
  package func withSnapshot() -> SaveRequest {
    SaveRequest(
      context, cell, number: number, waiting: waiting, snapshot: cell.snapshot())
  }

  /// Calls `body` once with the address of the value, and with the elements of an array that have
  /// changed.
  package func withValue(_ body: (_ value: UnsafeRawPointer, _ changes: ChangesToSave) -> Void) {
    guard let snapshot else { return cell.withValueToSave(body) }
    let changes = cell.lock.withLock { cell.takeChanges(ofRevision: snapshot.revision) }
    snapshot.copy.withAddress(.reading) { body($0, changes) }
  }

  /// Calls `body` with the address of the default, valid during the call. Does nothing for a key
  /// that is part of another one.
  package func withDefault(_ body: (UnsafeRawPointer) -> Void) {
    if cell.isKeyed { cell.withInitialValue { body($0) } }
  }

  /// Answers a request that was kept.
  package func answer(_ error: AnyError?) {
    if let persistence = cell.persistence { persistence.didSave(self, error) } else { tell(error) }
  }

  /// Tells of a failure after which it is tried again: whoever waits hears of it, and the value is
  /// not saved yet.
  /// - Returns: The request, to be answered when it is known.
  package func postponed(_ error: AnyError) -> SaveRequest {
    cell.persistence?.setSaveError(error)
    tell(error)
    return SaveRequest(context, cell, number: number, waiting: [])
  }

  /// Tells whoever has asked for the save.
  func tell(_ error: AnyError?) {
    for done in waiting { done(error.map { .failure($0) } ?? .success(())) }
  }
}
