/// A first-in, first-out queue of a thread's work.
struct WorkQueue<Object: AnyObject> {
  var items = List<Unmanaged<Object>>()
  private var taken = 0

  /// The number of objects.
  var count: Int { items.count &- taken }

  var isEmpty: Bool { taken == items.count }

  /// Removes and returns the next object, which the caller must release; nil if there is none.
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
