extension Array: JSONValue where Element: JSONValue {
  /// Reads an array.
  ///
  /// ```swift
  /// let todos = try [Todo].decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the index of the element in its path.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    var isElement = try reader.beginArray()
    let start = reader.offset
    while isElement {
      // A short one grows as arrays do.
      if elements.count >= 8, elements.count == elements.capacity {
        elements.reserveCapacity(reader.capacity(for: elements.count, since: start))
      }
      elements.append(try reader.element(at: elements.count))
      isElement = try reader.nextElement()
    }
    return elements
  }

  /// Writes an array.
  ///
  /// ```swift
  /// try [1, 2, 3].encode(into: &writer)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the index of the element in its path.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    try writer.beginArray()
    for index in indices { try writer.element(self[index], at: index) }
    writer.endArray()
  }
}
