extension JSON {
  /// Whether a text begins and ends as JSON: one of its words, the characters of a number, or the
  /// marks of a string, array or object, with a possible byte after the first mark.
  ///
  /// This separates JSON of another type from damage, such as `[object Object]` or a text that was
  /// cut off. A check of every byte would take half a kilobyte (gzip) more in each program.
  package static func hasOutline(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(unowned: bytes)
      reader.skipWhiteSpace()
      guard let kind = reader.kindHere else { return false }
      let first = reader.next
      var last = reader.end - 1
      while last.pointee <= 0x20 { last -= 1 }
      let (count, end) = (last - first + 1, last.pointee)
      reader.next += 1
      reader.skipWhiteSpace()
      switch kind {
      case .object:
        return end == UInt8(ascii: "}")
          && (reader.next == last || reader.peek() == UInt8(ascii: "\""))
      case .array:
        return end == UInt8(ascii: "]") && (reader.next == last || reader.kindHere != nil)
      case .string: return end == UInt8(ascii: "\"") && count > 1
      case .null: return end == UInt8(ascii: "l") && count == 4
      case .bool:
        return end == UInt8(ascii: "e") && count == (first.pointee == UInt8(ascii: "t") ? 4 : 5)
      case .number:
        return UnsafeBufferPointer(start: first, count: count).allSatisfy { isOfNumber($0) }
      }
    }
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): true
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): true
    default: false
    }
  }
}
