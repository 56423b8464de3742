import SharingCore

/// A simple value with one plain text, for `.appStorage(_:)`.
///
/// | type | text |
/// |---|---|
/// | `Bool` | `true` or `false` |
/// | integers | as JSON writes numbers: `-3` |
/// | `Double`, `Float` | the same, `0.5`, `1e+100`; and `inf`, `-inf` or `nan` |
/// | `String`, `UTF8Text` | itself |
/// | `[UInt8]`, natively `Data` | Base64 (RFC 4648, section 4) |
/// | `[String]`, `[UTF8Text]` | a JSON array |
/// | an enum of raw values | its raw value's |
/// | an optional | the value's; nil is no item, and `null` where the default is another value |
/// | natively `URL` | its absolute string |
/// | ``Timestamp`` | the milliseconds since 1970-01-01 |
/// | natively `Date` | the seconds since 2001-01-01, as `Double` |
/// | natively what is `Codable` | JSON |
///
/// Any other text is damage. A type that has a JSON form uses that when it conforms:
///
/// ```swift
/// extension Point: AppStorageValue {}
/// ```
public protocol AppStorageValue: Sendable {
  /// The value that a text stands for.
  /// - Throws: ``SharingCore/StorageError`` for the reason `corrupt` when it stands for none.
  init(storageText: [UInt8]) throws(StorageError)

  /// The value's text in UTF-8; nil where there shall be no item.
  /// - Throws: ``SharingCore/StorageError`` for the reason `unencodable` when the value has none.
  func storageText() throws(StorageError) -> [UInt8]?
}

extension AppStorageValue where Self: JSONValue {
  /// The value of a JSON text that has no white space around it.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = try value(of: storageText)
  }

  /// The value's JSON text.
  public func storageText() throws(StorageError) -> [UInt8]? { try jsonText(of: self) }
}

/// The value of a JSON text that has no white space around it.
private func value<Value: JSONValue>(of text: [UInt8]) throws(StorageError) -> Value {
  do throws(JSONError) {
    try requireNoSpace(around: text)
    return try JSON.decode(Value.self, from: text)
  } catch {
    throw StorageError(corrupt: error)
  }
}

private func jsonText(of value: some JSONValue) throws(StorageError) -> [UInt8] {
  do throws(JSONError) {
    return try JSON.encode(value)
  } catch {
    throw StorageError(unencodable: error)
  }
}

private func requireNoSpace(around text: [UInt8]) throws(JSONError) {
  for index in [0, text.count - 1] where !text.isEmpty && text[index] <= 0x20 {
    throw JSONError(.unexpectedByte(text[index]), at: index, in: text)
  }
}

extension Bool: AppStorageValue {}
extension Int: AppStorageValue {}
extension Int8: AppStorageValue {}
extension Int16: AppStorageValue {}
extension Int32: AppStorageValue {}
extension Int64: AppStorageValue {}
extension UInt: AppStorageValue {}
extension UInt8: AppStorageValue {}
extension UInt16: AppStorageValue {}
extension UInt32: AppStorageValue {}
extension UInt64: AppStorageValue {}

extension Double: AppStorageValue {}
extension Float: AppStorageValue {}

extension AppStorageValue where Self: BinaryFloatingPoint & JSONValue {
  /// Reads the number of a JSON text, or `inf`, `-inf` or `nan`.
  /// - Throws: ``SharingCore/StorageError`` for another text.
  public init(storageText: [UInt8]) throws(StorageError) {
    if let special = Self(plainText: storageText) {
      self = special
    } else {
      self = try value(of: storageText)
    }
  }

  /// Returns the number's JSON text, or `inf`, `-inf` or `nan`.
  public func storageText() throws(StorageError) -> [UInt8]? {
    if let plainText { return plainText }
    return try jsonText(of: self)
  }
}

extension BinaryFloatingPoint {
  /// The number that a text stands for and JSON has not.
  fileprivate init?(plainText: [UInt8]) {
    switch UTF8Text(plainText) {
    case "inf": self = .infinity
    case "-inf": self = -.infinity
    case "nan": self = .nan
    default: return nil
    }
  }

  /// The text of a number that JSON has not.
  fileprivate var plainText: [UInt8]? {
    if isFinite { return nil }
    let text: UTF8Text = isNaN ? "nan" : self < 0 ? "-inf" : "inf"
    return text.bytes
  }
}

extension String: AppStorageValue {
  /// The text itself.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = String(decoding: storageText, as: UTF8.self)
    guard hasBytes(storageText) else {
      throw StorageError(corrupt: JSONError(.invalidUTF8, at: 0, in: storageText))
    }
  }

  /// The text itself.
  public func storageText() -> [UInt8]? { KeyName(self).bytes }
}

extension UTF8Text: AppStorageValue {
  /// The text itself.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = UTF8Text(try String(storageText: storageText))
  }

  /// The text itself.
  public func storageText() -> [UInt8]? { bytes }
}

extension String {
  /// Whether the text has these bytes: one that was made of them has not, where they are not UTF-8.
  func hasBytes(_ bytes: [UInt8]) -> Bool {
    KeyName(self).bytes == bytes
  }
}

extension Optional: AppStorageValue where Wrapped: AppStorageValue {
  /// The value of a text; nil for `null`, unless that is a value's text.
  public init(storageText: [UInt8]) throws(StorageError) {
    do throws(StorageError) {
      self = try Wrapped(storageText: storageText)
    } catch {
      guard storageText == AnyStorageCoding.null else { throw error }
      self = nil
    }
  }

  /// The value's text; nil has none.
  public func storageText() throws(StorageError) -> [UInt8]? {
    guard let value = self else { return nil }
    return try value.storageText()
  }
}

extension Array: AppStorageValue where Element: AppStorageElement {
  /// The array of a text.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = try Element.array(storageText: storageText)
  }

  /// The array's text.
  public func storageText() throws(StorageError) -> [UInt8]? {
    try Element.storageText(of: self)
  }
}

/// An element whose arrays have a plain text: `UInt8` (Base64), and `String` and `UTF8Text` (a JSON
/// array).
public protocol AppStorageElement: Sendable {
  /// The array that a text stands for.
  /// - Throws: ``SharingCore/StorageError`` for the reason `corrupt` when it stands for none.
  static func array(storageText: [UInt8]) throws(StorageError) -> [Self]
  /// The text of an array.
  /// - Throws: ``SharingCore/StorageError`` for the reason `unencodable` when it has none.
  static func storageText(of array: [Self]) throws(StorageError) -> [UInt8]?
}

extension UInt8: AppStorageElement {
  /// The bytes of a Base64 text.
  public static func array(storageText: [UInt8]) throws(StorageError) -> [UInt8] {
    try Base64.decode(storageText)
  }

  /// The Base64 text of bytes.
  public static func storageText(of array: [UInt8]) -> [UInt8]? {
    Base64.encode(array)
  }
}

extension String: AppStorageElement {
  /// The strings of a JSON array.
  public static func array(storageText: [UInt8]) throws(StorageError) -> [String] {
    try value(of: storageText)
  }

  /// The JSON array of strings.
  public static func storageText(of array: [String]) throws(StorageError) -> [UInt8]? {
    try jsonText(of: array)
  }
}

extension UTF8Text: AppStorageElement {
  /// The texts of a JSON array.
  public static func array(storageText: [UInt8]) throws(StorageError) -> [UTF8Text] {
    try value(of: storageText)
  }

  /// The JSON array of texts.
  public static func storageText(of array: [UTF8Text]) throws(StorageError) -> [UInt8]? {
    try jsonText(of: array)
  }
}
