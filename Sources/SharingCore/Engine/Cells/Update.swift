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

/// The changes of a value that no save has taken yet.
enum UnsavedChanges {
  case none
  /// All of them can be made again.
  case updates([Update])
  /// One of them, at least, cannot.
  case others

  /// The updates that have made the value; nil where something else has.
  var updates: [Update]? {
    if case .updates(let updates) = self { updates } else { nil }
  }
}

extension FreshenReason {
  /// Whether a change for this reason is of another kind than the ones before it in the turn, so
  /// that those have to be saved first: what is saved at once is either updates or none.
  func isOtherKind(than changes: UnsavedChanges) -> Bool {
    switch (self, changes) {
    case (.change, .updates), (.update, .others): true
    default: false
    }
  }
}

extension CellPersistence {
  /// The value is being changed by a closure that may run again. The cell's lock is held.
  fileprivate func record(_ update: Update) {
    guard replaysUpdates else { return }
    switch unsavedChanges {
    case .none: unsavedChanges = .updates([update])
    case .updates(var updates):
      unsavedChanges = .none  // so that the array is not copied
      updates.append(update)
      unsavedChanges = .updates(updates)
    case .others: break  // Another thread has set the value. Both changes are saved as a set.
    }
  }

  /// The value has been changed. A change that is no update turns all changes that are not saved
  /// into one that cannot be made again. The cell's lock is held.
  func noteKindOfChange(in scheduler: Scheduler) {
    guard replaysUpdates, let mutation = scheduler.thread.pointee.mutation,
      case .change = mutation.pointee.reason
    else { return }
    unsavedChanges = .others
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
        target.cell.persistence?.record(Update(target, body))
      }
      return nil
    }
  }
}
