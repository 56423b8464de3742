extension Shared
where Value: RangeReplaceableCollection & RandomAccessCollection & MutableCollection {
  /// Appends an element without an id. Observers of the other elements do not run, and a save does
  /// not encode these again.
  ///
  /// ```swift
  /// $names.append("Ada")
  /// ```
  public func append(
    _ element: Value.Element, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    handle.change(fileID: fileID, line: line) { address, collection in
      let elements = address.assumingMemoryBound(to: Value.self)
      let place = PathComponent.position(elements.pointee.count)
      elements.pointee.append(element)
      return ElementEdit(place, alias: nil, of: collection)
    }
  }
}

extension Shared
where
  Value: RangeReplaceableCollection & RandomAccessCollection & MutableCollection,
  Value.Element: Identifiable
{
  /// Appends an element. Observers of the other elements do not run, and a save does not encode
  /// these again.
  ///
  /// ```swift
  /// $todos.append(Todo(id: 3, title: "Buy milk"))
  /// ```
  /// `$todos.withLock { $0.append(…) }` has the same result, but counts as a change of all
  /// elements.
  public func append(
    _ element: Value.Element, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    append({ _ in element }, fileID: fileID, line: line)
  }

  /// Appends an element that a closure makes from the current elements, such as from the highest
  /// id.
  ///
  /// ```swift
  /// $todos.append { todos in Todo(id: (todos.last?.id ?? 0) + 1, title: "Buy milk") }
  /// ```
  public func append(
    _ make: (_ elements: Value) -> Value.Element,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    handle.change(fileID: fileID, line: line) { address, collection in
      let elements = address.assumingMemoryBound(to: Value.self)
      let place = PathComponent.position(elements.pointee.count)
      let element = make(elements.pointee)
      elements.pointee.append(element)
      return ElementEdit(place, alias: .id(hash: element.id.hashValue), of: collection)
    }
  }

  /// Removes the element with an id, if there is one.
  ///
  /// ```swift
  /// $todos.remove(id: 3)
  /// ```
  /// - Returns: The removed element, nil if there was none.
  @discardableResult
  public func remove(
    id: Value.Element.ID, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Value.Element? {
    var removed: Value.Element?
    handle.change(fileID: fileID, line: line) { address, collection in
      let elements = address.assumingMemoryBound(to: Value.self)
      guard let offset = collection.offset(of: id, in: elements) else { return nil }
      removed = elements.pointee.remove(at: elements.pointee.index(at: offset))
      return ElementEdit(.removed(offset), alias: .id(hash: id.hashValue), of: collection)
    }
    return removed
  }
}
