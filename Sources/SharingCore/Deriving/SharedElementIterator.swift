/// Goes from element to element of a shared collection; see `for todo in $todos`.
///
/// Elements with an id are those that were there when the loop began, each once, without those that
/// are gone when it is their turn. Of elements without an id it goes over as many positions as
/// there were, and ends before one that is gone by then.
public struct SharedElementIterator<Elements, Element>: IteratorProtocol
where Elements: RandomAccessCollection & MutableCollection {
  private let count: Int
  private let find: Find
  private let wrap: (Reference) -> Element
  private var number = 0
  private var hint = 0

  /// Finds the element with a number, from a place near which it may be.
  typealias Find = (_ number: Int, _ hint: inout Int) -> Reference?

  /// - Parameters:
  ///   - count: How many elements there are.
  ///   - find: Finds each.
  ///   - wrap: Makes a wrapper of it.
  init(_ count: Int, _ find: @escaping Find, wrap: @escaping (Reference) -> Element) {
    self.count = count
    self.find = find
    self.wrap = wrap
  }

  /// The next element that is there.
  public mutating func next() -> Element? {
    while number < count {
      let found = find(number, &hint)
      number += 1
      hint += 1
      if let found { return wrap(found) }
    }
    return nil
  }
}

extension Handle {
  /// What an iterator goes over: the positions of a collection.
  final func positions<Elements, Element>(
    of type: Elements.Type, wrap: @escaping (Reference) -> Element
  ) -> SharedElementIterator<Elements, Element> {
    let elements: Elements = value()
    return SharedElementIterator(
      elements.count, { number, _ in self.reference.element(in: Elements.self, offset: number) },
      wrap: wrap)
  }

  /// What an iterator goes over: the elements of a collection by their ids.
  final func identified<Elements, Element>(
    of type: Elements.Type, wrap: @escaping (Reference) -> Element
  ) -> SharedElementIterator<Elements, Element> where Elements.Element: Identifiable {
    let elements: Elements = value()
    let ids = elements.map { $0.id }
    let collection = reference
    return SharedElementIterator(
      ids.count,
      { number, hint in collection.element(in: Elements.self, id: ids[number], near: &hint) },
      wrap: wrap)
  }
}
