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
  private let source: [UInt8]
  private var next = 0
  private var tokens: [Token] = []
  /// How many strings lie in each other, by interpolation.
  private var depth = 0

  static func all(of source: String) throws(Problem) -> [Token] {
    var tokens = Tokens(source: Array(source.utf8))
    try tokens.readAll(to: nil)
    return tokens.tokens
  }

  private init(source: [UInt8]) { self.source = source }

  /// Reads to the end, or over the parenthesis that closes an interpolation.
  private mutating func readAll(to close: UInt8?) throws(Problem) {
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

  private func peek(_ distance: Int = 0) -> UInt8? {
    next + distance < source.count ? source[next + distance] : nil
  }

  private func isHere(_ text: StaticString) -> Bool {
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

  private mutating func readWord() {
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

  /// Reads `#if`, `#"text"#`, `#/regex/#` or a macro's name.
  private mutating func readPound() throws(Problem) -> Token.Kind {
    let start = next
    var pounds = 0
    while peek(pounds) == UInt8(ascii: "#") { pounds += 1 }
    switch peek(pounds) {
    case UInt8(ascii: "\""):
      next += pounds
      return try readString(pounds: pounds)
    case UInt8(ascii: "/"):
      next += pounds + 1
      while peek() != nil {
        let isEnd = isHere("/") && (1...pounds).allSatisfy { peek($0) == UInt8(ascii: "#") }
        next += peek() == UInt8(ascii: "\\") ? 2 : 1
        if isEnd {
          next += pounds
          return .regex
        }
      }
      throw .notUnderstood("a regular expression does not end", at: start)
    default:
      next += pounds
      if let byte = peek(), Self.isWord(byte) { readWord() }
      return .directive
    }
  }

  /// Reads a string from its first quotation mark, with its interpolations.
  private mutating func readString(pounds: Int) throws(Problem) -> Token.Kind {
    let start = next
    let quotes = isHere("\"\"\"") ? 3 : 1
    next += quotes
    while let byte = peek() {
      if byte == UInt8(ascii: "\\"), hasPounds(pounds, at: 1) {
        next += 1 + pounds
        guard peek() == UInt8(ascii: "(") else {
          next += 1
          continue
        }
        next += 1
        depth += 1
        guard depth < 100 else { throw .notUnderstood("strings nest too deep", at: start) }
        defer { depth -= 1 }
        // The tokens inside are part of this one.
        let count = tokens.count
        try readAll(to: UInt8(ascii: ")"))
        tokens.removeSubrange(count...)
      } else if byte == UInt8(ascii: "\""), hasQuotes(quotes), hasPounds(pounds, at: quotes) {
        next += quotes + pounds
        return .text
      } else if byte == 10, quotes == 1 {
        break
      } else {
        next += 1
      }
    }
    throw .notUnderstood("a string does not end", at: start)
  }

  private func hasQuotes(_ count: Int) -> Bool {
    (0..<count).allSatisfy { peek($0) == UInt8(ascii: "\"") }
  }

  private func hasPounds(_ count: Int, at distance: Int) -> Bool {
    (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
  }

  /// Whether a slash here begins a regular expression: no operand ends in front of it.
  private var startsRegex: Bool {
    guard let byte = peek(1), byte > 0x20, let last = tokens.last else { return false }
    switch last.kind {
    case .word: return ["return", "in", "try", "await", "case", "else"].contains(last.text)
    case .number, .text, .regex, .directive, .end: return false
    case .sign: return "(,=:[{;".contains(last.text)
    }
  }

  /// The end of a regular expression on this line.
  private var regexEnd: Int? {
    var end = next + 1
    var isInClass = false
    while end < source.count, source[end] != 10 {
      switch source[end] {
      case UInt8(ascii: "\\"): end += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "/") where !isInClass: return end + 1
      default: break
      }
      end += 1
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
