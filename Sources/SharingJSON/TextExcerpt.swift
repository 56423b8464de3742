import SharingCore

/// A few bytes around a place in a text, for messages: enough to find the place, and no more.
package enum TextExcerpt {
  /// The greatest number of bytes to show.
  private static let limit = 20

  /// Up to 20 bytes around an offset, with `…` where the text goes on. A byte that is not printable
  /// ASCII becomes a `·`.
  package static func text(of bytes: UnsafeRawBufferPointer, around offset: Int) -> UTF8Text {
    let lower = max(min(max(offset, 0) + limit / 2, bytes.count) - limit, 0)
    let upper = min(lower + limit, bytes.count)
    var shown = UTF8Text(lower > 0 ? "…" : "")
    for index in lower..<upper {
      let isPrintable = 0x20..<0x7F ~= bytes[index]
      shown += isPrintable ? UTF8Text([bytes[index]]) : "·"
    }
    return upper < bytes.count ? "\(shown)…" : shown
  }
}

extension JSONError {
  /// An error in a text, with the bytes around its place.
  package convenience init(_ reason: Reason, at offset: Int, in text: [UInt8]) {
    let excerpt = text.withUnsafeBytes { TextExcerpt.text(of: $0, around: offset) }
    self.init(reason, at: offset, "", excerpt)
  }
}

extension JSONReader {
  /// An error of this reader, with the bytes around its place in the text.
  package func showing(_ error: JSONError) -> JSONError {
    error.showing(UnsafeRawBufferPointer(start: start, count: end - start))
  }
}
