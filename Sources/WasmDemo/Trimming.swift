import SharingCore

/// A text without the white space around it: what `trim()` of JavaScript calls so.
func trimmed(_ text: [UInt8]) -> UTF8Text {
  var (start, end, next) = (0, 0, 0)
  while next < text.count {
    let first = next
    var character: UInt32 = 0
    repeat {
      character = character << 8 | UInt32(text[next])
      next += 1
    } while next < text.count && text[next] & 0xC0 == 0x80
    if !isSpace(character) {
      if end == 0 { start = first }
      end = next
    }
  }
  return UTF8Text(Array(text[start..<end]))
}

/// Whether the bytes of a character in UTF-8, in one number, are white space.
private func isSpace(_ character: UInt32) -> Bool {
  switch character {
  case 0x09...0x0D, 0x20: true
  // U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF.
  case 0xC2A0, 0xE19A80, 0xE28080...0xE2808A, 0xE280A8, 0xE280A9, 0xE280AF, 0xE2819F, 0xE38080,
    0xEFBBBF:
    true
  default: false
  }
}
