import SharingCore

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

extension Set: JSONValue where Element: JSONValue {
  /// The member writer of the elements.
  public static var _memberWriter: _UnknownMemberWriter? { Element._memberWriter }

  /// Reads an array, in any order.
  ///
  /// ```swift
  /// let tags = try Set<String>.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the index of the element in its path.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Set<Element> {
    Set(try [Element].decode(from: &reader))
  }

  /// Writes an array with the elements in the order of their JSON's bytes, so that equal sets give
  /// equal bytes.
  ///
  /// ```swift
  /// try Set(["b", "a"]).encode(into: &writer)  // ["a","b"]
  /// ```
  ///
  /// Each element is written twice, for the order and for the text.
  /// - Throws: ``JSONError`` of an element.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    var elements: [(json: [UInt8], value: Element)] = []
    for value in self { elements.append((try JSON.encode(value), value)) }
    elements.sort { $0.json.lexicographicallyPrecedes($1.json) }
    try elements.map { $0.value }.encode(into: &writer)
  }
}

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
