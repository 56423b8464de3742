import SharingCore
import SharingJSON

extension UniqueID {
  /// The number of characters of a text.
  static var length: Int { 26 }

  /// The 26 characters: digits, and capitals without I, L, O and U. Earlier ids have smaller texts.
  ///
  /// ```swift
  /// page.set("last", todo.id.text)  // 01K9W2V3NC8Q0YJ6ZP5M4T7RHX
  /// ```
  public var text: UTF8Text { text(last: Self.length) }

  /// The last characters of the text.
  func text(last count: Int) -> UTF8Text {
    var (high, low) = (high, low)
    var bytes = [UInt8](repeating: 0, count: count)
    for index in bytes.indices.reversed() {
      bytes[index] = Self.character(of: UInt8(truncatingIfNeeded: low & 31))
      low = low >> 5 | high << 59
      high >>= 5
    }
    return UTF8Text(bytes)
  }

  /// Reads a text of 26 characters, in either case of letters; returns nil for any other text.
  ///
  /// ```swift
  /// page.on("remove", "ID") { word in
  ///   if let id = UniqueID(word) { $todos.remove(id: id) }
  /// }
  /// ```
  public init?(_ text: UTF8Text) {
    guard text.bytes.count == Self.length else { return nil }
    self.init(last: text)
  }

  /// Reads the last characters of a text: at most 26. Those before them count as zeros.
  init?(last text: UTF8Text) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for byte in text.bytes {
      // 26 characters have 130 bits: the first one is at most 7.
      guard let value = Self.value(of: byte), high >> 59 == 0 else { return nil }
      high = high << 5 | low >> 59
      low = low << 5 | UInt64(value)
    }
    self.init(high: high, low: low)
  }

  /// The character of five bits, in Crockford's alphabet.
  private static func character(of value: UInt8) -> UInt8 {
    let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    return alphabet.utf8Start[Int(value)]
  }

  /// The five bits of a character; nil for a character that is not in the alphabet.
  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      let letter = character & 31
      let leftOut: UInt32 = 1 << 9 | 1 << 12 | 1 << 15 | 1 << 21  // I, L, O and U
      if leftOut >> letter & 1 == 1 { return nil }
      return 9 + letter - UInt8((leftOut & (1 << letter - 1)).nonzeroBitCount)
    default: return nil
    }
  }
}

extension UniqueID: CustomStringConvertible {
  /// The text as a string.
  public var description: String { text.description }
}

extension UTF8Text.Interpolation {
  /// Appends the text of an id.
  ///
  /// ```swift
  /// let line: UTF8Text = "\(todo.id) \(todo.title)"
  /// ```
  public mutating func appendInterpolation(_ id: UniqueID) { appendInterpolation(id.text) }
}

extension UniqueID: JSONValue {
  /// None: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads the text.
  ///
  /// ```swift
  /// let id = try UniqueID.decode(from: &reader)
  /// ```
  /// - Throws: ``SharingJSON/JSONError`` for anything but a text of an id.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> UniqueID {
    let start = reader.offset
    guard let id = UniqueID(try UTF8Text.decode(from: &reader)) else {
      throw JSONError(invalidValueAt: start)
    }
    return id
  }

  /// Writes the text.
  public func encode(into writer: inout JSONWriter) { text.encode(into: &writer) }
}

extension UniqueID: JSONKey {
  /// The id with this text; nil for any other text, also for one in small letters.
  public init?(jsonKey: UTF8Text) {
    guard let id = UniqueID(jsonKey), id.text == jsonKey else { return nil }
    self = id
  }

  /// The text.
  public var jsonKey: UTF8Text { text }
}
