/// A shared collection is a collection of shared elements.
///
/// ```swift
/// for todo in $todos {
///   todo.isCompleted.withLock { $0 = true }
/// }
/// let rows = Array($todos)  // [Shared<Todo>]
/// ```
/// An element stands for its position: what comes to stand there is what it reads and writes. One
/// whose position is gone keeps the last value that it has seen. To follow an element through
/// insertions and removals, ask for it by its id. A loop goes over as many positions as there are
/// when it begins, and ends before one that is gone by then.
extension Shared: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: RandomAccessCollection & MutableCollection {
  /// One element, shared.
  public typealias Element = Shared<Value.Element>
  /// A position, as in the collection itself.
  public typealias Index = Value.Index
  /// Goes from element to element.
  public typealias Iterator = SharedElementIterator<Value, Element>
  /// Positions, as in the collection itself.
  public typealias Indices = Value.Indices

  /// Begins with the first element.
  public func makeIterator() -> Iterator { Iterator(handle) { Element($0) } }

  /// The element at a position, shared: what generic code asks for.
  @_disfavoredOverload
  @inlinable
  public subscript(position: Value.Index) -> Shared<Value.Element> {
    self[position, fileID: #fileID, line: #line]
  }

  /// The element at a position, shared.
  ///
  /// - Parameter position: A position of an element; another one stops the program, with a message
  ///   that names the place, as it does for the collection itself.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Shared<Value.Element> {
    Shared<Value.Element>(handle.element(in: Value.self, at: position, fileID, line))
  }
}

/// A shared collection that is read is a collection of elements that are read; see ``Shared``'s.
///
/// ```swift
/// for todo in $reader.elements { show(todo.title.wrappedValue) }
/// let rows = Array($reader)  // [SharedReader<Todo>]
/// ```
extension SharedReader: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Value: RandomAccessCollection & MutableCollection {
  /// One element, to be read.
  public typealias Element = SharedReader<Value.Element>
  /// A position, as in the collection itself.
  public typealias Index = Value.Index
  /// Goes from element to element.
  public typealias Iterator = SharedElementIterator<Value, Element>
  /// Positions, as in the collection itself.
  public typealias Indices = Value.Indices

  /// Begins with the first element.
  public func makeIterator() -> Iterator { Iterator(handle) { Element($0) } }

  /// The element at a position, to be read: what generic code asks for.
  @_disfavoredOverload
  @inlinable
  public subscript(position: Value.Index) -> SharedReader<Value.Element> {
    self[position, fileID: #fileID, line: #line]
  }

  /// The element at a position, to be read; see ``Shared``'s.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> SharedReader<Value.Element> {
    SharedReader<Value.Element>(handle.element(in: Value.self, at: position, fileID, line))
  }
}

// What the conformances above have in common.
extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
  /// The collection of elements, which the wrapper itself is.
  public var elements: Self { self }

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
  /// It follows the element wherever it moves. When the element is removed, this keeps the last
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
