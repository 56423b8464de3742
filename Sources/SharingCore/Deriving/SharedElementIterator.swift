/// Goes from element to element of a shared collection; see `for todo in $todos`.
///
/// It goes over as many positions as there are when it is made, and ends before one that is gone by
/// then.
public struct SharedElementIterator<Elements, Element>: IteratorProtocol
where Elements: RandomAccessCollection & MutableCollection {
  private let handle: Handle
  private let wrap: (Reference) -> Element
  private let count: Int
  private var offset = 0

  init(_ handle: Handle, wrap: @escaping (Reference) -> Element) {
    self.handle = handle
    self.wrap = wrap
    let elements: Elements = handle.value()
    count = elements.count
  }

  /// The next element that is there.
  public mutating func next() -> Element? {
    guard offset < count, let element = handle.reference.element(in: Elements.self, offset: offset)
    else { return nil }
    offset += 1
    return wrap(element)
  }
}
