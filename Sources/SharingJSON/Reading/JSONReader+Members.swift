extension JSONReader: JSONVisitor {
  /// Fills in the field, if the object's next member has its name; part of ``JSONCodable``.
  ///
  /// ```swift
  /// try reader.field("id", &id)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the field's name in its path.
  @inlinable @inline(never)
  public mutating func field<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONError) {
    guard members.name?.matches(name) == true else { return }
    do throws(JSONError) {
      value = try Value.decode(from: &self)
    } catch {
      throw error.inside(field: name)
    }
    members.isPassUnmatched = false
    try goToMember()
  }

  /// Reads an object with a function that passes each field to the reader.
  ///
  /// For the code that ``Stored()`` writes; do not use it yourself.
  /// - Throws: ``JSONError``, also of the function.
  @inlinable
  public mutating func _members(
    _ fields: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    try beginMembers()
    while members.name != nil {
      try fields(&self)
      try endPass()
    }
  }

  @usableFromInline
  mutating func beginMembers() throws(JSONError) {
    members.isPassUnmatched = true
    members.name = try beginObject() ? try memberName() : nil
  }

  /// Ends one pass over the fields, and skips a member that no field has taken.
  @usableFromInline
  mutating func endPass() throws(JSONError) {
    if members.isPassUnmatched {
      hasSkippedMembers = true
      try skipValue()
      try goToMember()
    }
    members.isPassUnmatched = true
  }

  /// Goes to the value of the next member, or past the object.
  @usableFromInline
  mutating func goToMember() throws(JSONError) {
    members.name = try nextMember() ? try memberName() : nil
  }
}

/// The progress of reading one object's members into its fields.
///
/// The fields come in their order, the members in theirs. One member is handled at a time: the
/// field with its name decodes it directly, so members in the order of the fields take a single
/// pass. A member that no field of a pass has taken has no field, and is skipped. So every pass
/// takes or skips at least one member.
///
/// A field's value may be an object, which uses this structure for its own members. That does no
/// harm: the field goes to its next member afterwards.
@usableFromInline
struct JSONMembers {
  /// The name of the member whose value is next; nil after the object.
  @usableFromInline var name: JSONText?

  /// Whether no field of this pass has taken a member yet.
  @usableFromInline var isPassUnmatched = true
}
