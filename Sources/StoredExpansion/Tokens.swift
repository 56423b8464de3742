/// A word, a literal or a sign of Swift source.
struct Token: Equatable {
  enum Kind { case word, number, text, regex, directive, sign, end }

  let kind: Kind
  /// The bytes that it takes in the source.
  let bytes: Range<Int>
  /// Whether a line ends in front of it.
  let isOnNewLine: Bool
  /// Whether white space or a comment is in front of it.
  let hasSpace: Bool
  /// The source text; a sign is one character.
  let text: String
}

/// A place in the source that the scanner does not understand, or that cannot be stored.
struct Problem: Error, Equatable {
  let message: String
  /// How many bytes of the source are in front of it.
  let offset: Int

  /// A refusal that sends the user to `fields` by hand.
  static func notUnderstood(_ what: String, at offset: Int) -> Problem {
    Problem(message: "write `fields` by hand: \(what); see \(link)", offset: offset)
  }

  static let link = "docs/Documentation.docc/StoredTypes.md"
}

/// Divides Swift source into tokens.
///
/// Operators are divided into single signs, since `>>` ends two types and is one operator. Strings
/// are one token with all that is interpolated in them.
struct Tokens {
  let source: [UInt8]
  var next = 0
  var tokens: [Token] = []
  /// How many strings lie in each other, by interpolation.
  var depth = 0

  static func all(of source: String) throws(Problem) -> [Token] {
    var tokens = Tokens(source: Array(source.utf8))
    try tokens.readAll(to: nil)
    return tokens.tokens
  }

  private init(source: [UInt8]) { self.source = source }

  /// Reads to the end, or over the parenthesis that closes an interpolation.
  mutating func readAll(to close: UInt8?) throws(Problem) {
    let start = next
    var open = 0
    while true {
      let before = next
      let isOnNewLine = try skipSpace()
      let hasSpace = next > before
      let first = next
      guard let byte = peek() else {
        guard close == nil else { throw .notUnderstood("a string does not end", at: start) }
        append(.end, from: first, isOnNewLine, hasSpace)
        return
      }
      if close != nil, byte == UInt8(ascii: ")"), open == 0 {
        next += 1
        return
      }
      if byte == UInt8(ascii: "(") { open += 1 }
      if byte == UInt8(ascii: ")") { open -= 1 }
      append(try readToken(byte), from: first, isOnNewLine, hasSpace)
    }
  }

  private mutating func append(
    _ kind: Token.Kind, from first: Int, _ isOnNewLine: Bool, _ hasSpace: Bool
  ) {
    next = min(next, source.count)
    tokens.append(
      Token(
        kind: kind, bytes: first..<next, isOnNewLine: isOnNewLine, hasSpace: hasSpace,
        text: String(decoding: source[first..<next], as: UTF8.self)))
  }

  func peek(_ distance: Int = 0) -> UInt8? {
    next + distance < source.count ? source[next + distance] : nil
  }

  func isHere(_ text: StaticString) -> Bool {
    next + text.utf8CodeUnitCount <= source.count
      && (0..<text.utf8CodeUnitCount).allSatisfy { source[next + $0] == text.utf8Start[$0] }
  }

  /// Skips white space and comments.
  /// - Returns: Whether a line has ended.
  private mutating func skipSpace() throws(Problem) -> Bool {
    var isOnNewLine = next == 0
    while let byte = peek() {
      if isHere("//") {
        while let byte = peek(), byte != 10, byte != 13 { next += 1 }
      } else if isHere("/*") {
        isOnNewLine = try skipComment() || isOnNewLine
      } else if byte <= 0x20 {
        isOnNewLine = isOnNewLine || byte == 10 || byte == 13
        next += 1
      } else {
        break
      }
    }
    return isOnNewLine
  }

  /// Skips a comment, and those that lie in it.
  private mutating func skipComment() throws(Problem) -> Bool {
    let start = next
    var depth = 0
    var hasNewLine = false
    repeat {
      guard let byte = peek() else { throw .notUnderstood("a comment does not end", at: start) }
      if isHere("/*") {
        (depth, next) = (depth + 1, next + 2)
      } else if isHere("*/") {
        (depth, next) = (depth - 1, next + 2)
      } else {
        hasNewLine = hasNewLine || byte == 10 || byte == 13
        next += 1
      }
    } while depth > 0
    return hasNewLine
  }

  private mutating func readToken(_ byte: UInt8) throws(Problem) -> Token.Kind {
    if byte == UInt8(ascii: "`") { return try readQuotedWord() }
    if Self.isDigit(byte) { return readNumber() }
    if Self.isWord(byte) || byte == UInt8(ascii: "$") {
      readWord()
      return .word
    }
    if byte == UInt8(ascii: "\"") { return try readString(pounds: 0) }
    if byte == UInt8(ascii: "#") { return try readPound() }
    if byte == UInt8(ascii: "/"), startsRegex, let end = regexEnd {
      next = end
      return .regex
    }
    next += 1
    return .sign
  }

  mutating func readWord() {
    next += 1
    while let byte = peek(), Self.isWord(byte) || Self.isDigit(byte) { next += 1 }
  }

  private mutating func readQuotedWord() throws(Problem) -> Token.Kind {
    let start = next
    next += 1
    while let byte = peek(), byte != UInt8(ascii: "`"), byte != 10 { next += 1 }
    guard peek() == UInt8(ascii: "`") else {
      throw .notUnderstood("a name in backticks does not end", at: start)
    }
    next += 1
    return .word
  }

  /// Reads `0x1F`, `1_000`, `1.5e-3`; not the points of `0...9` and `1.description`.
  private mutating func readNumber() -> Token.Kind {
    let isHexadecimal = isHere("0x")
    while let byte = peek() {
      let isPoint = byte == UInt8(ascii: ".") && peek(1).map(Self.isDigit) == true
      let before = source[next - (next > 0 ? 1 : 0)] | 0x20
      let isExponent = before == UInt8(ascii: isHexadecimal ? "p" : "e")
      let isSign = (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")) && isExponent
      guard Self.isWord(byte) || Self.isDigit(byte) || isPoint || isSign else { break }
      next += 1
    }
    return .number
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
