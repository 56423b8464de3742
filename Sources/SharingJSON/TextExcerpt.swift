import SharingCore

/// A few bytes around a place in a text, for messages: enough to find the place, and no more.
package enum TextExcerpt {
  /// The greatest number of bytes to show.
  private static let limit = 20

  /// Up to 20 bytes around an offset, with `…` where the text goes on. A byte that is not
  /// printable, or not UTF-8, becomes a `·`.
  package static func text(of bytes: UnsafeRawBufferPointer, around offset: Int) -> UTF8Text {
    let lower = max(min(max(offset, 0) + limit / 2, bytes.count) - limit, 0)
    let upper = min(lower + limit, bytes.count)
    var (shown, next) = ([UInt8](), lower)
    while lower > 0, next < upper, isContinuation(bytes[next]) { next += 1 }
    while next < upper {
      let count = scalarLength(in: bytes, at: next)
      if next + count > upper { break }
      if count > 1 || isPrintable(bytes[next]) {
        shown += bytes[next..<next + max(count, 1)]
      } else {
        shown += UTF8Text("·").bytes
      }
      next += max(count, 1)
    }
    let before: StaticString = lower > 0 ? "…" : ""
    let after: StaticString = next < bytes.count ? "…" : ""
    return "\(before)\(UTF8Text(shown))\(after)"
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// The number of bytes of the printable character beyond ASCII that begins at an offset; 0 for
  /// any other byte.
  private static func scalarLength(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    var reader = JSONReader(unowned: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
    guard (try? reader.skipUTF8()) != nil else { return 0 }
    let count = reader.offset
    var code = UInt32(bytes[offset]) & (0x7F >> UInt32(count))
    for next in offset + 1..<offset + count { code = code << 6 | UInt32(bytes[next] & 0x3F) }
    return isInvisible(code) ? 0 : count
  }

  /// Whether a character is invisible, or changes how others are shown: controls, direction marks,
  /// zero-width spaces.
  private static func isInvisible(_ code: UInt32) -> Bool {
    switch code {
    case 0x80...0x9F, 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE0FFF:
      true
    default: false
    }
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
