/// The six kinds of JSON value.
@usableFromInline
package enum JSONKind: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool
  /// `-12.5e3`
  case number
  /// `"text"`
  case string
  /// `[1, 2]`
  case array
  /// `{"id": 1}`
  case object

  /// The kind as a noun with its article, for messages.
  var noun: StaticString {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
