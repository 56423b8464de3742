import SharingCore

/// An object that lists its fields once, for reading and for writing.
///
/// ```swift
/// page.bind("todos") { todos }  // an array of a type with fields
/// ```
///
/// A ``Stored()`` struct with ``Required()`` properties conforms to it. A type that lists its
/// fields by hand conforms to ``JSONCodable``, which also reads them.
public protocol JSONFields: JSONValue {
  /// Passes each field to the visitor, always the same ones in the same order.
  ///
  /// ```swift
  /// mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
  ///   try json.field("id", &id)
  /// }
  /// ```
  ///
  /// Reading calls this again while members are left, so it should do nothing else.
  /// - Throws: The error of the visitor.
  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError)
}

extension JSONFields {
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

extension JSONFields {
  /// Sets a field to the value with a text: a text stands as it is, another value as its JSON.
  /// - Returns: Whether there is such a field; nil if the text is no value of it.
  package mutating func set(_ field: UTF8Text, to text: UTF8Text) -> Bool? {
    for json in [(try? JSON.encode(text)) ?? [], text.bytes] where JSON.isValue(json) {
      var changed = self
      guard let isField = try? changed.read(field, json) else { continue }
      self = changed
      return isField
    }
    return nil
  }

  private mutating func read(_ field: UTF8Text, _ json: [UInt8]) throws(JSONError) -> Bool {
    var writer = JSONWriter()
    field.encode(into: &writer)
    var reader = JSONReader(
      [UInt8(ascii: "{")] + writer.bytes + [UInt8(ascii: ":")] + json + [UInt8(ascii: "}")])
    try reader._members { (reader) throws(JSONError) in try fields(&reader) }
    return !reader.hasSkippedMembers
  }
}

/// An object whose fields have defaults.
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
/// A field that the stored object lacks keeps its default of ``init()``, so a new field needs no
/// migration. A member without a field is checked and skipped. Of several members with the same
/// name, the last one wins. Members may come in any order, and take one pass if they come in the
/// order of the fields.
public protocol JSONCodable: JSONFields {
  /// The object with every field at its default.
  ///
  /// ```swift
  /// let untitled = Todo()
  /// ```
  init()
}

extension JSONCodable {
  /// Reads the object: its defaults, then the stored members.
  ///
  /// ```swift
  /// let todo = try Todo.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` with the field's name in its path.
  @inlinable @inline(never)
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Self {
    // Not inlined into the loop over an array: a browser could not switch that loop to its
    // optimized form before it ends.
    var object = Self()
    try reader._members { (reader) throws(JSONError) in try object.fields(&reader) }
    return object
  }
}

/// Receives the fields of ``JSONFields/fields(_:)``: one visitor writes them, another one reads
/// them.
///
/// ```swift
/// mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
///   try json.field("id", &id)
/// }
/// ```
///
/// The protocol has one generic method, since the compiler specializes it: Embedded Swift has no
/// existentials, no `Codable` and no key paths as values.
public protocol JSONVisitor {
  /// Writes `value` as the member `name`, or replaces it by the stored member, if there is one.
  ///
  /// ```swift
  /// try json.field("title", &title)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the member's name in the JSON object; any text, escaped as needed.
  ///   - value: the field; it keeps its default if the stored object lacks the member.
  /// - Throws: ``JSONError`` with the field's name in its path.
  mutating func field<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONError)
}
