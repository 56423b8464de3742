/// Where a string lies in the input: checked, and not copied.
@usableFromInline
struct JSONText {
  /// The bytes between the quotation marks.
  let range: Range<Int>

  /// Whether the bytes are the text itself.
  private let isPlain: Bool

  /// Reads a string, checking its UTF-8 and its escapes.
  init(from reader: inout JSONReader) throws(JSONError) {
    try reader.take(UInt8(ascii: "\""), .string)
    let start = reader.offset
    var isPlain = true
    while true {
      reader.offset = JSONPlainRun.end(in: reader.input, from: reader.offset)
      guard let byte = reader.peek() else { throw reader.error(.unexpectedEnd) }
      switch byte {
      case UInt8(ascii: "\""):
        range = start..<reader.offset
        self.isPlain = isPlain
        reader.offset += 1
        return
      case UInt8(ascii: "\\"):
        _ = try JSONEscape(from: &reader)
        isPlain = false
      case 0x80...: try reader.skipUTF8()
      default: throw reader.error(.controlCharacter)
      }
    }
  }

  /// The text without its escapes.
  @usableFromInline
  func string(in input: UnsafeBufferPointer<UInt8>) -> String {
    guard isPlain else { return String(decoding: bytes(in: input), as: UTF8.self) }
    return String(decoding: UnsafeBufferPointer(rebasing: input[range]), as: UTF8.self)
  }

  /// Whether the text has just the bytes of the name.
  func matches(_ name: StaticString, in input: UnsafeBufferPointer<UInt8>) -> Bool {
    name.withUTF8Buffer { name in
      guard isPlain else { return bytes(in: input).elementsEqual(name) }
      guard range.count == name.count else { return false }
      for index in name.indices where name[index] != input[range.lowerBound + index] {
        return false
      }
      return true
    }
  }

  /// The text's bytes, escapes replaced; they are never more than those in the input.
  private func bytes(in input: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var reader = JSONReader(unowned: UnsafeRawBufferPointer(input))
    reader.offset = range.lowerBound
    while reader.offset < range.upperBound {
      let byte = reader.input[reader.offset]
      if byte == UInt8(ascii: "\\"), let escape = try? JSONEscape(from: &reader) {
        bytes.append(contentsOf: escape.scalar.utf8)
      } else {
        bytes.append(byte)
        reader.offset += 1
      }
    }
    return bytes
  }
}
