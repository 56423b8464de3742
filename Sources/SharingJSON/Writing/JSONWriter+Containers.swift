import SharingCore

extension JSONWriter {
  /// Opens an array; each ``element(_:at:)`` follows, then ``endArray()``.
  ///
  /// ```swift
  /// try writer.beginArray()
  /// ```
  ///
  /// - Throws: ``JSONError`` beyond ``JSONReader/maximumDepth``, since the text could not be read
  ///   again.
  public mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "[")) }

  /// Writes the next element of the array.
  ///
  /// ```swift
  /// for index in rows.indices { try writer.element(rows[index], at: index) }
  /// ```
  ///
  /// - Parameters:
  ///   - value: the element.
  ///   - index: its index in the array, for the path of an error.
  /// - Throws: ``JSONError`` of the element.
  @inlinable
  public mutating func element(_ value: some JSONValue, at index: Int) throws(JSONError) {
    beginItem()
    try item(value, at: index)
  }

  /// Writes an element without the comma in front of it.
  @inlinable
  mutating func item(_ value: some JSONValue, at index: Int) throws(JSONError) {
    do throws(JSONError) {
      try value.encode(into: &self)
    } catch {
      throw error.inside(index: index)
    }
  }

  /// Closes the array.
  ///
  /// ```swift
  /// writer.endArray()
  /// ```
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Opens an object; each ``field(_:_:)`` follows, then ``endObject()``.
  ///
  /// ```swift
  /// try writer.beginObject()
  /// ```
  ///
  /// - Throws: ``JSONError`` beyond ``JSONReader/maximumDepth``, since the text could not be read
  ///   again.
  public mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{")) }

  /// Writes the next member of the object, with a name that is not a constant.
  ///
  /// ```swift
  /// try writer.member(key, value)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value, with the name in its path.
  @inlinable
  public mutating func member(_ name: String, _ value: some JSONValue) throws(JSONError) {
    try member(UTF8Text(name), value)
  }

  /// Writes the next member of the object, under the name of a key.
  @inlinable
  mutating func member(_ name: UTF8Text, _ value: some JSONValue) throws(JSONError) {
    beginMember(name)
    do throws(JSONError) {
      try value.encode(into: &self)
    } catch {
      throw error.inside(key: name)
    }
  }

  /// Closes the object.
  ///
  /// ```swift
  /// writer.endObject()
  /// ```
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Writes `null`.
  ///
  /// ```swift
  /// writer.null()
  /// ```
  public mutating func null() { put("null") }
}

extension JSONWriter: JSONVisitor {
  /// Writes the next member of the object.
  ///
  /// ```swift
  /// try writer.field("id", &id)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public mutating func field<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONError) {
    beginMember(name)
    do throws(JSONError) {
      try value.encode(into: &self)
    } catch {
      throw error.inside(field: name)
    }
  }
}
