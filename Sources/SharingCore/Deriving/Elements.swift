// Elements of a shared collection by position. The conformances to the collection protocols are in
// Platform/ElementCollections.swift.

extension Shared where Value: RandomAccessCollection & MutableCollection {
  /// The element at a position, shared. It has no id, so the wrapper follows the position.
  ///
  /// It reads and writes the element that is at the position. If the position goes away, it keeps
  /// the last value that it read.
  /// - Parameter position: A valid position. An invalid one stops the program with a message that
  ///   names the place, as in the collection itself.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Shared<Value.Element> {
    Shared<Value.Element>(handle.element(in: Value.self, at: position, fileID, line))
  }

  /// The first element, shared; nil if there are none. It stands for its position.
  public var first: Shared<Value.Element>? {
    handle.element(in: Value.self, at: .first).map { Shared<Value.Element>($0) }
  }

  /// The last element, shared; nil if there are none. It stands for its position.
  public var last: Shared<Value.Element>? {
    handle.element(in: Value.self, at: .last).map { Shared<Value.Element>($0) }
  }

  /// The present elements, shared; each wrapper follows its position.
  ///
  /// ```swift
  /// for number in $numbers.elements { number.withLock { $0 += 1 } }
  /// ```
  /// A wrapper reads and writes the element that is at its position. If the position goes away, it
  /// keeps the last value that it read. `Identifiable` elements are followed by their ids instead.
  @_disfavoredOverload
  public var elements: [Shared<Value.Element>] {
    Array(IteratorSequence(handle.positions(of: Value.self) { Shared<Value.Element>($0) }))
  }
}

extension SharedReader where Value: RandomAccessCollection & MutableCollection {
  /// The element at a position, read-only; see ``Shared``.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> SharedReader<Value.Element> {
    SharedReader<Value.Element>(handle.element(in: Value.self, at: position, fileID, line))
  }

  /// The first element, to be read; nil if there are none. It stands for its position.
  public var first: SharedReader<Value.Element>? {
    handle.element(in: Value.self, at: .first).map { SharedReader<Value.Element>($0) }
  }

  /// The last element, to be read; nil if there are none. It stands for its position.
  public var last: SharedReader<Value.Element>? {
    handle.element(in: Value.self, at: .last).map { SharedReader<Value.Element>($0) }
  }

  /// The present elements, read-only; see ``Shared``.
  @_disfavoredOverload
  public var elements: [SharedReader<Value.Element>] {
    Array(IteratorSequence(handle.positions(of: Value.self) { SharedReader<Value.Element>($0) }))
  }
}

extension Shared
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The element at a position, shared.
  ///
  /// ```swift
  /// let first = $todos[0]
  /// ```
  /// The wrapper then follows the element by its id when it moves, as `$todos[id:]` does. In an
  /// observer, the element is found again in each run, and the observer runs if another element
  /// comes to this position.
  /// - Parameter position: A valid position. An invalid one stops the program with a message that
  ///   names the place, as in the collection itself.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> Shared<Value.Element> {
    Shared<Value.Element>(handle.identifiedElement(in: Value.self, at: position, fileID, line))
  }

  /// The present elements, shared; each wrapper follows its element by the id.
  public var elements: [Shared<Value.Element>] { Array(self) }

  /// The first element, followed by its id; nil if there are none.
  public var first: Shared<Value.Element>? {
    handle.identifiedElement(in: Value.self, at: .first).map { Shared<Value.Element>($0) }
  }

  /// The last element, followed by its id; nil if there are none.
  public var last: Shared<Value.Element>? {
    handle.identifiedElement(in: Value.self, at: .last).map { Shared<Value.Element>($0) }
  }

  /// The element with an id, shared; nil if there is none.
  ///
  /// ```swift
  /// $todos[id: todo.id]?.isCompleted.withLock { $0 = true }
  /// ```
  /// The wrapper follows the element when it moves. An id is an identity: an element that is given
  /// another id is another element. If several elements have the id, this is the first one. A
  /// wrapper from a position or a loop then stands for the element at or next to that position.
  ///
  /// If the element is removed, the wrapper keeps the last value that it read. A write then changes
  /// only this copy and does not bring the element back.
  @inlinable
  public subscript(id id: Value.Element.ID) -> Shared<Value.Element>? {
    handle.element(in: Value.self, id: id).map { Shared<Value.Element>($0) }
  }
}

extension SharedReader
where Value: RandomAccessCollection & MutableCollection, Value.Element: Identifiable {
  /// The element at a position, read-only; see ``Shared``.
  @inlinable
  public subscript(
    position: Value.Index, fileID fileID: StaticString = #fileID, line line: UInt = #line
  ) -> SharedReader<Value.Element> {
    SharedReader<Value.Element>(
      handle.identifiedElement(in: Value.self, at: position, fileID, line))
  }

  /// The present elements, read-only; see ``Shared``.
  public var elements: [SharedReader<Value.Element>] { Array(self) }

  /// The first element, followed by its id; nil if there are none.
  public var first: SharedReader<Value.Element>? {
    handle.identifiedElement(in: Value.self, at: .first).map { SharedReader<Value.Element>($0) }
  }

  /// The last element, followed by its id; nil if there are none.
  public var last: SharedReader<Value.Element>? {
    handle.identifiedElement(in: Value.self, at: .last).map { SharedReader<Value.Element>($0) }
  }

  /// The element with an id, read-only; nil if there is none.
  @inlinable
  public subscript(id id: Value.Element.ID) -> SharedReader<Value.Element>? {
    handle.element(in: Value.self, id: id).map { SharedReader<Value.Element>($0) }
  }
}

extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
  /// The positions of the elements.
  public var indices: Value.Indices { wrappedValue.indices }

  /// The position of the first element.
  public var startIndex: Value.Index { wrappedValue.startIndex }

  /// The position behind the last element.
  public var endIndex: Value.Index { wrappedValue.endIndex }

  /// Returns the position behind another one.
  public func index(after index: Value.Index) -> Value.Index {
    wrappedValue.index(after: index)
  }

  /// Returns the position before another one.
  public func index(before index: Value.Index) -> Value.Index {
    wrappedValue.index(before: index)
  }
}

// The standard library's implementations read the count first and stop if it turns out wrong. Here
// elements may go away meanwhile.
extension SharedReadable
where Self: Collection, Value: RandomAccessCollection & MutableCollection {
  /// Returns the results of a closure for each element.
  ///
  /// ```swift
  /// let titles = $todos.map { $0.title }  // [Shared<String>]
  /// ```
  /// - Throws: The error of the closure.
  public func map<Output, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    try IteratorSequence(makeIterator()).map(transform)
  }

  /// Returns the elements, for `Array($todos)`.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    ContiguousArray(IteratorSequence(makeIterator()))
  }
}
