extension JSONWriter {
  /// Writes ASCII text as it stands.
  mutating func put(_ text: StaticString) {
    put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Writes bytes as they stand.
  mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
    let room = room(for: text.count)
    var index = 0
    while index < text.count {
      room[index] = text[index]
      index += 1
    }
    wrote(index)
  }

  /// Writes one byte. Not inlined, since that would be most of what writes punctuation.
  @inline(never)
  mutating func put(_ byte: UInt8) {
    room(for: 1).pointee = byte
    wrote(1)
  }

  /// Writes the name of the next member, and its colon.
  @usableFromInline
  mutating func beginMember(_ name: StaticString) {
    beginMember(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  /// Writes the name of the next member, and its colon.
  @usableFromInline
  mutating func beginMember(_ name: String) {
    name.withBytes { beginMember($0) }
  }

  private mutating func beginMember(_ name: UnsafeBufferPointer<UInt8>) {
    beginItem()
    put(string: name)
    put(UInt8(ascii: ":"))
  }
}
