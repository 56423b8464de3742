extension Shared
where Value: RangeReplaceableCollection & RandomAccessCollection & MutableCollection {
  /// Appends an element without an id. Observers of the other elements do not run, and a save does
  /// not encode these again.
  ///
  /// ```swift
  /// $names.append("Ada")
  /// ```
  /// Under a key that loses no change, such as `.indexedDB`, the element is appended again if
  /// another program was first, as by ``update(_:fileID:line:)``.
  public func append(
    _ element: Value.Element, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    handle.change(isUpdate: true, fileID: fileID, line: line) { address, collection in
      let position = address.assumingMemoryBound(to: Value.self).pointee.count
      let append = { (address: UnsafeMutableRawPointer) in
        address.assumingMemoryBound(to: Value.self).pointee.append(element)
      }
      append(address)
      collection.record(append)
      return ElementEdit(.position(position), alias: nil, of: collection)
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
  /// $todos.append(Todo(title: "Buy milk"))
  /// ```
  /// `$todos.withLock { $0.append(…) }` has the same result, but counts as a change of all
  /// elements. Under a key that loses no change, such as `.indexedDB`, the element is appended
  /// again if another program was first, as by ``update(_:fileID:line:)``.
  public func append(
    _ element: Value.Element, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    append(made: { _ in element }, fileID: fileID, line: line)
  }

  /// Appends an element that a closure makes from the current elements.
  ///
  /// ```swift
  /// $rounds.append { rounds in Round(number: rounds.count + 1) }
  /// ```
  /// The closure may run again, as that of ``update(_:fileID:line:)``. So it must be pure: make an
  /// id before it.
  public func append(
    _ make: @escaping @Sendable (_ elements: Value) -> Value.Element,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    append(made: make, fileID: fileID, line: line)
  }

  private func append(
    made make: @escaping (_ elements: Value) -> Value.Element, fileID: StaticString, line: UInt
  ) {
    handle.change(isUpdate: true, fileID: fileID, line: line) { address, collection in
      let elements = address.assumingMemoryBound(to: Value.self)
      let position = elements.pointee.count
      let append = { (address: UnsafeMutableRawPointer) in
        let elements = address.assumingMemoryBound(to: Value.self)
        elements.pointee.append(make(elements.pointee))
      }
      append(address)
      collection.record(append)
      let id = elements.pointee[elements.pointee.index(at: position)].id
      return ElementEdit(.position(position), alias: .id(hash: id.hashValue), of: collection)
    }
  }

  /// Removes the element with an id, if there is one.
  ///
  /// ```swift
  /// $todos.remove(id: todo.id)
  /// ```
  /// Under a key that loses no change, such as `.indexedDB`, the element is removed again if
  /// another program was first.
  /// - Returns: The removed element, nil if there was none.
  @discardableResult
  public func remove(
    id: Value.Element.ID, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Value.Element? {
    var removed: Value.Element?
    handle.change(isUpdate: true, fileID: fileID, line: line) { address, collection in
      let elements = address.assumingMemoryBound(to: Value.self)
      // Also if there is none: another program may have added it, and was first.
      collection.record {
        let elements = $0.assumingMemoryBound(to: Value.self)
        guard let offset = elements.pointee.offset(of: id, near: 0) else { return }
        elements.pointee.remove(at: elements.pointee.index(at: offset))
      }
      guard let offset = collection.offset(of: id, in: elements) else { return nil }
      removed = elements.pointee.remove(at: elements.pointee.index(at: offset))
      return ElementEdit(.removed(offset), alias: .id(hash: id.hashValue), of: collection)
    }
    return removed
  }
}
