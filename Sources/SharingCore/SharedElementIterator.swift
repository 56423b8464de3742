/// Goes from element to element of a shared collection; see `for todo in $todos`.
///
/// It goes over as many positions as there are when it is made, and ends before one that is gone by then.
public struct SharedElementIterator<Elements, Element>: IteratorProtocol
where Elements: RandomAccessCollection & MutableCollection {
  private let box: Box
  private let wrap: (Reference) -> Element
  private let count: Int
  private var offset = 0

  init(_ box: Box, wrap: @escaping (Reference) -> Element) {
    self.box = box
    self.wrap = wrap
    let elements: Elements = box.value()
    count = elements.count
  }

  /// The next element that is there.
  public mutating func next() -> Element? {
    guard offset < count, let element = box.reference.element(in: Elements.self, offset: offset)
    else { return nil }
    offset += 1
    return wrap(element)
  }
}
