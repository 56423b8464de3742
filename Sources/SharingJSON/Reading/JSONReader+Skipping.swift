extension JSONReader {
  /// Skips the next value of any kind, and checks that it is JSON.
  package mutating func skipValue() throws(JSONError) {
    switch try kind() {
    case .null: try scan("null", .null)
    case .bool: try scan(next.pointee == UInt8(ascii: "t") ? "true" : "false", .bool)
    case .number: try skipNumber()
    case .string: _ = try skipString()
    case .array:
      var isElement = try beginArray()
      while isElement {
        try skipValue()
        isElement = try nextElement()
      }
    case .object:
      var isMember = try beginObject()
      while isMember {
        _ = try skipString()
        try scanColon()
        try skipValue()
        isMember = try nextMember()
      }
    }
  }

  /// Skips a string, and checks its UTF-8 and its escapes.
  /// - Returns: Whether it has no escape, and whether all bytes are ASCII.
  mutating func skipString() throws(JSONError) -> (isPlain: Bool, isASCII: Bool) {
    try scan(UInt8(ascii: "\""), .string)
    var (isPlain, isASCII) = (true, true)
    while true {
      while next < end, next.pointee < 0x80, JSON.isPlain(next.pointee) { next += 1 }
      if scan(UInt8(ascii: "\"")) { return (isPlain, isASCII) }
      if try skipEscapeOrNonASCII() { isPlain = false } else { isASCII = false }
    }
  }
}
