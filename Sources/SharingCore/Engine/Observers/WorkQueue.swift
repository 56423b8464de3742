/// What a thread has to do, first in, first out.
struct WorkQueue<Object: AnyObject> {
  var items = List<Unmanaged<Object>>()
  private var taken = 0

  /// How many there are.
  var count: Int { items.count &- taken }

  var isEmpty: Bool { taken == items.count }

  /// The next one, which the caller releases; nil when there is none.
  mutating func next() -> Unmanaged<Object>? {
    guard taken < items.count else { return nil }
    let object = items[taken]
    taken &+= 1
    if taken == items.count {
      items.removeAll()
      taken = 0
    }
    return object
  }

  func free() {
    items.free()
  }
}
