/// A list of plain values, for the bookkeeping of each change. It is never copied, its owner frees
/// it, and an append checks only the capacity.
struct List<Element: BitwiseCopyable> {
  private var elements: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The element at an index, which must be in the list.
  subscript(index: Int) -> Element {
    @inline(__always) get { elements.unsafelyUnwrapped[index] }
    @inline(__always) nonmutating set { elements.unsafelyUnwrapped[index] = newValue }
  }

  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    elements.unsafelyUnwrapped[count] = element
    count &+= 1
  }

  mutating func removeLast() -> Element {
    count &-= 1
    return elements.unsafelyUnwrapped[count]
  }

  /// Inserts an element.
  /// - Parameter index: The index of an element, or the end.
  mutating func insert(_ element: Element, at index: Int) {
    append(element)
    move(from: index, to: index + 1, count - 1 - index)
    elements.unsafelyUnwrapped[index] = element
  }

  mutating func remove(at index: Int) {
    count -= 1
    move(from: index + 1, to: index, count - index)
  }

  private func move(from source: Int, to target: Int, _ count: Int) {
    let start = elements.unsafelyUnwrapped
    UnsafeMutableRawPointer(start + target)
      .copyMemory(from: start + source, byteCount: count * MemoryLayout<Element>.stride)
  }

  /// Removes all elements and keeps the capacity.
  mutating func removeAll() {
    count = 0
  }

  /// Frees the memory. The owner calls it once, at its end.
  func free() {
    elements?.deallocate()
  }

  private mutating func grow() {
    let old = elements
    capacity = max(4, 2 * capacity)
    let new = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    if let old { new.initialize(from: old, count: count) }
    elements = new
    old?.deallocate()
  }
}

/// A first-in, first-out queue of a thread's work.
struct WorkQueue<Object: AnyObject> {
  private var items = List<Unmanaged<Object>>()
  private var taken = 0

  /// The number of objects.
  var count: Int { items.count &- taken }

  var isEmpty: Bool { taken == items.count }

  /// Adds an object and retains it.
  mutating func append(_ object: Object) {
    items.append(.passRetained(object))
  }

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

/// Returns the first index for which the predicate is true, by binary search. All indices before it
/// must give false, all after it true.
package func partitioningIndex(_ count: Int, where isInSecondPart: (Int) -> Bool) -> Int {
  var lower = 0
  var upper = count
  while lower < upper {
    let middle = (lower &+ upper) / 2
    if isInSecondPart(middle) { upper = middle } else { lower = middle &+ 1 }
  }
  return lower
}
