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
