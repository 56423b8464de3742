import SharingPage

extension Int64 {
  /// Creates a number from its decimal text; nil for any other text.
  init?(_ text: UTF8Text) {
    var reader = JSONReader(text.bytes)
    guard let number = try? Int64.decode(from: &reader), "\(number)" == text else { return nil }
    self = number
  }
}

extension UTF8Text.Interpolation {
  /// Appends a number in decimal.
  mutating func appendInterpolation(_ number: Int64) {
    var writer = JSONWriter()
    number.encode(into: &writer)
    appendInterpolation(UTF8Text(writer.bytes))
  }
}

extension UTF8Text {
  /// Returns the text behind a beginning; nil if it begins otherwise.
  func dropping(_ beginning: UTF8Text) -> UTF8Text? {
    guard bytes.starts(with: beginning.bytes) else { return nil }
    return UTF8Text(Array(bytes[beginning.bytes.count...]))
  }

  /// The text without leading and trailing white space, as defined by `trim()` in JavaScript.
  var trimmed: UTF8Text {
    var (start, end, position) = (0, 0, 0)
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&rest) {
      let next = position + UTF8.width(scalar)
      if !scalar.isSpace {
        if end == 0 { start = position }
        end = next
      }
      position = next
    }
    return UTF8Text(Array(bytes[start..<end]))
  }
}

extension Unicode.Scalar {
  fileprivate var isSpace: Bool {
    switch self {
    case "\t"..."\r", " ", "\u{A0}", "\u{1680}", "\u{2000}"..."\u{200A}", "\u{2028}", "\u{2029}",
      "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}":
      true
    default: false
    }
  }
}
