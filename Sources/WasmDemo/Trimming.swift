import SharingCore

/// A text without the white space around it: what `trim()` of JavaScript calls so.
func trimmed(_ text: [UInt8]) -> UTF8Text {
  var (start, end, index) = (text.count, text.count, 0)
  while index < text.count {
    let space = spaceLength(text[index...])
    if space == 0 {
      start = min(start, index)
      end = index + 1
    }
    index += max(space, 1)
  }
  return UTF8Text(Array(text[start..<max(start, end)]))
}

/// How many bytes of white space a text begins with, of one character.
private func spaceLength(_ text: ArraySlice<UInt8>) -> Int {
  let first = text.first ?? 0
  switch first {
  case 0x09...0x0D, 0x20: return 1
  case 0xC2: return text.starts(with: [0xC2, 0xA0]) ? 2 : 0
  case 0xE1...0xE3, 0xEF: return isWideSpace(text.prefix(3)) ? 3 : 0
  default: return 0
  }
}

/// U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF.
private func isWideSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
  let code = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  switch code {
  case 0xE19A80, 0xE28080...0xE2808A, 0xE280A8, 0xE280A9, 0xE280AF, 0xE2819F, 0xE38080, 0xEFBBBF:
    return true
  default: return false
  }
}
