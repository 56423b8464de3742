import SharingCore

/// A type whose values have a JSON form, and can be read from it.
///
/// Most types need no code: numbers, `Bool`, `String`, `Timestamp`, `Duration`, and optionals,
/// arrays, sets and dictionaries of such values conform. An enum with raw values only declares the
/// conformance (and, if they are strings, `CaseIterable`, or it costs 29 kB in WebAssembly). An
/// object lists its fields once as a ``JSONCodable``.
///
/// ```swift
/// enum Filter: String, CaseIterable, JSONValue { case all, active, completed }
/// ```
///
/// A type with another form implements both requirements, in terms of values that conform already:
///
/// ```swift
/// struct Percent: JSONValue {
///   var value = 0
///   static func decode(from reader: inout JSONReader) throws(JSONError) -> Percent {
///     Percent(value: try Int.decode(from: &reader))
///   }
///   func encode(into writer: inout JSONWriter) throws(JSONError) {
///     try value.encode(into: &writer)
///   }
/// }
/// ```
public protocol JSONValue: Sendable {
  /// Reads exactly one value, and leaves the reader past its last byte.
  ///
  /// ```swift
  /// var reader = JSONReader([0x34, 0x32])
  /// let answer = try Int.decode(from: &reader)  // 42
  /// ```
  ///
  /// - Throws: ``JSONError`` if the bytes are not JSON, or are JSON of another type or range.
  static func decode(from reader: inout JSONReader) throws(JSONError) -> Self

  /// Writes exactly one value.
  ///
  /// ```swift
  /// var writer = JSONWriter()
  /// try 42.encode(into: &writer)
  /// ```
  ///
  /// - Throws: ``JSONError`` if the value has no JSON form (an infinity), or nests too deep to be
  ///   read again.
  func encode(into writer: inout JSONWriter) throws(JSONError)

  // The requirements below are not for programs. Arrays implement them element by element, other
  // values as a whole. Embedded Swift has no dynamic cast to test whether a value is an array.

  /// Implements ``_EncodedJSON/update(to:_:)``.
  func _encode(over text: inout _EncodedJSON, _ changes: ElementChanges) throws(JSONError)

  /// Reads a value, and keeps the text of an array, so that single elements can be changed.
  static func _decode(
    _ bytes: [UInt8], keeping text: inout _EncodedJSON
  ) throws(JSONError) -> Self

  /// Decodes only those elements of an array whose text differs; nil for a type that is not an
  /// array, so that a program without arrays does not link the code.
  static var _patch: _ElementPatcher? { get }

  /// Writes the members of a stored text that the type does not have; nil for a type whose JSON has
  /// no members, so that a program of such types does not link the code.
  static var _memberWriter: _UnknownMemberWriter? { get }
}

/// Prepares the change of an array to another one. Not for programs.
/// - Parameters:
///   - array: The array's address.
///   - bytes: The JSON text of another array.
///   - text: The array's own text; it becomes that of the other one.
/// - Returns: Nil if all of the array has to be decoded.
public typealias _ElementPatcher =
  @Sendable (
    _ array: UnsafeRawPointer, _ bytes: [UInt8], _ text: inout _EncodedJSON
  ) -> (any _ValuePatch)?

extension JSONValue {
  /// Nil: the value is decoded as a whole.
  public static var _patch: _ElementPatcher? { nil }

  /// Merges the unknown members of any object.
  public static var _memberWriter: _UnknownMemberWriter? { .merging }
}
