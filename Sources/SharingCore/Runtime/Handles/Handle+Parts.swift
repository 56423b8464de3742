// The parts that a wrapper derives: elements by position or by id, the values of optionals.

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

// MARK: Elements

extension Handle {
  @inlinable
  final func element<Elements>(
    in type: Elements.Type, at position: Elements.Index, _ fileID: StaticString, _ line: UInt
  ) -> ElementReference<Elements> {
    if let element = reference.element(in: type, { $0.pointee.offset(of: position) }) {
      return element
    }
    let elements: Elements = value()
    refuseMissingElement(of: elements.count, fileID, line)
  }

  /// Returns the element at a position, followed by its id.
  @inlinable
  final func identifiedElement<Elements>(
    in type: Elements.Type, at position: Elements.Index, _ fileID: StaticString, _ line: UInt
  ) -> ElementReference<Elements> where Elements.Element: Identifiable {
    if let element = reference.identifiedElement(in: type, { $0.pointee.offset(of: position) }) {
      if !recordPlace(of: element) { return element }
      if let element = reference.identifiedElement(in: type, { $0.pointee.offset(of: position) }) {
        return element
      }
    }
    let elements: Elements = value()
    refuseMissingElement(of: elements.count, fileID, line)
  }

  /// Makes the running observer depend on the identity of the element at this position.
  /// - Returns: Whether to look for the element again, because another thread may have moved it
  ///   before the dependency was recorded.
  @usableFromInline
  final func recordPlace<Elements>(of element: ElementReference<Elements>) -> Bool {
    guard let observer = Scheduler.current.thread.pointee.observer else { return false }
    let identity = ElementIdentity(element.firstOffset, of: element.base, idHash: element.idHash)
    return observer._withUnsafeGuaranteedRef { $0.recordPresence(of: identity) }
  }

  /// Returns the element at an end of the collection, nil if that is empty. The running observer
  /// depends on the collection.
  @inlinable
  final func element<Elements>(
    in type: Elements.Type, at end: CollectionEnd
  ) -> ElementReference<Elements>? {
    read { _ in }
    return reference.element(in: type) { end.offset(in: $0.pointee.count) }
  }

  /// The same, followed by its id.
  @inlinable
  final func identifiedElement<Elements>(
    in type: Elements.Type, at end: CollectionEnd
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    read { _ in }
    return reference.identifiedElement(in: type) { end.offset(in: $0.pointee.count) }
  }

  @inlinable
  final func element<Elements>(
    in type: Elements.Type, id: Elements.Element.ID
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    find { base in base.identifiedElement(in: type) { base.offset(of: id, in: $0) } }
  }
}

/// Stops the program because there is no element at the position.
@usableFromInline
@inline(never)
func refuseMissingElement(of count: Int, _ fileID: StaticString, _ line: UInt) -> Never {
  SharingIssue(
    """
    There is no element at this position: the collection has \(count). Check its 'indices' first, \
    or get the element by its id: '$values[id: …]' is nil if there is none.
    """, at: CallSite(fileID: fileID, line: line)
  ).stop()
}
