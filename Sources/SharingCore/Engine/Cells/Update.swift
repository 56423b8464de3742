/// A change that may be made again, on another value: what ``Shared/update(_:fileID:line:)`` was
/// given, and the part of the value that it changes.
package final class Update: Sendable {
  private let part: Reference
  private let body: @Sendable (UnsafeMutableRawPointer) -> Void

  init(_ part: Reference, _ body: @escaping @Sendable (UnsafeMutableRawPointer) -> Void) {
    self.part = part
    self.body = body
  }

  /// Makes the change on a copy of the value.
  /// - Returns: Whether it was made; false where the copy has no such part, such as an element
  ///   that another program has removed.
  package func apply(to copy: ValueSnapshot) -> Bool {
    guard let part = part.counterpart(in: copy.copy) else { return false }
    part.withAddress(.changing, body)
    return true
  }

  /// A copy of the value's default, to make changes on.
  package func copyOfDefault() -> ValueSnapshot {
    let cell: Cell = part.cell
    let copy = cell.copy().cell
    cell.withInitialValue { copy.swapValue(with: $0) }
    return ValueSnapshot(copy: copy, revision: 0)
  }
}

extension FreshenReason {
  /// Whether a change for this reason is of another kind than the ones before it in the turn, so
  /// that those have to be saved first: what is saved at once is either updates or none.
  func isOtherKind(than updates: [Update]?) -> Bool {
    switch self {
    case .change: updates != nil
    case .update: updates == nil
    case .event: false
    }
  }
}

extension CellPersistence {
  /// The value has been changed by a closure that may run again. The cell's lock is held.
  fileprivate func record(_ update: Update, of cell: Cell) {
    // What another thread has set and is not saved yet cannot be made again.
    guard replaysUpdates, !cell.isUnsaved || updates != nil else { return }
    updates = (updates ?? []) + [update]
  }
}

extension Handle {
  /// Changes the value by a closure that may run again (rule R24).
  @usableFromInline
  final func update(
    fileID: StaticString, line: UInt, _ body: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    change(isUpdate: true, fileID: fileID, line: line) { address, target in
      body(address)
      if target.derived?.isDetached != true {
        target.cell.persistence?.record(Update(target, body), of: target.cell)
      }
      return nil
    }
  }
}
