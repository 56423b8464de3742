import SharingCore

/// A key of a dictionary that is stored as an object: `String`, `UTF8Text`, `Int`, or a type of
/// yours.
///
/// ```swift
/// struct RoomID: JSONKey {
///   var number = 0
///   init?(jsonKey: UTF8Text) {
///     guard let number = Int(jsonKey: jsonKey) else { return nil }
///     self.number = number
///   }
///   var jsonKey: UTF8Text { number.jsonKey }
/// }
/// @Shared(.localStorage("names")) var names: [RoomID: UTF8Text] = [:]
/// ```
///
/// Natively, `Codable` reads and writes the same object for keys of `String`, of `Int`, and of a
/// type that is a `CodingKeyRepresentable`.
public protocol JSONKey: Hashable, Sendable {
  /// The key that has this name; nil if there is none.
  ///
  /// ```swift
  /// let key = Int(jsonKey: "7")
  /// ```
  init?(jsonKey: UTF8Text)

  /// The name of the member: another one for each key.
  ///
  /// ```swift
  /// let name = 7.jsonKey  // "7"
  /// ```
  var jsonKey: UTF8Text { get }

  /// Reads the name of a member. Not for programs: a `String` is made without a copy.
  static func _decodeKey(from reader: inout JSONReader) throws(JSONError) -> Self
}

extension JSONKey {
  /// Reads the name of a member, and finds the key that has it.
  public static func _decodeKey(from reader: inout JSONReader) throws(JSONError) -> Self {
    let start = reader.offset
    let name = UTF8Text(try reader.memberName().utf8)
    guard let key = Self(jsonKey: name) else {
      throw JSONError(.invalidValue, at: start).inside(key: name)
    }
    return key
  }
}

extension String: JSONKey {
  /// The text itself.
  public init?(jsonKey: UTF8Text) { self = jsonKey.description }

  /// The text itself.
  public var jsonKey: UTF8Text { UTF8Text(self) }

  /// Reads the name of a member.
  public static func _decodeKey(from reader: inout JSONReader) throws(JSONError) -> String {
    try reader.memberName().string
  }
}

extension UTF8Text: JSONKey {
  /// The text itself.
  public init?(jsonKey: UTF8Text) { self = jsonKey }

  /// The text itself.
  public var jsonKey: UTF8Text { self }
}

extension Int: JSONKey {
  /// The number with these digits; nil for another spelling of it, such as `01`, and for a number
  /// that an `Int` cannot hold.
  public init?(jsonKey: UTF8Text) {
    guard let number = try? JSON.decode(Int.self, from: jsonKey.bytes), number.jsonKey == jsonKey
    else { return nil }
    self = number
  }

  /// The number in decimal.
  public var jsonKey: UTF8Text { "\(self)" }
}
