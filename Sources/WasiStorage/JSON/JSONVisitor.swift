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
