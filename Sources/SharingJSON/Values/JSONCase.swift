import SharingCore

/// The case of an enum in JSON: a text, or an object with one member for the case and its values.
///
/// For the code that ``Stored()`` writes; do not use it yourself.
///
/// ```swift
/// let found = try _JSONCase(from: &json)
/// if found.matches("none") { return try found.end("none", in: &json, .none) }
/// throw found.unknown
/// ```
public struct _JSONCase {
  private let name: JSONText
  @usableFromInline let offset: Int
  @usableFromInline let isObject: Bool

  /// Reads the name of a case.
  ///
  /// ```swift
  /// let found = try _JSONCase(from: &json)
  /// ```
  ///
  /// - Throws: ``JSONError`` for anything but a text or an object with a member.
  public init(from reader: inout JSONReader) throws(JSONError) {
    isObject = try reader.kind() == .object
    offset = reader.offset
    guard isObject else {
      name = try JSONText(from: &reader)
      return
    }
    guard try reader.beginObject() else { throw JSONError(.invalidValue, at: offset) }
    name = try reader.memberName()
  }

  /// Reads a raw value that is a text.
  ///
  /// ```swift
  /// let found = try _JSONCase(rawValueFrom: &json)
  /// ```
  ///
  /// - Throws: ``JSONError`` for anything but a text.
  public init(rawValueFrom reader: inout JSONReader) throws(JSONError) {
    reader.skipWhiteSpace()
    isObject = false
    offset = reader.offset
    name = try JSONText(from: &reader)
  }

  /// Whether the case has this name.
  ///
  /// ```swift
  /// if found.matches("circle") { … }
  /// ```
  public func matches(_ name: StaticString) -> Bool { self.name.matches(name) }

  /// The error for a case that the enum does not have, at the place of the value.
  ///
  /// ```swift
  /// throw found.unknown
  /// ```
  public var unknown: JSONError { JSONError(.invalidValue, at: offset) }

  /// Reads to the end of a case without values.
  ///
  /// ```swift
  /// if found.matches("none") { return try found.end("none", in: &json, .none) }
  /// ```
  ///
  /// - Throws: ``JSONError`` if more than the case is there.
  public func end<Value>(
    _ name: StaticString, in reader: inout JSONReader, _ value: Value
  ) throws(JSONError) -> Value {
    try values(name, in: &reader) { (_: inout JSONReader) throws(JSONError) in }
    return value
  }

  /// Reads the values of a case.
  ///
  /// ```swift
  /// var radius = _JSONMember<Double>()
  /// try found.values("circle", in: &json) { (json: inout JSONReader) throws(JSONError) in
  ///   try json.field("radius", &radius)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the case.
  ///   - reader: the reader, after the name.
  ///   - fields: passes each value to the reader; it is called again while members follow.
  /// - Throws: ``JSONError`` with the case in its path.
  @inlinable
  public func values(
    _ name: StaticString, in reader: inout JSONReader,
    _ fields: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard isObject else { return }
    do throws(JSONError) {
      try reader._members(fields)
    } catch {
      throw error.inside(field: name)
    }
    if try reader.nextMember() { throw unknown }
  }

  /// Returns a required value of a case.
  ///
  /// ```swift
  /// return .circle(radius: try found.value(radius, "radius", of: "circle"))
  /// ```
  ///
  /// - Throws: ``JSONError`` with the value in its path if it is missing.
  @inlinable
  public func value<Value: JSONValue>(
    _ value: _JSONMember<Value>, _ name: StaticString, of owner: StaticString
  ) throws(JSONError) -> Value {
    do throws(JSONError) {
      return try value.value(name, at: offset)
    } catch {
      throw error.inside(field: owner)
    }
  }

  /// Returns an optional value of a case; nil if it is missing.
  ///
  /// ```swift
  /// return .label(size: try found.value(size, "size", of: "label"))
  /// ```
  @inlinable
  public func value<Value: JSONValue>(
    _ value: _JSONMember<Value?>, _ name: StaticString, of owner: StaticString
  ) throws(JSONError) -> Value? {
    value.value ?? nil
  }
}

/// The value of a member, or none while its JSON has not been read.
///
/// It is no optional: the value may itself be nil, and have the JSON `null`.
///
/// ```swift
/// var radius = _JSONMember<Double>()
/// try json.field("radius", &radius)
/// ```
public struct _JSONMember<Value: JSONValue>: JSONValue {
  @usableFromInline var value: Value?

  /// Creates a place for a value that has not been read.
  ///
  /// ```swift
  /// var radius = _JSONMember<Double>()
  /// ```
  @inlinable
  public init() {}

  /// Returns the value.
  ///
  /// ```swift
  /// let radius = try radius.value("radius", at: start)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the member's name.
  ///   - start: the place of the object.
  /// - Throws: ``JSONError`` with the member in its path if it is missing.
  @inlinable
  public func value(_ name: StaticString, at start: Int) throws(JSONError) -> Value {
    guard let value else { throw JSONError(.missing, at: start).inside(field: name) }
    return value
  }

  /// Reads a value.
  ///
  /// ```swift
  /// let radius = try _JSONMember<Double>.decode(from: &reader)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Self {
    var read = Self()
    read.value = try Value.decode(from: &reader)
    return read
  }

  /// Writes the value, or `null` if none has been read.
  ///
  /// ```swift
  /// try radius.encode(into: &writer)
  /// ```
  ///
  /// - Throws: ``JSONError`` of the value.
  @inlinable
  public func encode(into writer: inout JSONWriter) throws(JSONError) {
    try value.encode(into: &writer)
  }
}

extension JSONWriter {
  /// Writes the name of a case as a text.
  ///
  /// ```swift
  /// json._caseName("none")  // "none"
  /// ```
  public mutating func _caseName(_ name: StaticString) {
    UTF8Text(stringLiteral: name).encode(into: &self)
  }

  /// Writes a case without values of an enum that has values in other cases.
  ///
  /// ```swift
  /// try json._emptyCase("none")  // {"none":{}}
  /// ```
  ///
  /// - Throws: ``JSONError`` beyond 512 levels.
  public mutating func _emptyCase(_ name: StaticString) throws(JSONError) {
    try _caseValues(name) { (_: inout JSONWriter) throws(JSONError) in }
  }

  /// Writes a case with its values.
  ///
  /// ```swift
  /// try json._caseValues("circle") { (json: inout JSONWriter) throws(JSONError) in
  ///   try json.field("radius", &radius)
  /// }  // {"circle":{"radius":1}}
  /// ```
  ///
  /// - Parameters:
  ///   - name: the case.
  ///   - fields: passes each value to the writer.
  /// - Throws: ``JSONError`` of a value, with the case in its path.
  @inlinable
  public mutating func _caseValues(
    _ name: StaticString, _ fields: (inout JSONWriter) throws(JSONError) -> Void
  ) throws(JSONError) {
    try beginObject()
    beginMember(name)
    do throws(JSONError) {
      try beginObject()
      try fields(&self)
    } catch {
      throw error.inside(field: name)
    }
    endObject()
    endObject()
  }
}
