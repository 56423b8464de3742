import SharingCore

/// A type that has a JSON form, and can be read from it again.
///
/// Most types get this for free: numbers, `Bool`, `String`, ``Timestamp``, optionals, arrays and
/// dictionaries of such values conform, an enum with raw values only has to say so (and one of
/// strings that it is `CaseIterable`, or it costs 29 kB in WebAssembly), and an object says its
/// fields once as a ``JSONCodable``:
///
/// ```swift
/// enum Filter: String, CaseIterable, JSONValue { case all, active, completed }
/// ```
///
/// A form of its own takes both requirements, each in terms of values that conform already:
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
  /// Reads exactly one value, and leaves the reader behind its last byte.
  ///
  /// ```swift
  /// var reader = JSONReader([0x34, 0x32])
  /// let answer = try Int.decode(from: &reader)  // 42
  /// ```
  ///
  /// - Throws: ``JSONError`` when the bytes are not JSON, or are JSON of another type or range.
  static func decode(from reader: inout JSONReader) throws(JSONError) -> Self

  /// Writes exactly one value.
  ///
  /// ```swift
  /// var writer = JSONWriter()
  /// try 42.encode(into: &writer)
  /// ```
  ///
  /// - Throws: ``JSONError`` when the value has no JSON form (an infinity), or nests too deep to be
  ///   read again.
  func encode(into writer: inout JSONWriter) throws(JSONError)

  // Those below are not for programs: arrays do element by element what other values do as a
  // whole. Embedded Swift has no dynamic cast with which to ask whether a value is an array.

  /// For ``EncodedJSON/update(to:changed:)``.
  func _encode(over text: inout EncodedJSON, changed: [Int]?) throws(JSONError)

  /// For a stored value, which keeps the text of an array to change elements of it.
  static func _decode(
    _ bytes: [UInt8], keeping text: inout EncodedJSON
  ) throws(JSONError) -> Self

  /// For ``EncodedJSON/read(_:into:)``, where only some elements of an array have to be decoded.
  /// - Returns: Which; nil where all has to be, and then nothing has changed.
  mutating func _decode(_ bytes: [UInt8], over text: inout EncodedJSON) -> ElementChanges?

  /// Has a stored value take over only the elements of an array that differ, and answers whether it
  /// could; nil for what is no array.
  static var _deliver: (@Sendable (_ changes: _StoredChanges) -> Bool)? { get }

  /// Writes members of a stored text that the type does not have; nil for a type whose JSON has no
  /// members: a program of such values alone does not link the code.
  static var _memberWriter: _UnknownMemberWriter? { get }
}

extension JSONValue {
  /// Leaves it to others to hand over the value as a whole.
  public static var _deliver: (@Sendable (_ changes: _StoredChanges) -> Bool)? { nil }

  /// Writes such members of any object.
  public static var _memberWriter: _UnknownMemberWriter? { .merging }
}
