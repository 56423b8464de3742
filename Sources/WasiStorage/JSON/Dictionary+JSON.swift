extension Dictionary: JSONValue where Key == String, Value: JSONValue {
  /// Reads an object, each member of which has the same type.
  ///
  /// ```swift
  /// let scores = try [String: Int].decode(from: &reader)
  /// ```
  ///
  /// Of members whose names are equal strings the last one wins.
  /// - Throws: ``JSONError`` with the key in its path.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> [String: Value] {
    var values: [String: Value] = [:]
    var isMember = try reader.beginObject()
    while isMember {
      let key = try reader.memberName().string
      do throws(JSONError) {
        values[key] = .some(try Value.decode(from: &reader))
      } catch {
        throw error.inside(key: key)
      }
      isMember = try reader.nextMember()
    }
    return values
  }

  /// Writes an object with its members in the order of their keys' bytes, so that equal values give
  /// equal bytes.
  ///
  /// ```swift
  /// try ["b": 2, "a": 1].encode(into: &writer)  // {"a":1,"b":2}
  /// ```
  ///
  /// - Throws: ``JSONError`` with the key in its path.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    let members = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    try writer.beginObject()
    for (key, value) in members { try writer.member(key, value) }
    writer.endObject()
  }
}
