import SharingCore

extension Dictionary: JSONValue where Key: JSONKey, Value: JSONValue {
  /// Reads an object, each member of which has the same type.
  ///
  /// ```swift
  /// let scores = try [String: Int].decode(from: &reader)
  /// ```
  ///
  /// Of members whose names are equal keys the last one wins.
  /// - Throws: ``JSONError`` with the key in its path.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> [Key: Value] {
    var values: [Key: Value] = [:]
    var isMember = try reader.beginObject()
    while isMember {
      let key = try Key._decodeKey(from: &reader)
      do throws(JSONError) {
        values[key] = .some(try Value.decode(from: &reader))
      } catch {
        throw error.inside(key: key.jsonKey)
      }
      isMember = try reader.nextMember()
    }
    return values
  }

  /// Writes an object with its members in the order of their names' bytes, so that equal values
  /// give equal bytes.
  ///
  /// ```swift
  /// try ["b": 2, "a": 1].encode(into: &writer)  // {"a":1,"b":2}
  /// ```
  ///
  /// - Throws: ``JSONError`` with the key in its path.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    let members = map { (name: $0.key.jsonKey, value: $0.value) }
      .sorted { $0.name.bytes.lexicographicallyPrecedes($1.name.bytes) }
    try writer.beginObject()
    for (name, value) in members { try writer.member(name, value) }
    writer.endObject()
  }
}
