/// A change that can run again on another value: the closure of ``Shared/update(_:fileID:line:)``,
/// or the added or removed element, and the part that it changes.
///
/// A value that several threads change has a key, so it and its elements are `Sendable`. So is the
/// closure of a program.
package final class Update: @unchecked Sendable {
  private let part: Reference
  private let body: (UnsafeMutableRawPointer) -> Void

  init(_ part: Reference, _ body: @escaping (UnsafeMutableRawPointer) -> Void) {
    self.part = part
    self.body = body
  }

  /// Applies the change to a copy of the value.
  /// - Returns: Whether it was applied; false if the copy has no such part, such as an element that
  ///   another program removed.
  package func apply(to copy: ValueSnapshot) -> Bool {
    guard let part = part.counterpart(in: copy.copy) else { return false }
    part.withAddress(.changing, body)
    return true
  }

  /// Returns a copy of the value's default, to apply changes to.
  package func copyOfDefault() -> ValueSnapshot {
    part.cell.copyOfDefault()
  }
}

/// The changes of a value that are not yet part of a save.
enum UnsavedChanges {
  case none
  /// All of them can run again.
  case updates([Update])
  /// At least one of them cannot run again.
  case others

  /// The updates that made the value, nil if another change did.
  var updates: [Update]? {
    if case .updates(let updates) = self { updates } else { nil }
  }
}

extension FreshenReason {
  /// Returns whether a change for this reason and the earlier ones of the turn are of different
  /// kinds. Then the earlier ones must be saved first: one save has either only updates or none.
  func isOtherKind(than changes: UnsavedChanges) -> Bool {
    switch (self, changes) {
    case (.change, .updates), (.update, .others): true
    default: false
    }
  }
}

extension CellPersistence {
  /// Records a change by a closure that can run again. The cell's lock is held.
  fileprivate func record(_ update: Update) {
    guard replaysUpdates else { return }
    switch unsavedChanges {
    case .none: unsavedChanges = .updates([update])
    case .updates(var updates):
      unsavedChanges = .none  // avoids a copy of the array
      updates.append(update)
      unsavedChanges = .updates(updates)
    case .others: break  // Another thread has set the value. Both changes are saved as a set.
    }
  }

  /// Records the kind of a change. After one that is not an update, none of the unsaved changes can
  /// run again. The cell's lock is held.
  func noteKindOfChange(in scheduler: Scheduler) {
    let reason = scheduler.thread.pointee.mutation?.pointee.reason
    if replaysUpdates, reason == .change { unsavedChanges = .others }
  }
}

extension Handle {
  /// Changes the value with a closure that may run again (rule R24).
  @usableFromInline
  final func update(
    fileID: StaticString, line: UInt, _ body: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    change(isUpdate: true, fileID: fileID, line: line) { address, target in
      body(address)
      target.record(body)
      return nil
    }
  }
}

extension Reference {
  /// Records the change that is being made as one that a closure makes again, unless it changes
  /// only the last value of a removed part. The cell's lock is held.
  final func record(_ body: @escaping (UnsafeMutableRawPointer) -> Void) {
    if derived?.isDetached != true { cell.persistence?.record(Update(self, body)) }
  }
}
