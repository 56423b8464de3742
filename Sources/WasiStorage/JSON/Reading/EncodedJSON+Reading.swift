import SharingCore

extension Array where Element: JSONValue {
  /// Reads all elements, and keeps their text: unchanged ones are written as they were, with the
  /// white space and the unknown members of another program.
  @inlinable
  public static func _decode(
    _ bytes: [UInt8], keeping text: inout EncodedJSON
  ) throws(JSONError) -> [Element] {
    var ends: [Int] = []
    let elements = try JSONReader.read(bytes) { (reader) throws(JSONError) in
      let elements = try decode(from: &reader, &ends)
      text.mayHaveUnknownMembers = reader.hasSkippedMembers
      return elements
    }
    text.keep(bytes, ends)
    return elements
  }

  /// Reads the elements whose text differs, and leaves the others as they are.
  @inlinable
  public mutating func _decode(_ bytes: [UInt8], over text: inout EncodedJSON) -> ElementChanges? {
    guard var patch = patch(to: bytes, over: &text) else { return nil }
    patch.apply(to: &self)
    return patch.changes
  }

  /// Reads the elements whose text differs.
  @inlinable @inline(never)
  func patch(to bytes: [UInt8], over text: inout EncodedJSON) -> JSONPatch<Element>? {
    if text.ends?.count != count { try? text.update(to: self) }
    var decoded: [Element] = []
    let difference = text.scan(bytes) { (reader) throws(JSONError) in
      decoded.append(try Element.decode(from: &reader))
    }
    return difference.map { JSONPatch(difference: $0, elements: decoded) }
  }

  /// Delivers the elements that differ.
  public static var _deliver: (@Sendable (_ changes: _StoredChanges) -> Bool)? {
    { changes in
      changes.deliver { (bytes, array, text) in
        array.assumingMemoryBound(to: Self.self).pointee.patch(to: bytes, over: &text)
      }
    }
  }
}

/// The changes that update an array to another text.
@usableFromInline
struct JSONPatch<Element> {
  @usableFromInline let difference: JSONDifference
  /// The elements of the new text that differ; after `apply(to:)`, those that they have replaced.
  @usableFromInline var elements: [Element]

  @inlinable
  init(difference: JSONDifference, elements: [Element]) {
    self.difference = difference
    self.elements = elements
  }

  @inlinable var changes: ElementChanges { difference.changes }

  /// Changes the array. No element is destroyed, since the array may be under a lock.
  @inlinable @inline(never)
  mutating func apply(to array: inout [Element]) {
    let count = elements.count
    var next = 0
    if let changed = difference.changed {
      while next < count, changed[next] < array.count {
        swap(&array[changed[next]], &elements[next])
        next += 1
      }
    }
    elements += array[difference.replaced]
    array.replaceSubrange(difference.replaced, with: elements[next..<count])
  }
}

extension EncodedJSON {
  /// Takes over other bytes as the text, if they differ at elements only.
  /// - Parameter read: Reads one element.
  /// - Returns: The difference; nil if they differ elsewhere, too, or the ends of the elements are
  ///   unknown.
  @inline(never) @usableFromInline
  mutating func scan(
    _ other: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Void
  ) -> JSONDifference? {
    guard var ends else { return nil }
    let difference = bytes.withUnsafeBytes { old in
      ends.withUnsafeBufferPointer { ends in
        other.withUnsafeBytes { other in
          JSONDifference(from: old, ends, to: other, read)
        }
      }
    }
    guard let difference else { return nil }
    bytes = other
    self.ends = nil  // it would be copied
    difference.move(&ends)
    self.ends = ends
    mayHaveUnknownMembers = difference.hasSkippedMembers
    return difference
  }
}
