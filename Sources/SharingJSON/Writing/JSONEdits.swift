/// New texts for some of an array's elements.
struct JSONEdits {
  /// The texts, one after the other.
  private(set) var writer = JSONWriter()
  /// The elements, ascending, and the offset at which the text of each begins.
  private var places: [Int] = []
  private var starts: [Int] = []

  /// Writes the elements at some places.
  ///
  /// Nil if the places are invalid, or if an element cannot be written. Writing all elements then
  /// finds the error and its place.
  /// - Parameters:
  ///   - known: The old number of elements. Those from there on are new, and have to be among the
  ///     places. The text of a new one begins with the comma.
  ///   - count: The new number of elements.
  init?(at places: [Int], _ known: Int, _ count: Int, _ write: _EncodedJSON.ElementWriter) {
    // The elements are inside the array.
    writer.depth = 1
    var last = -1
    var missing = count - known
    for place in places {
      guard place > last, place < count else { return nil }
      last = place
      self.places.append(place)
      starts.append(writer.count)
      if place >= known {
        missing -= 1
        if place > 0 { writer.put(UInt8(ascii: ",")) }
      }
      do throws(JSONError) {
        try write(place, &writer)
      } catch {
        return nil
      }
    }
    guard missing == 0 else { return nil }
  }

  /// The number of elements with a new text.
  var count: Int { places.count }

  /// An element, and the range of its new text.
  subscript(index: Int) -> (place: Int, text: Range<Int>) {
    let end = index + 1 < count ? starts[index + 1] : writer.count
    return (places[index], starts[index]..<end)
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
        let (place, text) = edits[index]
        let range = Self.range(of: place, ends, old.count)
        target.append(old, copied..<range.lowerBound, &count)
        target.append(new, text, &count)
        copied = range.upperBound
        guard place < ends.count else {
          moved.append(count)
          continue
        }
        let next = index + 1 < edits.count ? min(edits[index + 1].place, ends.count) : ends.count
        let shift = count - copied
        if shift != 0 { for other in place..<next { moved[other] += shift } }
      }
      target.append(old, copied..<old.count, &count)
    }
    self.ends = moved
  }

  /// The range of an element's old text; for a new one, the end of the array.
  private static func range(of place: Int, _ ends: [Int], _ count: Int) -> Range<Int> {
    guard place < ends.count else { return count - 1..<count - 1 }
    return (place == 0 ? 1 : ends[place - 1] + 1)..<ends[place]
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
