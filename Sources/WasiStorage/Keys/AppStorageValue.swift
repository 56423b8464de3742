import SharingCore
import SharingJSON

/// A simple value with a plain text, for `.appStorage(_:)`.
///
/// | type | text |
/// |---|---|
/// | `Bool` | `true` or `false` |
/// | integers | as in JSON: `-3` |
/// | `Double`, `Float` | as in JSON: `0.5`, `1e+100`; also `inf`, `-inf` and `nan` |
/// | `String`, `UTF8Text` | the text itself |
/// | `[UInt8]`, natively `Data` | Base64 (RFC 4648, section 4) |
/// | `[String]`, `[UTF8Text]` | a JSON array |
/// | an enum with raw values | the raw value's text |
/// | an optional | the value's text; nil has no item or, if it is not the default, `null` |
/// | natively `URL` | its absolute string |
/// | ``Timestamp`` | the milliseconds since 1970-01-01 |
/// | natively `Date` | the seconds since 2001-01-01, as `Double` |
/// | natively other `Codable` types | JSON |
///
/// Any other text is corrupt. A type with a JSON form can conform without further code:
///
/// ```swift
/// extension Point: AppStorageValue {}
/// ```
/// A change of such a value removes stored members that the type does not have; `.localStorage(_:)`
/// keeps them.
public protocol AppStorageValue: Sendable {
  /// Creates the value from its text in UTF-8.
  /// - Throws: ``SharingCore/StorageError`` with the reason `corrupt` if the text is invalid.
  init(storageText: [UInt8]) throws(StorageError)

  /// Returns the value's text in UTF-8; nil to remove the item.
  /// - Throws: ``SharingCore/StorageError`` with the reason `unencodable` if the value has no text.
  func storageText() throws(StorageError) -> [UInt8]?
}

extension AppStorageValue where Self: JSONValue {
  /// Decodes a JSON text without white space around it.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = try value(of: storageText)
  }

  /// Returns the value's JSON text.
  public func storageText() throws(StorageError) -> [UInt8]? { try jsonText(of: self) }
}

/// Decodes a JSON text without white space around it.
private func value<Value: JSONValue>(of text: [UInt8]) throws(StorageError) -> Value {
  do throws(JSONError) {
    try requireNoSpace(around: text)
    return try JSON.decode(Value.self, from: text)
  } catch {
    throw StorageError(corrupt: error)
  }
}

/// Returns the value's JSON text.
func jsonText(of value: some JSONValue) throws(StorageError) -> [UInt8] {
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
  /// Reads a number that JSON lacks: `inf`, `-inf` or `nan`.
  fileprivate init?(plainText: [UInt8]) {
    switch UTF8Text(plainText) {
    case "inf": self = .infinity
    case "-inf": self = -.infinity
    case "nan": self = .nan
    default: return nil
    }
  }

  /// The text of a number that JSON lacks; nil for finite numbers.
  fileprivate var plainText: [UInt8]? {
    if isFinite { return nil }
    let text: UTF8Text = isNaN ? "nan" : self < 0 ? "-inf" : "inf"
    return text.bytes
  }
}

extension String: AppStorageValue {
  /// Decodes the text as UTF-8.
  /// - Throws: ``SharingCore/StorageError`` if it is not UTF-8.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = String(decoding: storageText, as: UTF8.self)
    guard hasBytes(storageText) else {
      throw StorageError(corrupt: JSONError(.invalidUTF8, at: 0, in: storageText))
    }
  }

  /// Returns the text itself, in UTF-8.
  public func storageText() -> [UInt8]? { KeyName(self).bytes }
}

extension UTF8Text: AppStorageValue {
  /// Decodes the text as UTF-8.
  /// - Throws: ``SharingCore/StorageError`` if it is not UTF-8.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = UTF8Text(try String(storageText: storageText))
  }

  /// Returns the text itself, in UTF-8.
  public func storageText() -> [UInt8]? { bytes }
}

extension Optional: AppStorageValue where Wrapped: AppStorageValue {
  /// Reads the value of a text; nil for `null`, unless `null` is the text of a value.
  public init(storageText: [UInt8]) throws(StorageError) {
    do throws(StorageError) {
      self = try Wrapped(storageText: storageText)
    } catch {
      guard storageText == AnyStorageCoding.null else { throw error }
      self = nil
    }
  }

  /// Returns the value's text; nil for nil.
  public func storageText() throws(StorageError) -> [UInt8]? {
    guard let value = self else { return nil }
    return try value.storageText()
  }
}

extension Array: AppStorageValue where Element: AppStorageElement {
  /// Reads the array of a text.
  public init(storageText: [UInt8]) throws(StorageError) {
    self = try Element.array(storageText: storageText)
  }

  /// Returns the array's text.
  public func storageText() throws(StorageError) -> [UInt8]? {
    try Element.storageText(of: self)
  }
}

/// An element whose arrays have a plain text: `UInt8` (Base64), and `String` and `UTF8Text` (a JSON
/// array).
public protocol AppStorageElement: Sendable {
  /// Returns the array of a text in UTF-8.
  /// - Throws: ``SharingCore/StorageError`` with the reason `corrupt` if the text is invalid.
  static func array(storageText: [UInt8]) throws(StorageError) -> [Self]
  /// Returns the text of an array in UTF-8.
  /// - Throws: ``SharingCore/StorageError`` with the reason `unencodable` if the array has no text.
  static func storageText(of array: [Self]) throws(StorageError) -> [UInt8]?
}

extension UInt8: AppStorageElement {
  /// Decodes the bytes of a Base64 text.
  public static func array(storageText: [UInt8]) throws(StorageError) -> [UInt8] {
    try Base64.decode(storageText)
  }

  /// Returns the Base64 text of bytes.
  public static func storageText(of array: [UInt8]) -> [UInt8]? {
    Base64.encode(array)
  }
}

extension String: AppStorageElement {
  /// Decodes the strings of a JSON array.
  public static func array(storageText: [UInt8]) throws(StorageError) -> [String] {
    try value(of: storageText)
  }

  /// Returns the JSON array of strings.
  public static func storageText(of array: [String]) throws(StorageError) -> [UInt8]? {
    try jsonText(of: array)
  }
}

extension UTF8Text: AppStorageElement {
  /// Decodes the texts of a JSON array.
  public static func array(storageText: [UInt8]) throws(StorageError) -> [UTF8Text] {
    try value(of: storageText)
  }

  /// Returns the JSON array of texts.
  public static func storageText(of array: [UTF8Text]) throws(StorageError) -> [UInt8]? {
    try jsonText(of: array)
  }
}
