/// The elements of a shared collection by position, for elements without an id.
///
/// ```swift
/// for number in $numbers.elements { number.withLock { $0 += 1 } }
/// let fields = Array($numbers.elements)  // [Shared<Int>]
/// ```
/// A wrapper reads and writes the element that is at its position. If the position goes away, it
/// keeps the last value that it read. `Identifiable` elements are followed by their ids instead.
public struct SharedPositions<Elements, Element>: RandomAccessCollection
where Elements: RandomAccessCollection & MutableCollection {
  /// The type of a position in the collection.
  public typealias Index = Elements.Index
  /// The type of the positions of the collection.
  public typealias Indices = Elements.Indices
  /// The iterator over the elements.
  public typealias Iterator = SharedElementIterator<Elements, Element>

  private let handle: Handle
  private let wrap: (Reference) -> Element

  init(_ handle: Handle, wrap: @escaping (Reference) -> Element) {
    self.handle = handle
    self.wrap = wrap
  }

  private var elements: Elements { handle.value() }

  /// Returns an iterator over the elements.
  public func makeIterator() -> Iterator { handle.positions(of: Elements.self, wrap: wrap) }

  /// The positions of the elements.
  public var indices: Indices { elements.indices }

  /// The position of the first element.
  public var startIndex: Index { elements.startIndex }

  /// The position behind the last element.
  public var endIndex: Index { elements.endIndex }

  /// Returns the position behind another one.
  public func index(after index: Index) -> Index { elements.index(after: index) }

  /// Returns the position before another one.
  public func index(before index: Index) -> Index { elements.index(before: index) }

  /// The element at a position, shared.
  public subscript(position: Index) -> Element {
    wrap(handle.element(in: Elements.self, at: position, #fileID, #line))
  }

  // The standard library's implementations stop the program if elements go away meanwhile.

  /// The first element, shared; nil if there are none.
  ///
  /// ```swift
  /// $numbers.elements.first?.withLock { $0 += 1 }
  /// ```
  public var first: Element? { handle.element(in: Elements.self, at: .first).map(wrap) }

  /// The last element, shared; nil if there are none.
  ///
  /// ```swift
  /// $numbers.elements.last?.withLock { $0 += 1 }
  /// ```
  public var last: Element? { handle.element(in: Elements.self, at: .last).map(wrap) }

  /// Returns the results of a closure for each element.
  ///
  /// ```swift
  /// let texts = $numbers.elements.map { "\($0.wrappedValue)" }
  /// ```
  /// - Throws: The error of the closure.
  public func map<Output, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Output
  ) throws(Failure) -> [Output] {
    try IteratorSequence(makeIterator()).map(transform)
  }

  /// Returns the elements, for `Array($numbers.elements)`.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    ContiguousArray(IteratorSequence(makeIterator()))
  }
}

extension Shared where Value: RandomAccessCollection & MutableCollection {
  /// The elements, shared, as a collection; each wrapper follows its position.
  @_disfavoredOverload
  public var elements: SharedPositions<Value, Shared<Value.Element>> {
    SharedPositions(handle) { Shared<Value.Element>($0) }
  }
}

extension SharedReader where Value: RandomAccessCollection & MutableCollection {
  /// The elements, read-only, as a collection; see ``Shared``.
  @_disfavoredOverload
  public var elements: SharedPositions<Value, SharedReader<Value.Element>> {
    SharedPositions(handle) { SharedReader<Value.Element>($0) }
  }
}
