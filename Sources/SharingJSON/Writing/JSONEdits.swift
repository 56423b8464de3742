/// New texts for some of an array's elements.
struct JSONEdits {
  /// The texts, one after the other.
  private(set) var writer = JSONWriter()
  /// The elements, ascending, and the offset at which the text of each begins.
  private var positions: [Int] = []
  private var starts: [Int] = []

  /// Writes the elements at some positions.
  ///
  /// Nil if the positions are invalid, or if an element cannot be written. Writing all elements
  /// then finds the error.
  /// - Parameters:
  ///   - known: The old number of elements. Those from there on are new, and have to be among the
  ///     positions. The text of a new one begins with the comma.
  ///   - count: The new number of elements.
  init?(at positions: [Int], _ known: Int, _ count: Int, _ write: _EncodedJSON.ElementWriter) {
    // The elements are inside the array.
    writer.depth = 1
    var last = -1
    var missing = count - known
    for position in positions {
      guard position > last, position < count else { return nil }
      last = position
      self.positions.append(position)
      starts.append(writer.count)
      if position >= known {
        missing -= 1
        if position > 0 { writer.put(UInt8(ascii: ",")) }
      }
      do throws(JSONError) {
        try write(position, &writer)
      } catch {
        return nil
      }
    }
    guard missing == 0 else { return nil }
  }

  /// The number of elements with a new text.
  var count: Int { positions.count }

  /// An element, and the range of its new text.
  subscript(index: Int) -> (position: Int, text: Range<Int>) {
    let end = index + 1 < count ? starts[index + 1] : writer.count
    return (positions[index], starts[index]..<end)
  }
}

extension _EncodedJSON {
  /// Replaces old texts by new ones, and appends the texts of new elements.
  mutating func apply(_ edits: JSONEdits, behind ends: [Int]) {
    let old = bytes
    let new = edits.writer.bytes
    var moved = ends
    bytes = [UInt8](unsafeUninitializedCapacity: old.count + new.count) { target, count in
      var copied = 0
      for index in 0..<edits.count {
        let (position, text) = edits[index]
        let range = Self.range(of: position, ends, old.count)
        target.append(old, copied..<range.lowerBound, &count)
        target.append(new, text, &count)
        copied = range.upperBound
        guard position < ends.count else {
          moved.append(count)
          continue
        }
        let next = index + 1 < edits.count ? min(edits[index + 1].position, ends.count) : ends.count
        let shift = count - copied
        if shift != 0 { for other in position..<next { moved[other] += shift } }
      }
      target.append(old, copied..<old.count, &count)
    }
    self.ends = moved
  }

  /// The range of an element's old text; for a new one, the end of the array.
  private static func range(of position: Int, _ ends: [Int], _ count: Int) -> Range<Int> {
    guard position < ends.count else { return count - 1..<count - 1 }
    return (position == 0 ? 1 : ends[position - 1] + 1)..<ends[position]
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Copies a range of bytes after the first `count` bytes.
  @inline(never)
  package func append(_ bytes: [UInt8], _ range: Range<Int>, _ count: inout Int) {
    bytes.withUnsafeBytes { bytes in
      UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(self)[count...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    count += range.count
  }
}
