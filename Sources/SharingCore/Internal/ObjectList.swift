/// A list of objects, which it keeps. As ``List``, it is never copied, and its owner frees it; all such
/// lists share their code in a wasm program, whatever the objects, as arrays do not.
package struct ObjectList<Object: AnyObject> {
  private var objects = List<Unmanaged<Object>>()

  package init() {}

  package var count: Int { objects.count }

  package var isEmpty: Bool { objects.isEmpty }

  package subscript(index: Int) -> Object { objects[index].takeUnretainedValue() }

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
