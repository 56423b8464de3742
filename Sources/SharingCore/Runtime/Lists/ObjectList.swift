/// A list that retains its objects. Like ``List``, it is never copied, and its owner frees it. In a
/// wasm program, all such lists share one specialization, unlike arrays.
package struct ObjectList<Object: AnyObject> {
  private var objects = List<Unmanaged<AnyObject>>()

  package init() {}

  package var count: Int { objects.count }

  package var isEmpty: Bool { objects.isEmpty }

  package subscript(index: Int) -> Object {
    unsafeDowncast(objects[index].takeUnretainedValue(), to: Object.self)
  }

  package mutating func append(_ object: Object) {
    objects.append(.passRetained(object))
  }

  package mutating func insert(_ object: Object, at index: Int) {
    objects.insert(.passRetained(object), at: index)
  }

  package mutating func remove(at index: Int) {
    let object = objects[index]
    objects.remove(at: index)
    object.release()
  }

  /// Removes all objects and keeps the capacity.
  package mutating func removeAll() {
    for index in 0..<count { objects[index].release() }
    objects.removeAll()
  }

  /// Releases the objects and frees the memory. The owner calls it once, at its end.
  package func free() {
    for index in 0..<count { objects[index].release() }
    objects.free()
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
