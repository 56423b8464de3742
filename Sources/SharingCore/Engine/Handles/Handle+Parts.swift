// Parts of a value that can go away: elements by their id, the values of optionals.

extension Handle {
  /// Looks for a part that may not be there: an element by its id, the value of an optional. The
  /// observer that is running comes to depend on whether it is.
  @inlinable
  final func find<Part: Reference>(_ look: (Reference) -> Part?) -> Part? {
    if let found = look(reference) {
      if !recordPresenceOf(of: found) || look(reference) != nil { return found }
    }
    return recordAbsence() ? look(reference) : nil
  }

  /// - Returns: Whether the part has to be looked for again: another thread may have taken it away
  ///   before the running observer was noted.
  @usableFromInline
  final func recordPresenceOf(of part: Reference) -> Bool {
    Scheduler.current.thread.pointee.observer?._withUnsafeGuaranteedRef {
      $0.recordPresence(of: part)
    }
      ?? false
  }

  /// - Returns: The same, for a part that another thread may have put there.
  @usableFromInline
  final func recordAbsence() -> Bool {
    read { _ in }
    return Scheduler.current.thread.pointee.observer != nil
  }
}
