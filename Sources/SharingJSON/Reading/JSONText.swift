import SharingCore

/// A string in the input, checked and not copied.
@usableFromInline
package struct JSONText {
  /// The bytes between the quotation marks, in the reader's memory.
  private let bytes: UnsafeBufferPointer<UInt8>

  /// Whether the bytes contain no escape.
  private let isPlain: Bool

  /// Whether all bytes are ASCII.
  private let isASCII: Bool

  /// Reads a string, checking its UTF-8 and its escapes.
  init(from reader: inout JSONReader) throws(JSONError) {
    reader.skipWhiteSpace()
    let start = reader.next + 1
    (isPlain, isASCII) = try reader.skipString()
    bytes = UnsafeBufferPointer(start: start, count: reader.next - 1 - start)
  }

  /// The text, with its escapes replaced.
  @inline(__always) @usableFromInline
  var string: String { isPlain ? String(checked: bytes, isASCII: isASCII) : unescapedString }

  @inline(never)
  private var unescapedString: String {
    unescaped.withUnsafeBufferPointer { text in
      String(checked: text, isASCII: text.allSatisfy { $0 < 0x80 })
    }
  }

  /// The bytes of the text, with its escapes replaced.
  package var utf8: [UInt8] {
    // Copied at once; see String.init(checked:isASCII:). The empty array is shared by all threads,
    // and would be written to.
    guard isPlain, !bytes.isEmpty else { return unescaped }
    return Array(unsafeUninitializedCapacity: bytes.count) { copy, count in
      UnsafeMutableRawBufferPointer(copy).copyMemory(from: UnsafeRawBufferPointer(bytes))
      count = bytes.count
    }
  }

  /// Whether the text has exactly the bytes of the name.
  @usableFromInline
  package func matches(_ name: StaticString) -> Bool {
    let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return isPlain
      ? UnsafeRawBufferPointer(bytes).holdsSame(as: name)
      : unescaped.withUnsafeBytes { $0.holdsSame(as: name) }
  }

  /// The text's bytes, with its escapes replaced; they are never more than those in the input.
  private var unescaped: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var reader = JSONReader(unowned: UnsafeRawBufferPointer(bytes))
    reader.next = reader.start  // U+FEFF in a string is no mark
    while let byte = reader.peek() {
      if byte == UInt8(ascii: "\\"), let escape = try? JSONEscape(from: &reader) {
        escape.append(to: &text)
      } else {
        text.put(byte)
        reader.next += 1
      }
    }
    return text
  }
}
