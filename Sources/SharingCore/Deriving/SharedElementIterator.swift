/// Iterates over the elements of a shared collection; see `for todo in $todos`.
///
/// Elements with an id: visits each element that was there when the loop began, once, and skips
/// those that are removed before their turn. Elements without an id: visits as many positions as
/// there were at the beginning, and ends at the first one that no longer exists.
struct SharedElementIterator<Elements, Element>: IteratorProtocol
where Elements: RandomAccessCollection & MutableCollection {
  private let count: Int
  private let find: Find
  private let wrap: (Reference) -> Element
  private var number = 0

  /// Finds the element with a number.
  typealias Find = (_ number: Int) -> Reference?

  /// - Parameters:
  ///   - count: The number of elements.
  ///   - find: Finds an element.
  ///   - wrap: Makes a wrapper of an element.
  init(_ count: Int, _ find: @escaping Find, wrap: @escaping (Reference) -> Element) {
    self.count = count
    self.find = find
    self.wrap = wrap
  }

  /// Returns the next element that still exists.
  mutating func next() -> Element? {
    while number < count {
      let found = find(number)
      number += 1
      if let found { return wrap(found) }
    }
    return nil
  }
}

extension Handle {
  /// Returns an iterator over the positions of a collection.
  final func positions<Elements, Element>(
    of type: Elements.Type, wrap: @escaping (Reference) -> Element
  ) -> SharedElementIterator<Elements, Element> {
    let elements: Elements = value()
    return SharedElementIterator(
      elements.count,
      { number in
        self.reference.element(in: type) { number < $0.pointee.count ? number : nil }
      }, wrap: wrap)
  }

  /// Returns an iterator over the elements of a collection by their ids.
  final func identified<Elements, Element>(
    of type: Elements.Type, wrap: @escaping (Reference) -> Element
  ) -> SharedElementIterator<Elements, Element> where Elements.Element: Identifiable {
    let elements: Elements = value()
    let ids = elements.map { $0.id }
    let collection = reference
    var hint = 0  // where the next element probably is
    return SharedElementIterator(
      ids.count,
      { number in
        let element = collection.identifiedElement(in: type) {
          $0.pointee.offset(of: ids[number], near: hint)
        }
        hint = (element?.firstOffset ?? hint) + 1
        return element
      }, wrap: wrap)
  }
}
