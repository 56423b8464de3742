extension JSON {
  /// Whether a text begins and ends as JSON: one of its words, the characters of a number, or the
  /// marks of a string, array or object, with a possible byte after the first mark.
  ///
  /// This tells JSON of another type from damage, such as `[object Object]` or a text that was cut
  /// off. A check of every byte would take half a kilobyte (gzip) more in each program.
  package static func hasOutline(_ bytes: [UInt8]) -> Bool {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
    guard start < end else { return false }
    var second = start + 1
    while second < end, bytes[second] <= 0x20 { second += 1 }
    let (count, last) = (end - start, bytes[end - 1])
    let next = second < end ? bytes[second] : 0
    switch bytes[start] {
    case UInt8(ascii: "{"): return last == 0x7D && (next == 0x7D || next == UInt8(ascii: "\""))
    case UInt8(ascii: "["): return last == 0x5D && (next == 0x5D || isFirst(next))
    case UInt8(ascii: "\""): return last == UInt8(ascii: "\"") && count > 1
    case UInt8(ascii: "n"): return last == UInt8(ascii: "l") && count == 4
    case UInt8(ascii: "t"): return last == UInt8(ascii: "e") && count == 4
    case UInt8(ascii: "f"): return last == UInt8(ascii: "e") && count == 5
    default:
      for index in start..<end where !isOfNumber(bytes[index]) { return false }
      return true
    }
  }

  /// Whether a value can begin with a byte.
  private static func isFirst(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): true
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): true
    default: isOfNumber(byte)
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
