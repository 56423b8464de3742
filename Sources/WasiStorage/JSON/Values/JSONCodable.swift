/// An object that says its fields once, for both directions.
///
/// ```swift
/// struct Todo: JSONCodable {
///   var id = 0
///   var title = ""
///   mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
///     try json.field("id", &id)
///     try json.field("title", &title)
///   }
/// }
/// ```
///
/// A field that the stored object lacks keeps the default of ``init()``, so that a new field needs
/// no migration; a member that no field takes is checked and skipped; of members with the same name
/// the last one wins. Members may come in any order, and cost one pass when they come in the order
/// of the fields.
public protocol JSONCodable: JSONValue {
  /// The object with every field at its default.
  ///
  /// ```swift
  /// let untitled = Todo()
  /// ```
  init()

  /// Shows each field to the visitor, always the same ones in the same order.
  ///
  /// ```swift
  /// mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
  ///   try json.field("id", &id)
  /// }
  /// ```
  ///
  /// Reading calls this again while members are left, so it should do nothing but that.
  /// - Throws: What the visitor throws.
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError)
}

extension JSONCodable {
  /// Reads the object: its defaults, then what the members say.
  ///
  /// ```swift
  /// let todo = try Todo.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the field's name in its path.
  @inlinable @inline(never)
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Self {
    // Not inlined into the loop over an array: that could not change to the form that a browser has
    // optimized before it ends.
    var object = Self()
    var hasMember = try reader.beginMembers()
    while hasMember {
      try object.fields(&reader)
      hasMember = try reader.endPass()
    }
    return object
  }

  /// Writes the object with its members in the order of the fields.
  ///
  /// ```swift
  /// try todo.encode(into: &writer)  // {"id":0,"title":""}
  /// ```
  ///
  /// - Throws: ``JSONError`` with the field's name in its path.
  @inline(never) @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    var object = self
    try writer.beginObject()
    try object.fields(&writer)
    writer.endObject()
  }
}

/// What ``JSONCodable/fields(_:)`` shows its fields to: one visitor writes them, another fills them
/// in.
///
/// ```swift
/// mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
///   try json.field("id", &id)
/// }
/// ```
///
/// A protocol with one generic method, because that specializes away: Embedded Swift has no
/// existentials, no `Codable` and no key paths as values.
public protocol JSONVisitor {
  /// Writes `value` as the member `name`, or replaces it by the stored one where the object has it.
  ///
  /// ```swift
  /// try json.field("title", &title)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the member's name in the JSON object; any text, escaped as needed.
  ///   - value: the field; it keeps its default when the stored object lacks the member.
  /// - Throws: ``JSONError`` with the field's name in its path.
  mutating func field<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONError)
}
