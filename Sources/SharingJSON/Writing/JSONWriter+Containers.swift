import SharingCore

extension JSONWriter {
  /// Opens an array; each ``element(_:at:)`` follows, then ``endArray()``.
  /// - Throws: ``JSONError`` beyond 512 levels, since the text could not be read
  ///   again.
  @usableFromInline
  package mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "[")) }

  /// Writes the next element of the array.
  /// - Parameters:
  ///   - value: the element.
  ///   - index: its index in the array, for the path of an error.
  /// - Throws: ``JSONError`` of the element.
  @inlinable
  package mutating func element(_ value: some JSONValue, at index: Int) throws(JSONError) {
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
  @usableFromInline
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Opens an object; each ``field(_:_:)`` follows, then ``endObject()``.
  /// - Throws: ``JSONError`` beyond 512 levels, since the text could not be read
  ///   again.
  @usableFromInline
  package mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{")) }

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
  @usableFromInline
  package mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Writes `null`.
  ///
  /// ```swift
  /// writer.null()
  /// ```
  @usableFromInline
  package mutating func null() { put("null") }
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
