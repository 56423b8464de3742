/// The elements of a shared collection that have no id: each stands for its position.
///
/// ```swift
/// for number in $numbers.elements { number.withLock { $0 += 1 } }
/// let fields = Array($numbers.elements)  // [Shared<Int>]
/// ```
/// What comes to stand at a position is what its element reads and writes. One whose position is
/// gone keeps the last value that it has seen. Elements that are `Identifiable` are followed by
/// their ids instead.
public struct SharedPositions<Elements, Element>: RandomAccessCollection
where Elements: RandomAccessCollection & MutableCollection {
  /// A position, as in the collection itself.
  public typealias Index = Elements.Index
  /// Positions, as in the collection itself.
  public typealias Indices = Elements.Indices
  /// Goes from element to element.
  public typealias Iterator = SharedElementIterator<Elements, Element>

  private let handle: Handle
  private let wrap: (Reference) -> Element

  init(_ handle: Handle, wrap: @escaping (Reference) -> Element) {
    self.handle = handle
    self.wrap = wrap
  }

  private var elements: Elements { handle.value() }

  /// Begins with the first element.
  public func makeIterator() -> Iterator { handle.positions(of: Elements.self, wrap: wrap) }

  /// The positions of the elements.
  public var indices: Indices { elements.indices }

  /// The position of the first element.
  public var startIndex: Index { elements.startIndex }

  /// The position behind the last element.
  public var endIndex: Index { elements.endIndex }

  /// The position behind another one.
  public func index(after index: Index) -> Index { elements.index(after: index) }

  /// The position before another one.
  public func index(before index: Index) -> Index { elements.index(before: index) }

  /// The element at a position, shared.
  public subscript(position: Index) -> Element {
    wrap(handle.element(in: Elements.self, at: position, #fileID, #line))
  }

  /// The elements, for `Array($numbers.elements)`.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    var copies = ContiguousArray<Element>()
    var elements = makeIterator()
    while let element = elements.next() { copies.append(element) }
    return copies
  }
}

extension Shared where Value: RandomAccessCollection & MutableCollection {
  /// The elements, shared, as a collection: those without an id stand for their positions.
  @_disfavoredOverload
  public var elements: SharedPositions<Value, Shared<Value.Element>> {
    SharedPositions(handle) { Shared<Value.Element>($0) }
  }
}

extension SharedReader where Value: RandomAccessCollection & MutableCollection {
  /// The elements, to be read, as a collection; see ``Shared``'s.
  @_disfavoredOverload
  public var elements: SharedPositions<Value, SharedReader<Value.Element>> {
    SharedPositions(handle) { SharedReader<Value.Element>($0) }
  }
}
