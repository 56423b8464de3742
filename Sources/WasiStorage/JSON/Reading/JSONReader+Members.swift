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
    try member(name, isRead: scanWritten(name), &value)
  }

  /// Reads the value of the member that comes next, if that has the field's name.
  ///
  /// Not inlined, as the rest of a field is: types have several fields of one kind, and a browser
  /// optimizes a large function while data are being read.
  /// - Parameter isRead: whether the name is known to be the field's, and has been read.
  @inlinable @inline(never)
  mutating func member<Value: JSONValue>(
    _ name: StaticString, isRead: Bool, _ value: inout Value
  ) throws(JSONError) {
    guard isRead ? true : try scanRead(name) else { return }
    do throws(JSONError) {
      value = try Value.decode(from: &self)
    } catch {
      throw error.inside(field: name)
    }
    scanValue()
  }

  /// Opens an object, and says whether it has a member.
  ///
  /// The look for a member at once is inlined, as is that for the end below.
  @inline(__always) @usableFromInline
  mutating func beginMembers() throws(JSONError) -> Bool {
    guard end - next >= 2, Self.areTwo(0x227B, at: next), depth < Self.safeDepth else {  // {"
      return try beginAnyMembers()
    }
    next += 1
    depth += 1
    members.place = .name
    members.isPassIdle = true
    return true
  }

  @inline(never)
  private mutating func beginAnyMembers() throws(JSONError) -> Bool {
    let hasMember = try beginObject()
    members.place = hasMember ? .name : .behindObject
    members.isPassIdle = true
    return hasMember
  }

  /// Ends one pass over the fields, and skips the member that no field took.
  /// - Returns: Whether a member is left.
  @inline(__always) @usableFromInline
  mutating func endPass() throws(JSONError) -> Bool {
    guard members.place == .behindValue, scan(UInt8(ascii: "}")) else { return try endAnyPass() }
    depth -= 1
    return false
  }

  @inline(never)
  private mutating func endAnyPass() throws(JSONError) -> Bool {
    if members.place == .behindValue {
      try goToMember()
    } else if members.isPassIdle {
      try skipMember()
    }
    members.isPassIdle = true
    return members.place != .behindObject
  }

  @inline(never)
  private mutating func skipMember() throws(JSONError) {
    if members.place == .name { _ = try memberName() }
    hasSkippedMembers = true
    try skipValue()
    try goToMember()
  }

  /// Goes to the next member, or behind the object.
  @inline(__always)
  private mutating func goToMember() throws(JSONError) {
    members.place = try nextMember() ? .name : .behindObject
  }

  /// Notes that a field has taken the value of a member, and goes to the next one if that is plain
  /// to see.
  @inline(__always) @usableFromInline
  mutating func scanValue() {
    members.isPassIdle = false
    if end - next >= 2, Self.areTwo(0x222C, at: next) {  // ,"
      next += 1
      members.place = .name
    } else {
      members.place = .behindValue
    }
  }

  /// Reads the name with its quotation marks and colon, if it stands there byte by byte.
  ///
  /// Inlined: the name is a constant there, and compared in a few instructions.
  ///
  /// Not so a name with a backslash, a quotation mark or a control character: that must be escaped.
  @inline(__always) @usableFromInline
  mutating func scanWritten(_ field: StaticString) -> Bool {
    let count = field.utf8CodeUnitCount
    guard members.place == .name, end - next >= count + 3 else { return false }
    let name = next + 1
    guard Self.areTwo(0x3A22, at: name + count),  // ":
      JSONPlainRun.matches(name, field.utf8Start, count: count)
    else { return false }
    next = name + count + 2
    return true
  }

  /// Reads the name, unless that is done, and says whether it is the field's.
  @inline(never) @usableFromInline
  mutating func scanRead(_ field: StaticString) throws(JSONError) -> Bool {
    if members.place == .behindValue { try goToMember() }
    if members.place == .name {
      members.name = try memberName()
      members.place = .value
    }
    return members.place == .value && members.name?.matches(field) == true
  }
}

/// How far the members of one stored object have found their fields.
///
/// The fields come in their order, the members in theirs. One member is looked at at a time: the
/// field that has its name decodes it on the spot, so that members in the fields' order take a
/// single pass, and their names are only compared. A member that all fields of a pass left alone
/// has none, and is skipped. Every pass therefore takes or skips at least one member.
///
/// A field's value may be an object, whose members are then here meanwhile. They leave only what
/// does not matter: the field says anew where the reader is.
@usableFromInline
struct JSONMembers {
  /// Where the reader is.
  enum Place: UInt8 {
    /// At the quotation mark of a member's name.
    case name

    /// At the value of a member whose name has been read, and waits for its field.
    case value

    /// Behind the value that a field has taken: no comma and name follow at once, but others may.
    case behindValue

    /// Behind the object.
    case behindObject
  }

  var place = Place.behindObject

  /// Whether no field of this pass has taken a member yet.
  var isPassIdle = true

  /// The name that has been read, at a value.
  var name: JSONText?
}
