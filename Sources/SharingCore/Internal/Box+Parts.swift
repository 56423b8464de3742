// Parts of a value that can go away: elements by their id, the values of optionals.

extension Box {
  /// Looks for a part that may not be there: an element by its id, the value of an optional. The
  /// observer that is running comes to depend on whether it is.
  @inlinable
  final func find<Part: Reference>(_ look: (Reference) -> Part?) -> Part? {
    if let found = look(reference) {
      if !notePresence(of: found) || look(reference) != nil { return found }
    }
    return noteAbsence() ? look(reference) : nil
  }

  /// - Returns: Whether the part has to be looked for again: another thread may have taken it away
  ///   before the running observer was noted.
  @usableFromInline
  final func notePresence(of part: Reference) -> Bool {
    Turn.current.observer?._withUnsafeGuaranteedRef { $0.recordPresence(of: part) } ?? false
  }

  /// - Returns: The same, for a part that another thread may have put there.
  @usableFromInline
  final func noteAbsence() -> Bool {
    read { _ in }
    return Turn.current.observer != nil
  }
}
