/// A request to store a value. A class, so that a copy is one word.
package final class SaveRequest: Sendable {
  /// The reason for the save.
  package let context: SaveContext
  let cell: Cell
  let number: UInt32
  let waiting: [CellPersistence.Completion]
  /// A copy of the value with its revision, in a request that is kept.
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

  /// Creates a request of a key that is part of another one.
  package convenience init<Value>(
    _ value: Value, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    self.init(
      context, TypedCell(value), number: 0, waiting: [{ continuation.resume(with: $0) }])
  }

  /// Returns the request with a copy of the value, to be kept while the value may change.
  package func withSnapshot() -> SaveRequest {
    SaveRequest(
      context, cell, number: number, waiting: waiting, snapshot: cell.snapshot())
  }

  /// Calls `body` once with the address of the value and the changed elements of an array.
  package func withValue(_ body: (_ value: UnsafeRawPointer, _ changes: ChangesToSave) -> Void) {
    guard let snapshot else { return cell.withValueToSave(body) }
    let changes = cell.lock.withLock { cell.takeChanges(ofRevision: snapshot.revision) }
    snapshot.copy.withAddress(.reading) { body($0, changes) }
  }

  /// Calls `body` with the address of the default, valid during the call. Does nothing if the key
  /// is part of another one.
  package func withDefault(_ body: (UnsafeRawPointer) -> Void) {
    if cell.isKeyed { cell.withInitialValue { body($0) } }
  }

  /// Answers a kept request.
  package func answer(_ error: AnyError?) {
    if let persistence = cell.persistence { persistence.didSave(self, error) } else { tell(error) }
  }

  /// Reports a failed attempt that will be retried: sets `saveError` and calls the completions. The
  /// value stays unsaved.
  /// - Returns: The request without completions, to be answered later.
  package func postponed(_ error: AnyError) -> SaveRequest {
    cell.persistence?.setSaveError(error)
    tell(error)
    return SaveRequest(context, cell, number: number, waiting: [])
  }

  /// Calls the completions of the save.
  func tell(_ error: AnyError?) {
    for done in waiting { done(error.map { .failure($0) } ?? .success(())) }
  }
}
