@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Duration: JSONValue {
  /// None: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads an array of two integers: the attoseconds (10^-18 s) in 128 bits, the high 64 bits with
  /// their sign first, as `Codable` has it.
  ///
  /// ```swift
  /// let delay = try Duration.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` for anything else.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Duration {
    reader.skipWhiteSpace()
    let start = reader.offset
    guard try reader.beginArray() else { throw JSONError(.invalidValue, at: start) }
    let high: Int64 = try reader.element(at: 0)
    guard try reader.nextElement() else { throw JSONError(.invalidValue, at: start) }
    let low: UInt64 = try reader.element(at: 1)
    if try reader.nextElement() { throw JSONError(.invalidValue, at: start) }
    return Duration(attoseconds: Int128(high) << 64 | Int128(low))
  }

  /// Writes an array of two integers.
  ///
  /// ```swift
  /// try Duration.seconds(1).encode(into: &writer)  // [0,1000000000000000000]
  /// ```
  ///
  /// - Throws: ``JSONError`` beyond 512 levels.
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    try writer.beginArray()
    try writer.element(Int64(truncatingIfNeeded: attoseconds >> 64), at: 0)
    try writer.element(UInt64(truncatingIfNeeded: attoseconds), at: 1)
    writer.endArray()
  }
}
