import SharingCore

extension JSONError {
  /// The possible mistakes in JSON bytes, or in a value to write.
  @usableFromInline
  package enum Reason: Equatable, Sendable {
    /// A byte that RFC 8259 does not allow at its place.
    case unexpectedByte(UInt8)
    /// The text ends inside a value, or has no value.
    case unexpectedEnd
    /// More text follows the value.
    case trailingBytes
    /// Arrays and objects nested deeper than 512 levels, or in WebAssembly deeper
    /// than the program's stack allows.
    case tooDeep
    /// Valid JSON, but of another kind than the type needs.
    case wrongType(expected: JSONKind, found: JSONKind)
    /// A number that the type cannot hold.
    case numberOutOfRange
    /// A number with a fraction where an integer is needed.
    case notAnInteger
    /// NaN or an infinity, which JSON cannot write.
    case notFinite
    /// A string with bytes that are not UTF-8 (RFC 3629).
    case invalidUTF8
    /// A backslash that does not begin a valid escape.
    case invalidEscape
    /// One half of a UTF-16 surrogate pair without the other, such as `\ud800`.
    case loneSurrogate
    /// An unescaped character below U+0020 in a string.
    case controlCharacter
    /// A value of the right kind that the type does not have, such as a raw value without a case.
    case invalidValue
    /// An object without a member that the type needs.
    case missing
  }
}

extension JSONError {
  /// Whether the mistake is none of JSON: only the type cannot have the value.
  package var isOfType: Bool {
    switch reason {
    case .wrongType, .numberOutOfRange, .notAnInteger, .invalidValue, .missing, .tooDeep: true
    default: false
    }
  }
}

extension JSONError.Reason {
  /// One sentence: the finding, its place and the remedy.
  func text(at place: UTF8Text) -> UTF8Text {
    let (finding, remedy) = words
    return switch self {
    case .unexpectedByte(let byte): "Found \(Self.name(of: byte))\(finding)\(place): \(remedy)."
    case .wrongType(let expected, let found):
      "Expected \(expected.noun) but found \(found.noun)\(place): store \(expected.noun)\(remedy)."
    case .tooDeep: "\(finding)\(place): keep to \(JSONReader.maximumDepth)\(remedy)."
    default: "\(finding)\(place): \(remedy)."
    }
  }

  /// The constant words of the finding and the remedy.
  private var words: (finding: StaticString, remedy: StaticString) {
    switch self {
    case .unexpectedByte: (" where JSON does not allow it", "write the text as in RFC 8259")
    case .wrongType: ("", " there, or change the field's type")
    case .tooDeep: ("Arrays and objects nest too deep", " levels, or fewer if the type is large")
    case .unexpectedEnd: ("The JSON text ends too early", "it was cut off, restore the rest")
    case .trailingBytes: ("Found more text after the JSON value", "keep only one value")
    case .numberOutOfRange:
      (
        "The number is out of the type's range",
        "store a smaller one, or use a wider type such as `Int64`"
      )
    case .notAnInteger:
      (
        "Expected a whole number but found a fraction", "store a whole number, or use Double"
      )
    case .notFinite:
      ("NaN and infinities have no JSON form", "store null through an optional instead")
    case .invalidUTF8: ("The string is not valid UTF-8", "encode the text as UTF-8")
    case .invalidEscape:
      (
        "The string has an unknown escape",
        #"use \" \\ \/ \b \f \n \r \t or \u and four hexadecimal digits"#
      )
    case .loneSurrogate: ("The string has half a surrogate pair", "write both halves, or U+FFFD")
    case .controlCharacter: ("The string has a raw control character", "escape it")
    case .invalidValue:
      ("The type has no such value", "store one that it has, or add it to the type")
    case .missing:
      ("The object lacks this member", "add it, or give the property a default in the type")
    }
  }

  /// The byte as a quoted character, or as its number if it is not printable.
  private static func name(of byte: UInt8) -> UTF8Text {
    byte > 0x20 && byte < 0x7F ? "'\(UTF8Text([byte]))'" : "the byte \(Int(byte))"
  }
}
