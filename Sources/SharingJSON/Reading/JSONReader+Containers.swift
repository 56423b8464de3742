extension JSONReader {
  /// Opens an array, and returns whether it has an element.
  /// - Throws: ``JSONError`` if the next value is not an array, or is nested too deep.
  @usableFromInline
  package mutating func beginArray() throws(JSONError) -> Bool {
    try open(UInt8(ascii: "["), .array)
    return !close(UInt8(ascii: "]"))
  }

  /// Goes to the next element, or past the array, and returns whether there is one.
  /// - Throws: ``JSONError`` for anything but a comma or the end of the array.
  @usableFromInline
  package mutating func nextElement() throws(JSONError) -> Bool {
    try nextItem(orEnd: UInt8(ascii: "]"))
  }

  /// Reads the next element.
  /// - Parameter index: its index in the array, for the path of an error.
  /// - Throws: ``JSONError`` of the element.
  @inlinable
  package mutating func element<Value: JSONValue>(at index: Int) throws(JSONError) -> Value {
    do throws(JSONError) {
      return try Value.decode(from: &self)
    } catch {
      throw error.inside(index: index)
    }
  }

  /// Records the offset of the comma or bracket that was just read.
  @inline(never) @usableFromInline
  func recordEnd(in ends: UnsafeMutablePointer<[Int]>) {
    ends.pointee.append(offset &- 1)
  }

  /// The capacity for an array that is full with `count` elements: as many as the rest of the bytes
  /// holds if all are alike, within bounds, so that a wrong guess costs little.
  @inline(never) @usableFromInline
  func capacity(for count: Int, since start: Int) -> Int {
    let length = (offset - start) / count
    return count + min(max((end - next) / length + 1, count / 4), 3 * count)
  }

  /// Opens an object, and returns whether it has a member.
  @usableFromInline
  package mutating func beginObject() throws(JSONError) -> Bool {
    try open(UInt8(ascii: "{"), .object)
    return close(UInt8(ascii: "}")) ? false : try isAtName()
  }

  /// Opens an object and reads the name of its first member, if it is this one, written without
  /// escapes. Otherwise the reader stays where it is.
  package mutating func beginObject(with name: StaticString) -> Bool {
    let before = next
    skipWhiteSpace()
    if skip(UInt8(ascii: "{")), scan(name: name) {
      depth += 1
      return true
    }
    next = before
    return false
  }

  /// Reads a quoted name without escapes and the colon, if it is this one.
  private mutating func scan(name: StaticString) -> Bool {
    skipWhiteSpace()
    guard skip(UInt8(ascii: "\"")) else { return false }
    for index in 0..<name.utf8CodeUnitCount {
      guard skip(name.utf8Start[index]) else { return false }
    }
    guard skip(UInt8(ascii: "\"")) else { return false }
    skipWhiteSpace()
    return skip(UInt8(ascii: ":"))
  }

  /// Goes to the next member, or past the object, and returns whether there is one.
  @inline(__always) @usableFromInline
  package mutating func nextMember() throws(JSONError) -> Bool {
    try nextItem(orEnd: UInt8(ascii: "}")) ? try isAtName() : false
  }

  /// Reads the name of the next member, and the colon.
  @usableFromInline
  package mutating func memberName() throws(JSONError) -> JSONText {
    let name = try JSONText(from: &self)
    try scanColon()
    return name
  }

  mutating func scanColon() throws(JSONError) {
    skipWhiteSpace()
    guard scan(UInt8(ascii: ":")) else { throw unexpected() }
  }

  @inline(__always)
  private mutating func nextItem(orEnd end: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    if scan(UInt8(ascii: ",")) { return true }
    guard close(end) else { throw unexpected() }
    return false
  }

  @inline(__always)
  private mutating func isAtName() throws(JSONError) -> Bool {
    skipWhiteSpace()
    guard peek() == UInt8(ascii: "\"") else { throw unexpected() }
    return true
  }
}
