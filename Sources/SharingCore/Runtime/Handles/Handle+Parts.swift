// Parts of a value that can be removed: elements by id, the values of optionals.

extension Handle {
  /// Finds a part that may not exist: an element by its id, the value of an optional. The running
  /// observer depends on whether it exists.
  @inlinable
  final func find<Part: Reference>(_ look: (Reference) -> Part?) -> Part? {
    if let found = look(reference) {
      if !recordPresenceOf(of: found) || look(reference) != nil { return found }
    }
    return recordAbsence() ? look(reference) : nil
  }

  /// Makes the running observer depend on the presence of a part.
  /// - Returns: Whether to look for the part again, because another thread may have removed it
  ///   before the dependency was recorded.
  @usableFromInline
  final func recordPresenceOf(of part: Reference) -> Bool {
    Scheduler.current.thread.pointee.observer?._withUnsafeGuaranteedRef {
      $0.recordPresence(of: part)
    }
      ?? false
  }

  /// Makes the running observer depend on the absence of a part.
  /// - Returns: Whether to look for the part again, because another thread may have added it.
  @usableFromInline
  final func recordAbsence() -> Bool {
    read { _ in }
    return Scheduler.current.thread.pointee.observer != nil
  }
}
