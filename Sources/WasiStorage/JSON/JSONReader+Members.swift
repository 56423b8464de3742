extension JSONReader: JSONVisitor {
  /// Fills in the field, if the object's next member has its name; part of ``JSONCodable``.
  ///
  /// ```swift
  /// try reader.field("id", &id)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the field's name in its path.
  @inlinable @inline(__always)
  public mutating func field<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONError) {
    guard try takeName(name) else { return }
    do throws(JSONError) {
      value = try Value.decode(from: &self)
    } catch {
      throw error.inside(field: name)
    }
  }

  /// Opens an object, and returns where the one around it was.
  @usableFromInline
  mutating func beginMembers() throws(JSONError) -> JSONMembers {
    let outer = members
    members = JSONMembers(isUnfinished: try beginObject())
    return outer
  }

  /// Ends one pass over the fields, and skips the member that no field took.
  @usableFromInline
  mutating func endPass() throws(JSONError) {
    if members.isBehindValue {
      try goToMember()
    } else if members.isPassIdle, members.isUnfinished {
      try skipMember()
    }
    members.isPassIdle = true
  }

  @inline(never)
  private mutating func skipMember() throws(JSONError) {
    if members.name == nil { _ = try memberName() }
    members.name = nil
    try skipValue()
    try goToMember()
  }

  /// Goes to the next member, or behind the object.
  @inline(never)
  private mutating func goToMember() throws(JSONError) {
    members.isUnfinished = try nextMember()
    members.isBehindValue = false
  }

  /// Goes to the value of the member that comes next, if it has the field's name.
  ///
  /// Inlined: the name is a constant there, and compared in a few instructions.
  @inline(__always) @usableFromInline
  mutating func takeName(_ field: StaticString) throws(JSONError) -> Bool {
    guard members.isUnfinished else { return false }
    if members.name != nil || !takeWritten(field) {
      guard try takeRead(field) else { return false }
    }
    members.isBehindValue = true
    members.isPassIdle = false
    return true
  }

  /// Reads the name with its quotation marks and colon, and the comma before it, if it stands there
  /// byte by byte.
  ///
  /// Not so a name with a backslash, or with anything up to the quotation mark: that may be written
  /// with escapes, and must be in part.
  @inline(__always)
  private mutating func takeWritten(_ field: StaticString) -> Bool {
    let count = field.utf8CodeUnitCount
    guard end - next >= count + 4 else { return false }
    var written = next
    if members.isBehindValue {
      guard written[0] == UInt8(ascii: ",") else { return false }
      written += 1
    }
    guard written[0] == UInt8(ascii: "\""), written[count + 1] == UInt8(ascii: "\""),
      written[count + 2] == UInt8(ascii: ":")
    else { return false }
    let name = field.utf8Start
    var index = 0
    while index < count {
      let byte = name[index]
      index += 1
      guard written[index] == byte, byte > UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else {
        return false
      }
    }
    next = written + count + 3
    return true
  }

  /// Reads the name, unless that is done, and says whether it is the field's.
  @inline(never)
  private mutating func takeRead(_ field: StaticString) throws(JSONError) -> Bool {
    if members.isBehindValue {
      try goToMember()
      guard members.isUnfinished else { return false }
    }
    let name = if let known = members.name { known } else { try memberName() }
    members.name = name
    guard name.matches(field) else { return false }
    members.name = nil
    return true
  }
}
