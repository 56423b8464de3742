// Elements of a shared collection by their positions. That it is a collection of shared elements is
// said in Platform/ElementCollections.swift.

extension Shared where Value: RandomAccessCollection & MutableCollection {
  /// The element at a position, shared; it stands for its position, since it has no id.
  ///
  /// What comes to stand there is what it reads and writes. One whose position is gone keeps the
  /// last value that it has seen.
  /// - Parameter position: A position of an element; another one stops the program, with a message
  ///   that names the place, as it does for the collection itself.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Shared<Value.Element> {
    Shared<Value.Element>(handle.element(in: Value.self, at: position, fileID, line))
  }
}

extension SharedReader where Value: RandomAccessCollection & MutableCollection {
  /// The element at a position, to be read; see ``Shared``'s.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> SharedReader<Value.Element> {
    SharedReader<Value.Element>(handle.element(in: Value.self, at: position, fileID, line))
  }
}

extension Shared
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The element at a position, shared.
  ///
  /// ```swift
  /// let first = $todos[0]
  /// ```
  /// From then on it follows the element by its id, wherever that moves, as `$todos[id:]` does. In
  /// an observer it is found anew in each run, which comes when another element stands there.
  /// - Parameter position: A position of an element; another one stops the program, with a message
  ///   that names the place, as it does for the collection itself.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Shared<Value.Element> {
    Shared<Value.Element>(handle.identifiedElement(in: Value.self, at: position, fileID, line))
  }
}

extension SharedReader
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The element at a position, to be read; see ``Shared``'s.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> SharedReader<Value.Element> {
    SharedReader<Value.Element>(
      handle.identifiedElement(in: Value.self, at: position, fileID, line))
  }
}

extension Shared
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The collection of elements, which the wrapper itself is.
  public var elements: Self { self }
}

extension SharedReader
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The collection of elements, which the wrapper itself is.
  public var elements: Self { self }
}

extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
  /// The positions of the elements.
  public var indices: Value.Indices { wrappedValue.indices }

  /// The position of the first element.
  public var startIndex: Value.Index { wrappedValue.startIndex }

  /// The position behind the last element.
  public var endIndex: Value.Index { wrappedValue.endIndex }

  /// The position behind another one.
  public func index(after index: Value.Index) -> Value.Index {
    wrappedValue.index(after: index)
  }

  /// The position before another one.
  public func index(before index: Value.Index) -> Value.Index {
    wrappedValue.index(before: index)
  }
}

// The standard library asks a collection for its count first, and stops when it turns out to be
// wrong: here elements may go meanwhile.
extension SharedReadable
where Self: Collection, Value: RandomAccessCollection & MutableCollection {
  /// What a closure makes of each element.
  ///
  /// ```swift
  /// let titles = $todos.map { $0.title }  // [Shared<String>]
  /// ```
  /// - Throws: What the closure throws.
  public func map<Output, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    var outputs: [Output] = []
    var elements = makeIterator()
    while let element = elements.next() { outputs.append(try transform(element)) }
    return outputs
  }

  /// The elements, for `Array($todos)`.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var copies = ContiguousArray<Element>()
    var elements = makeIterator()
    while let element = elements.next() { copies.append(element) }
    return copies
  }
}

extension Shared
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The element with an id, shared; nil when there is none.
  ///
  /// ```swift
  /// $todos[id: 3]?.isCompleted.withLock { $0 = true }
  /// ```
  /// It follows the element wherever it moves. An id is an identity: an element that is given
  /// another id is another element. Where several have one id, this is the first of them, and one
  /// that was handed out by its position or in a loop is the one that stands where it stood, or
  /// next to that. When the element is removed, this keeps the last
  /// value that it has seen; what is written then goes there only, and the element does not come
  /// back.
  @inlinable
  public subscript(id id: Value.Element.ID) -> Shared<Value.Element>? {
    handle.element(in: Value.self, id: id).map { Shared<Value.Element>($0) }
  }
}

extension SharedReader
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The element with an id, to be read; nil when there is none.
  @inlinable
  public subscript(id id: Value.Element.ID) -> SharedReader<Value.Element>? {
    handle.element(in: Value.self, id: id).map { SharedReader<Value.Element>($0) }
  }
}
