/// A list of objects, which it keeps. As ``List``, it is never copied, and its owner frees it; all
/// such lists share their code in a wasm program, whatever the objects, as arrays do not.
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

  /// Removes everything and keeps the room.
  package mutating func removeAll() {
    for index in 0..<count { objects[index].release() }
    objects.removeAll()
  }

  /// The owner goes.
  package func free() {
    for index in 0..<count { objects[index].release() }
    objects.free()
  }
}

/// The first of some indices that is in the second part, where all those before it are in the
/// first: found by halving, in what is in order.
package func partitioningIndex(_ count: Int, where isInSecondPart: (Int) -> Bool) -> Int {
  var lower = 0
  var upper = count
  while lower < upper {
    let middle = (lower &+ upper) / 2
    if isInSecondPart(middle) { upper = middle } else { lower = middle &+ 1 }
  }
  return lower
}
