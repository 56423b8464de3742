extension JSONReader {
  /// Opens an array, and says whether it has an element.
  ///
  /// ```swift
  /// var sum = 0
  /// var isElement = try reader.beginArray()
  /// while isElement {
  ///   sum += try Int.decode(from: &reader)
  ///   isElement = try reader.nextElement()
  /// }
  /// ```
  ///
  /// - Throws: ``JSONError`` when the next value is no array, or lies too deep.
  public mutating func beginArray() throws(JSONError) -> Bool {
    try open(UInt8(ascii: "["), .array)
    return !close(UInt8(ascii: "]"))
  }

  /// Goes to the next element, or behind the array; says whether there is one.
  ///
  /// ```swift
  /// isElement = try reader.nextElement()
  /// ```
  ///
  /// - Throws: ``JSONError`` for anything but a comma or the end of the array.
  public mutating func nextElement() throws(JSONError) -> Bool {
    try nextItem(orEnd: UInt8(ascii: "]"))
  }

  /// Reads the element that is next.
  ///
  /// ```swift
  /// let row: Row = try reader.element(at: rows.count)
  /// ```
  ///
  /// - Parameter index: its place in the array, for the path of an error.
  /// - Throws: ``JSONError`` of the element.
  @inlinable
  public mutating func element<Value: JSONValue>(at index: Int) throws(JSONError) -> Value {
    do throws(JSONError) {
      return try Value.decode(from: &self)
    } catch {
      throw error.inside(index: index)
    }
  }

  /// Opens an object, and reads its first member's name and colon.
  @usableFromInline
  mutating func beginObject() throws(JSONError) -> JSONText? {
    try open(UInt8(ascii: "{"), .object)
    return close(UInt8(ascii: "}")) ? nil : try memberName()
  }

  /// Goes to the next member and reads its name and colon, or goes behind the object.
  @usableFromInline
  mutating func nextMember() throws(JSONError) -> JSONText? {
    try nextItem(orEnd: UInt8(ascii: "}")) ? try memberName() : nil
  }

  private mutating func nextItem(orEnd end: UInt8) throws(JSONError) -> Bool {
    guard !close(end) else { return false }
    guard take(UInt8(ascii: ",")) else { throw unexpected() }
    return true
  }

  private mutating func memberName() throws(JSONError) -> JSONText {
    skipWhiteSpace()
    guard peek() == UInt8(ascii: "\"") else { throw unexpected() }
    let name = try JSONText(from: &self)
    skipWhiteSpace()
    guard take(UInt8(ascii: ":")) else { throw unexpected() }
    return name
  }
}
