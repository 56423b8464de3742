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

  /// Decodes the elements whose text differs.
  @inlinable @inline(never)
  public static func _patch(
    _ array: UnsafeRawPointer, to bytes: [UInt8], _ text: inout EncodedJSON
  ) -> (any _ValuePatch)? {
    let array = array.assumingMemoryBound(to: Self.self)
    if text.ends?.count != array.pointee.count { try? text.update(to: array.pointee) }
    var decoded: [Element] = []
    let difference = text.scan(bytes) { (reader) throws(JSONError) in
      decoded.append(try Element.decode(from: &reader))
    }
    return difference.map { JSONPatch($0, decoded) }
  }
}

/// The changes that update an array to another text.
@usableFromInline
final class JSONPatch<Element>: _ValuePatch {
  @usableFromInline let difference: JSONDifference
  /// The elements of the new text that differ; after `apply(to:)`, those that they have replaced.
  @usableFromInline var elements: [Element]

  @inlinable
  init(_ difference: JSONDifference, _ elements: [Element]) {
    self.difference = difference
    self.elements = elements
  }

  @inlinable var changes: ElementChanges { difference.changes }

  /// Changes the array. No element is destroyed, since the array may be under a lock.
  @inlinable @inline(never)
  func apply(to value: UnsafeMutableRawPointer) {
    let array = value.assumingMemoryBound(to: [Element].self)
    let count = elements.count
    var next = 0
    if let changed = difference.changed {
      while next < count, changed[next] < array.pointee.count {
        swap(&array.pointee[changed[next]], &elements[next])
        next += 1
      }
    }
    elements += array.pointee[difference.replaced]
    array.pointee.replaceSubrange(difference.replaced, with: elements[next..<count])
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
