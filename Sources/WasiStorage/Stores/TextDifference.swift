import CHost

/// The difference between a text and an earlier one, as reported by the page.
struct TextDifference {
  /// The part of the earlier text that differs, in UTF-16 code units, as JavaScript counts.
  let part: sharing_part
  /// The replacement for that part, in UTF-8.
  let new: [UInt8]

  /// Returns the new text.
  /// - Parameter former: The earlier text.
  func text(after former: [UInt8]) -> [UInt8] {
    let bytes = bytes(of: former)
    let count = former.count &- bytes.count &+ new.count
    return [UInt8](unsafeUninitializedCapacity: count) { text, count in
      text.append(former, 0..<bytes.lowerBound, &count)
      text.append(new, 0..<new.count, &count)
      text.append(former, bytes.upperBound..<former.count, &count)
    }
  }

  /// The range of the part in bytes.
  private func bytes(of former: [UInt8]) -> Range<Int> {
    let (start, count) = (Int(part.start), Int(part.count))
    if former.count == Int(part.total) { return start..<start &+ count }  // all of it is ASCII
    return former.withUnsafeBytes { former in
      let start = former.end(ofUnits: start, from: 0)
      return start..<former.end(ofUnits: count, from: start)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset in UTF-8 at which a number of UTF-16 code units from `start` on ends.
  fileprivate func end(ofUnits units: Int, from start: Int) -> Int {
    var (end, left) = (start, units)
    while count &- end >= 8 {
      let units = word(at: end).utf16Units
      guard units < left else { break }
      left &-= units
      end &+= 8
    }
    while end < count, left > 0 || self[end].isContinuation {
      left &-= self[end].utf16Units
      end &+= 1
    }
    return end
  }
}

extension UInt64 {
  /// The number of UTF-16 code units that begin in eight bytes of UTF-8.
  fileprivate var utf16Units: Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let continuations = self >> 7 & ~(self >> 6) & ones
    let pairs = self >> 7 & self >> 6 & self >> 5 & self >> 4 & ones
    return 8 &- continuations.nonzeroBitCount &+ pairs.nonzeroBitCount
  }
}

extension UInt8 {
  fileprivate var isContinuation: Bool { self & 0xc0 == 0x80 }

  /// The number of UTF-16 code units that begin at a byte of UTF-8. Four bytes are a surrogate
  /// pair.
  fileprivate var utf16Units: Int { isContinuation ? 0 : self < 0xf0 ? 1 : 2 }
}
