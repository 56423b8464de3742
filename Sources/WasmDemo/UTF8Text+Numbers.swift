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
