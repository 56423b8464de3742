// Files that a person gives to a page, or gets from it. The page imports JavaScript/files.js.
extension Page {
  /// Runs a closure with each file that a person chooses or drops: its name, and its bytes.
  ///
  /// ```swift
  /// page.onFile("import") { name, bytes in
  ///   guard let read = try? JSON.decode([Todo].self, from: bytes) else {
  ///     return page.refuse("\(name) has no todos.")
  ///   }
  ///   $todos.withLock { $0 += read }
  /// }
  /// // <input type="file" accept=".json" data-file="import">
  /// ```
  /// A file that is larger than the element's `data-limit`, by default 5 MB, is refused, as is one
  /// that cannot be read. The page needs files.js. A test calls
  /// `page.perform("import", fields: ["name", "a.json", "problem", "", "base64", "W10="])`.
  public func onFile(
    _ name: StaticString, _ run: @escaping (UTF8Text, [UInt8]) throws(ActionError) -> Void
  ) {
    if !isTerminal { set("sharing-files", "") }  // page.js reports it if files.js is missing
    on(name, words: ["NAME", "PROBLEM", "BASE64"]) { texts throws(ActionError) in
      if !texts[1].isEmpty { throw ActionError(texts[1]) }
      guard let bytes = Base64.bytes(of: texts[2]) else {
        throw ActionError("\(texts[0]) has not arrived as it is: its text is no Base64.")
      }
      try run(texts[0], bytes)
    }
  }

  /// Offers bytes to the person as a file to save. The page needs files.js. A command is refused,
  /// since it has no page.
  ///
  /// ```swift
  /// page.download("todos.json", bytes)
  /// ```
  /// - Parameters:
  ///   - name: The name of the file. Its end is its type.
  ///   - bytes: The contents.
  public func download(_ name: UTF8Text, _ bytes: [UInt8]) {
    if isTerminal { return refuse("Only a page can offer \(name).") }
    set("sharing-download", "\(name) \(Base64.text(of: bytes))")
  }
}

/// Bytes as text: four characters for three bytes (RFC 4648).
private enum Base64 {
  static func text(of bytes: [UInt8]) -> UTF8Text {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(4 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? character(of: bits >> 26) : UInt8(ascii: "="))
        bits <<= 6
      }
    }
    return UTF8Text(text)
  }

  /// Returns nil if the text has other characters, or the wrong length.
  static func bytes(of text: UTF8Text) -> [UInt8]? {
    guard text.bytes.count % 4 == 0 else { return nil }
    let padding = text.bytes.suffix(2).count { $0 == UInt8(ascii: "=") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.bytes.count / 4 * 3)
    var (bits, count) = (UInt32(0), 0)
    for character in text.bytes.dropLast(padding) {
      guard let value = value(of: character) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes
  }

  /// The character of six bits.
  private static func character(of value: UInt32) -> UInt8 {
    switch UInt8(value) {
    case let value where value < 26: UInt8(ascii: "A") + value
    case let value where value < 52: UInt8(ascii: "a") + value - 26
    case let value where value < 62: UInt8(ascii: "0") + value - 52
    case let value: value == 62 ? UInt8(ascii: "+") : UInt8(ascii: "/")
    }
  }

  /// The six bits of a character; nil for a character that has none.
  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
