/// Encodes values to JSON bytes, and decodes them.
///
/// ```swift
/// let bytes = try JSON.encode([1, 2, 3])
/// let numbers = try JSON.decode([Int].self, from: bytes)
/// ```
///
/// The format is exactly RFC 8259 in UTF-8. A byte order mark in front is skipped, and not written.
public enum JSON {
  /// The value's JSON text in UTF-8, without white space.
  ///
  /// ```swift
  /// let bytes = try JSON.encode(["id": 3])  // {"id":3}
  /// ```
  ///
  /// - Parameters:
  ///   - value: the value to write.
  ///   - capacity: the expected number of bytes; a good guess avoids reallocation.
  /// - Throws: ``JSONError`` for NaN and infinities, and for nesting beyond 512
  ///   levels.
  @inlinable
  public static func encode(
    _ value: some JSONValue, capacity: Int = 64
  ) throws(JSONError) -> [UInt8] {
    var writer = JSONWriter(capacity: capacity)
    try value.encode(into: &writer)
    return writer.bytes
  }

  /// Decodes the one value that the bytes contain.
  ///
  /// ```swift
  /// let todos = try JSON.decode([Todo].self, from: bytes)
  /// ```
  ///
  /// No input makes this trap, at any length or depth.
  /// - Throws: ``JSONError`` with the offset of the first wrong byte, and the path to it.
  @inlinable
  public static func decode<Value: JSONValue>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws(JSONError) -> Value {
    try JSONReader.read(bytes) { (reader) throws(JSONError) in
      try Value.decode(from: &reader)
    }
  }

  /// Decodes the one value in memory of another owner, without copying it.
  /// - Throws: ``JSONError``, as for an array of bytes.
  @inlinable
  package static func decode<Value: JSONValue>(
    _ type: Value.Type = Value.self, from bytes: UnsafeRawBufferPointer
  ) throws(JSONError) -> Value {
    try JSONReader.read(bytes) { (reader) throws(JSONError) in
      try Value.decode(from: &reader)
    }
  }

  /// Whether the bytes are one JSON value.
  package static func isValue(_ bytes: [UInt8]) -> Bool {
    var reader = JSONReader(bytes)
    do throws(JSONError) {
      try reader.skipValue()
      try reader.finish()
      return true
    } catch {
      return false
    }
  }
}
