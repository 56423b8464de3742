extension JSONReader: JSONVisitor {
  /// Fills in the field, if the object's next member has its name; part of ``JSONCodable``.
  ///
  /// ```swift
  /// try reader.field("id", &id)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the field's name in its path.
  @inlinable
  public mutating func field<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONError) {
    while isNext(name) {
      do throws(JSONError) {
        value = try Value.decode(from: &self)
      } catch {
        throw error.inside(field: name)
      }
      try takeNext()
    }
  }

  /// Opens an object, and returns where the one around it was.
  @usableFromInline
  mutating func beginMembers() throws(JSONError) -> JSONMembers {
    let outer = members
    members = JSONMembers(name: try beginObject())
    return outer
  }

  /// Ends one pass over the fields, and skips the member that no field took.
  @usableFromInline
  mutating func endPass() throws(JSONError) {
    if members.isPassIdle, members.isUnfinished {
      try skipValue()
      members.name = try nextMember()
    }
    members.isPassIdle = true
  }

  /// Whether the member that waits has the field's name.
  ///
  /// Not inlined, as below: a copy per field would cost WebAssembly more bytes than the call costs
  /// time. Mutating, lest each call copy the reader, which took a tenth of the time of decoding.
  @inline(never) @usableFromInline
  mutating func isNext(_ field: StaticString) -> Bool {
    guard let name = members.name else { return false }
    return name.matches(field, in: input)
  }

  /// Goes to the next member, now that a field has this one's value.
  @inline(never) @usableFromInline
  mutating func takeNext() throws(JSONError) {
    members.name = try nextMember()
    members.isPassIdle = false
  }
}
