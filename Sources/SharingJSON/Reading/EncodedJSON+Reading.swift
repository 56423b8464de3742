import SharingCore

extension Array where Element: JSONValue {
  /// Reads all elements, and keeps their text: unchanged ones are written as they were, with the
  /// white space and the unknown members of another program.
  @inlinable
  public static func _decode(
    _ bytes: [UInt8], keeping text: inout _EncodedJSON
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
  @inlinable
  public static var _patch: _ElementPatcher? { { patch($0, to: $1, &$2) } }

  @inlinable @inline(never)
  static func patch(
    _ array: UnsafeRawPointer, to bytes: [UInt8], _ text: inout _EncodedJSON
  ) -> (any _ValuePatch)? {
    let array = array.assumingMemoryBound(to: Self.self)
    if text.ends?.count != array.pointee.count { try? text.update(to: array.pointee) }
    var decoded: [Element] = []
    let changes = text.scan(bytes) { (reader) throws(JSONError) in
      decoded.append(try Element.decode(from: &reader))
    }
    return changes.map { JSONPatch($0, decoded) }
  }
}

/// The changes that update an array to another text.
@usableFromInline
final class JSONPatch<Element>: _ValuePatch {
  @usableFromInline let changes: ElementChanges
  /// The elements of the new text that differ; after `apply(to:)`, those that they have replaced.
  @usableFromInline var elements: [Element]

  @inlinable
  init(_ changes: ElementChanges, _ elements: [Element]) {
    self.changes = changes
    self.elements = elements
  }

  /// Changes the array. No element is destroyed, since the array may be under a lock.
  @inlinable @inline(never)
  func apply(to value: UnsafeMutableRawPointer) {
    let array = value.assumingMemoryBound(to: [Element].self)
    switch changes {
    case .changed(let positions):
      for (index, position) in positions.enumerated() {
        if position < array.pointee.count {
          swap(&array.pointee[position], &elements[index])
        } else {
          array.pointee.append(elements[index])
        }
      }
    case .removed(let position): elements.append(array.pointee.remove(at: position))
    case .anything: break  // not patched
    }
  }
}

extension _EncodedJSON {
  /// Takes over other bytes as the text, if they differ at elements only.
  /// - Parameter read: Reads one element.
  /// - Returns: The changes; nil if all bytes have to be read.
  @inline(never) @usableFromInline
  mutating func scan(
    _ other: [UInt8], _ read: (inout JSONReader) throws(JSONError) -> Void
  ) -> ElementChanges? {
    guard var ends else { return nil }
    let comparison = bytes.withUnsafeBytes { old in
      ends.withUnsafeBufferPointer { ends in
        other.withUnsafeBytes { other in
          JSONComparison(of: old, ends, with: other, read)
        }
      }
    }
    guard let comparison else { return nil }
    bytes = other
    self.ends = nil  // it would be copied
    comparison.move(&ends)
    self.ends = ends
    mayHaveUnknownMembers = comparison.hasSkippedMembers
    return comparison.changes
  }
}
