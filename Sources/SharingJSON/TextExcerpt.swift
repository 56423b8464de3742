import SharingCore

/// A few bytes around a place in a text, for messages: enough to find the place, and no more.
package enum TextExcerpt {
  /// The greatest number of bytes to show.
  private static let limit = 20

  /// Up to 20 bytes around an offset, with `…` where the text goes on. A byte that is not
  /// printable, or not UTF-8, becomes a `·`.
  package static func text(of bytes: UnsafeBufferPointer<UInt8>, around offset: Int) -> UTF8Text {
    let upper = min(max(offset, 0) + limit / 2, bytes.count)
    let lower = max(upper - limit, 0)
    return text(of: bytes, from: lower, to: min(lower + limit, bytes.count))
  }

  private static func text(
    of bytes: UnsafeBufferPointer<UInt8>, from lower: Int, to upper: Int
  ) -> UTF8Text {
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
    let (before, after): (StaticString, StaticString) = (
      lower > 0 ? "…" : "", next < bytes.count ? "…" : ""
    )
    return "\(before)\(UTF8Text(shown))\(after)"
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  private static func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// The number of bytes of the printable character beyond ASCII that begins at an offset; 0 for
  /// any other byte.
  private static func scalarLength(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let first = bytes[offset]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first < 0xF5, offset + count <= bytes.count else { return 0 }
    var code = UInt32(first) & (0x7F >> UInt32(count))
    for next in offset + 1..<offset + count {
      guard isContinuation(bytes[next]) else { return 0 }
      code = code << 6 | UInt32(bytes[next] & 0x3F)
    }
    let isShortest = code >= (count == 2 ? 0x80 : count == 3 ? 0x800 : 0x10000)
    guard isShortest, UnicodeScalar(code) != nil, !isInvisible(code) else { return 0 }
    return count
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
  /// This error, with the bytes around its place in the text.
  @inline(never) @usableFromInline
  func showing(_ bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
    if bytes.isEmpty || !excerpt.isEmpty { return self }
    return showing(TextExcerpt.text(of: bytes, around: offset))
  }
}

extension JSONError {
  /// An error in a text, with the bytes around its place.
  package convenience init(_ reason: Reason, at offset: Int, in text: [UInt8]) {
    let excerpt = text.withUnsafeBufferPointer { TextExcerpt.text(of: $0, around: offset) }
    self.init(reason, at: offset, "", excerpt)
  }
}

extension JSONReader {
  /// An error of this reader, with the bytes around its place in the text.
  package func showing(_ error: JSONError) -> JSONError {
    error.showing(UnsafeBufferPointer(start: start, count: end - start))
  }
}
