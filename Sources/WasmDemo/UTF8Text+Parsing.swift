import SharingPage

extension UTF8Text {
  /// Returns the text behind a beginning; nil if it begins otherwise.
  func dropping(_ beginning: UTF8Text) -> UTF8Text? {
    guard bytes.starts(with: beginning.bytes) else { return nil }
    return UTF8Text(Array(bytes[beginning.bytes.count...]))
  }

  /// The text without leading and trailing ASCII white space, as HTML defines it.
  var trimmed: UTF8Text {
    var (start, end) = (0, bytes.count)
    while start < end, bytes[start].isSpace { start += 1 }
    while start < end, bytes[end - 1].isSpace { end -= 1 }
    return UTF8Text(Array(bytes[start..<end]))
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool {
    self == 0x20 || self == 9 || self == 10 || self == 12 || self == 13
  }
}
