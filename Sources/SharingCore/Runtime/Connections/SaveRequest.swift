/// A request to store a value. A class, so that a copy is one word.
package final class SaveRequest: Sendable {
  /// The reason for the save.
  package let context: SaveContext
  let cell: Cell
  let number: UInt32
  let waiting: [CellPersistence.Completion]

  init(
    _ context: SaveContext, _ cell: Cell, number: UInt32, waiting: [CellPersistence.Completion]
  ) {
    self.context = context
    self.cell = cell
    self.number = number
    self.waiting = waiting
  }

  /// Creates a request of a key that is part of another one.
  package convenience init<Value>(
    _ value: Value, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    self.init(
      context, TypedCell(value), number: 0, waiting: [{ continuation.resume(with: $0) }])
  }

  /// Returns a copy of the value as it is now.
  package func copyOfValue() -> ValueToSave { cell.copyToSave() }

  /// Returns a copy of the default; nil if the key is part of another one.
  package func copyOfDefault() -> ValueSnapshot? {
    cell.isKeyed ? cell.copyOfDefault() : nil
  }

  /// Answers a kept request.
  package func answer(_ error: AnyError?) {
    if let persistence = cell.persistence {
      persistence.didSave(self, error)
    } else {
      complete(error)
    }
  }

  /// Reports a failed attempt that will be retried: sets `saveError` and calls the completions. The
  /// value stays unsaved.
  /// - Returns: The request without completions, to be answered later.
  package func postponed(_ error: AnyError) -> SaveRequest {
    cell.persistence?.setSaveError(error)
    complete(error)
    return SaveRequest(context, cell, number: number, waiting: [])
  }

  /// Calls the completions of the save.
  func complete(_ error: AnyError?) {
    for done in waiting { done(error.map { .failure($0) } ?? .success(())) }
  }
}
