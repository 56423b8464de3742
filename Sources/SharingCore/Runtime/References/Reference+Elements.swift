// References to elements of a collection, by position or id.

// Inlinable, so that the search for an id is specialized for known element types: 2.6 microseconds
// among 10,000 elements instead of 184.
extension Reference {
  /// Returns the element at an offset from the start, nil if there is none.
  /// - Parameter find: Returns the offset; called with the cell's lock held, unless the value is
  ///   computed.
  @inlinable
  func element<Elements>(
    in type: Elements.Type, _ find: (UnsafeMutablePointer<Elements>) -> Int?
  ) -> ElementReference<Elements>? {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard let offset = find(elements) else { return }
      let element = elements.pointee[elements.pointee.index(at: offset)]
      made = ElementReference(.position(offset), of: self, element, at: offset) { elements, _ in
        offset < elements.count ? offset : nil
      }
    }
    return made
  }

  /// The same, followed by its id.
  @inlinable
  func identifiedElement<Elements>(
    in type: Elements.Type, _ find: (UnsafeMutablePointer<Elements>) -> Int?
  ) -> ElementReference<Elements>? where Elements.Element: Identifiable {
    var made: ElementReference<Elements>?
    read { address in
      let elements = address.assumingMemoryBound(to: Elements.self)
      guard let offset = find(elements) else { return }
      let index = elements.pointee.index(at: offset)
      let id = elements.pointee[index].id
      made = ElementReference(
        .id(hash: id.hashValue), of: self, elements.pointee[index], at: offset,
        idHash: Elements.idHash, locate: { elements, hint in elements.offset(of: id, near: hint) })
    }
    return made
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

  /// Returns the offset of an index, nil if there is no element.
  @inlinable
  func offset(of index: Index) -> Int? {
    guard startIndex <= index, index < endIndex else { return nil }
    return distance(from: startIndex, to: index)
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
