// References to elements of a collection, by position or id.

// Inlinable, so that the search for an id is specialized for known element types: 2.6 microseconds
// among 10,000 elements instead of 184.
extension Reference {
  @inlinable
  func element<Elements>(
    in type: Elements.Type, at index: Elements.Index
  ) -> ElementReference<Elements>? {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self).pointee
      guard elements.startIndex <= index, index < elements.endIndex else { return }
      made = element(of: elements, at: elements.distance(from: elements.startIndex, to: index))
    }
    return made
  }

  /// Returns the element at an offset from the start, nil if there is none.
  @inlinable
  func element<Elements>(
    in type: Elements.Type, offset: Int
  ) -> ElementReference<Elements>? {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self).pointee
      if offset < elements.count { made = element(of: elements, at: offset) }
    }
    return made
  }

  /// Returns the element at an end of the collection, nil if that is empty.
  @inlinable
  func element<Elements>(
    in type: Elements.Type, at end: CollectionEnd
  ) -> ElementReference<Elements>? {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self).pointee
      guard let offset = end.offset(in: elements.count) else { return }
      made = element(of: elements, at: offset)
    }
    return made
  }

  @inlinable
  func element<Elements>(of elements: Elements, at offset: Int) -> ElementReference<Elements> {
    let element = elements[elements.index(at: offset)]
    return ElementReference(.position(offset), of: self, element, at: offset) { elements, _ in
      offset < elements.count ? offset : nil
    }
  }

  @inlinable
  func element<Elements>(
    in type: Elements.Type, id: Elements.Element.ID
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard let offset = offset(of: id, in: elements) else { return }
      made = identifiedElement(of: elements, at: offset, id)
    }
    return made
  }

  /// Returns the element at an index, followed by its id; nil if there is none.
  @inlinable
  func identifiedElement<Elements>(
    in type: Elements.Type, at index: Elements.Index
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard elements.pointee.startIndex <= index, index < elements.pointee.endIndex else { return }
      let offset = elements.pointee.distance(from: elements.pointee.startIndex, to: index)
      made = identifiedElement(of: elements, at: offset, elements.pointee[index].id)
    }
    return made
  }

  /// Returns the element at an end of the collection, followed by its id; nil if that is empty.
  @inlinable
  func identifiedElement<Elements>(
    in type: Elements.Type, at end: CollectionEnd
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard let offset = end.offset(in: elements.pointee.count) else { return }
      let index = elements.pointee.index(at: offset)
      made = identifiedElement(of: elements, at: offset, elements.pointee[index].id)
    }
    return made
  }

  /// Returns the element with an id, nil if there is none.
  /// - Parameter hint: Its possible offset; set to its actual one.
  @inlinable
  func element<Elements>(
    in type: Elements.Type, id: Elements.Element.ID, near hint: inout Int
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    var made: ElementReference<Elements>?
    var found = hint
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard let offset = elements.pointee.offset(of: id, near: found) else { return }
      found = offset
      made = identifiedElement(of: elements, at: offset, id)
    }
    hint = found
    return made
  }

  @inlinable
  func identifiedElement<Elements>(
    of elements: UnsafeMutablePointer<Elements>, at offset: Int, _ id: Elements.Element.ID
  ) -> ElementReference<Elements> where Elements.Element: Identifiable {
    ElementReference(
      .id(hash: id.hashValue), of: self, elements.pointee[elements.pointee.index(at: offset)],
      at: offset, idHash: Elements.idHash,
      locate: { elements, hint in elements.offset(of: id, near: hint) })
  }

  /// Returns the offset of the element with an id. The cell's lock is held, unless the value is
  /// computed.
  @inlinable
  func offset<Elements>(
    of id: Elements.Element.ID, in elements: UnsafeMutablePointer<Elements>
  ) -> Int? where Elements: RandomAccessCollection, Elements.Element: Identifiable {
    let hint = positionHint(id.hashValue)
    let offset = elements.pointee.offset(of: id, near: hint)
    if let offset {
      didFind(at: offset, hint: hint, in: elements, of: elements.pointee.count, Elements.idHash)
    }
    return offset
  }
}

/// An end of a collection.
@usableFromInline
enum CollectionEnd {
  case first, last

  /// The offset of the element there in a collection of some elements, nil if there are none.
  @usableFromInline
  func offset(in count: Int) -> Int? {
    if count == 0 { return nil }
    return self == .first ? 0 : count - 1
  }
}

extension RandomAccessCollection {
  /// Returns the index at an offset from the start.
  @inlinable
  func index(at offset: Int) -> Index {
    index(startIndex, offsetBy: offset)
  }
}

extension RandomAccessCollection where Element: Identifiable {
  /// Returns the offset of the element with an id. Usually that is the hint or next to it.
  @inlinable
  func offset(of id: Element.ID, near hint: Int) -> Int? {
    isElement(at: hint, id) ? hint : offset(of: id, aroundOrBeyond: hint)
  }

  /// Returns the offset of the element with an id if it is not at the hint.
  @inlinable
  func offset(of id: Element.ID, aroundOrBeyond hint: Int) -> Int? {
    if isElement(at: hint + 1, id) { return hint + 1 }
    if isElement(at: hint - 1, id) { return hint - 1 }
    return firstIndex { $0.id == id }.map { distance(from: startIndex, to: $0) }
  }

  @inlinable
  func isElement(at offset: Int, _ id: Element.ID) -> Bool {
    offset >= 0 && offset < count && self[index(at: offset)].id == id
  }

  /// Returns the hash of the id of the element at a position; an ``IDHash``.
  @inlinable
  static func idHash(of collection: UnsafeRawPointer, at position: Int) -> Int? {
    let elements = collection.assumingMemoryBound(to: Self.self).pointee
    guard position < elements.count else { return nil }
    return elements[elements.index(at: position)].id.hashValue
  }
}
