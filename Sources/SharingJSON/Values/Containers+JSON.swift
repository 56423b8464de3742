extension Array: JSONValue where Element: JSONValue {
  /// The member writer of the elements.
  public static var _memberWriter: _UnknownMemberWriter? { Element._memberWriter }

  /// Reads an array.
  ///
  /// ```swift
  /// let todos = try [Todo].decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the index of the element in its path.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> [Element] {
    try decode(from: &reader, nil)
  }

  /// - Parameter ends: Receives the offset of the comma or bracket after each element.
  @inlinable @inline(never)
  static func decode(
    from reader: inout JSONReader, _ ends: UnsafeMutablePointer<[Int]>?
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    var isElement = try reader.beginArray()
    let start = reader.offset
    while isElement {
      // Short arrays grow by themselves.
      if elements.count >= 8, elements.count == elements.capacity {
        elements.reserveCapacity(reader.capacity(for: elements.count, since: start))
      }
      elements.append(try reader.element(at: elements.count))
      isElement = try reader.nextElement()
      if let ends { reader.recordEnd(in: ends) }
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

extension Optional: JSONValue where Wrapped: JSONValue {
  /// The member writer of the value.
  public static var _memberWriter: _UnknownMemberWriter? { Wrapped._memberWriter }

  /// Reads `null` as nil, and anything else as a value.
  ///
  /// ```swift
  /// let due = try Int?.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Wrapped? {
    reader.skipWhiteSpace()
    guard reader.peek() == UInt8(ascii: "n") else { return try Wrapped.decode(from: &reader) }
    try reader.scan("null", .null)
    return nil
  }

  /// Writes nil as `null`.
  ///
  /// ```swift
  /// try Int?.none.encode(into: &writer)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    guard let value = self else { return writer.null() }
    try value.encode(into: &writer)
  }
}
