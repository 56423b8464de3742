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
    try member(name, isRead: scanPlainName(name), &value)
  }

  /// Reads the value of the next member, if that has the field's name.
  ///
  /// Not inlined, unlike the rest of a field: types have several fields of one kind, and a browser
  /// optimizes a large function while data is being read.
  /// - Parameter isRead: whether the field's name was found and has been read.
  @inlinable @inline(never)
  mutating func member<Value: JSONValue>(
    _ name: StaticString, isRead: Bool, _ value: inout Value
  ) throws(JSONError) {
    guard isRead ? true : try scanAnyName(name) else { return }
    do throws(JSONError) {
      value = try Value.decode(from: &self)
    } catch {
      throw error.inside(field: name)
    }
    scanValue()
  }

  /// Reads an object with a function that passes each field to the reader.
  ///
  /// For the code that ``Stored()`` writes; do not use it yourself.
  /// - Throws: ``JSONError``, also of the function.
  @inlinable
  public mutating func _members(
    _ fields: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    var hasMember = try beginMembers()
    while hasMember {
      try fields(&self)
      hasMember = try endPass()
    }
  }

  /// Opens an object, and returns whether it has a member.
  ///
  /// The test for a member directly after the brace is inlined, as is the test for the end below.
  @inline(__always) @usableFromInline
  mutating func beginMembers() throws(JSONError) -> Bool {
    guard end - next >= 2, Self.matchesTwo(0x227B, at: next), depth < Self.safeDepth else {  // {"
      return try beginAnyMembers()
    }
    next += 1
    depth += 1
    members.position = .name
    members.isPassUnmatched = true
    return true
  }

  @inline(never)
  private mutating func beginAnyMembers() throws(JSONError) -> Bool {
    let hasMember = try beginObject()
    members.position = hasMember ? .name : .behindObject
    members.isPassUnmatched = true
    return hasMember
  }

  /// Ends one pass over the fields, and skips a member that no field has taken.
  /// - Returns: Whether another member follows.
  @inline(__always) @usableFromInline
  mutating func endPass() throws(JSONError) -> Bool {
    guard members.position == .behindValue, scan(UInt8(ascii: "}")) else { return try endAnyPass() }
    depth -= 1
    return false
  }

  @inline(never)
  private mutating func endAnyPass() throws(JSONError) -> Bool {
    if members.position == .behindValue {
      try goToMember()
    } else if members.isPassUnmatched {
      try skipMember()
    }
    members.isPassUnmatched = true
    return members.position != .behindObject
  }

  @inline(never)
  private mutating func skipMember() throws(JSONError) {
    if members.position == .name { _ = try memberName() }
    hasSkippedMembers = true
    try skipValue()
    try goToMember()
  }

  /// Goes to the next member, or past the object.
  @inline(__always)
  private mutating func goToMember() throws(JSONError) {
    members.position = try nextMember() ? .name : .behindObject
  }

  /// Records that a field has taken the value of a member, and goes to the next member if its name
  /// follows directly.
  @inline(__always) @usableFromInline
  mutating func scanValue() {
    members.isPassUnmatched = false
    if end - next >= 2, Self.matchesTwo(0x222C, at: next) {  // ,"
      next += 1
      members.position = .name
    } else {
      members.position = .behindValue
    }
  }

  /// Reads the name with its quotation marks and colon, if exactly these bytes are next.
  ///
  /// Inlined, since the name is a constant, which a few instructions compare.
  ///
  /// A name with a backslash, a quotation mark or a control character is never found, since it must
  /// be escaped.
  @inline(__always) @usableFromInline
  mutating func scanPlainName(_ field: StaticString) -> Bool {
    let count = field.utf8CodeUnitCount
    guard members.position == .name, end - next >= count + 3 else { return false }
    let name = next + 1
    guard Self.matchesTwo(0x3A22, at: name + count),  // ":
      JSONPlainRun.matches(name, field.utf8Start, count: count)
    else { return false }
    next = name + count + 2
    return true
  }

  /// Reads the name, unless it has been read, and returns whether it is the field's.
  @inline(never) @usableFromInline
  mutating func scanAnyName(_ field: StaticString) throws(JSONError) -> Bool {
    if members.position == .behindValue { try goToMember() }
    if members.position == .name {
      members.name = try memberName()
      members.position = .value
    }
    return members.position == .value && members.name?.matches(field) == true
  }
}

/// The progress of reading one object's members into its fields.
///
/// The fields come in their order, the members in theirs. One member is handled at a time: the
/// field with its name decodes it directly, so members in the order of the fields take a single
/// pass, and their names are only compared. A member that no field of a pass has taken has no
/// field, and is skipped. So every pass takes or skips at least one member.
///
/// A field's value may be an object, which uses this structure for its own members. That does no
/// harm: the field sets the position again afterwards.
@usableFromInline
struct JSONMembers {
  /// Where the reader is in an object.
  enum Position: UInt8 {
    /// At the quotation mark of a member's name.
    case name

    /// At the value of a member whose name has been read, and whose field has not come yet.
    case value

    /// After a value that a field has taken. No comma and name follow directly, but others may.
    case behindValue

    /// After the object.
    case behindObject
  }

  var position = Position.behindObject

  /// Whether no field of this pass has taken a member yet.
  var isPassUnmatched = true

  /// The name of the member, if the reader is at its value.
  var name: JSONText?
}
