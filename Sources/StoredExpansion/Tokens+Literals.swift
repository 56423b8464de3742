// Strings and regular expressions, whose ends are not signs of their own.
extension Tokens {
  /// Reads `#if`, `#"text"#`, `#/regex/#` or a macro's name.
  mutating func readPound() throws(Problem) -> Token.Kind {
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
  mutating func readString(pounds: Int) throws(Problem) -> Token.Kind {
    let start = next
    let quotes = isHere("\"\"\"") && !endsOnItsLine(pounds: pounds) ? 3 : 1
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

  /// Whether a string that begins with three quotation marks ends on its line, as `#"""#` does.
  private func endsOnItsLine(pounds: Int) -> Bool {
    guard pounds > 0 else { return false }
    var distance = 2
    while let byte = peek(distance), byte != 10, byte != 13 {
      distance += 1
      if byte == UInt8(ascii: "\""), hasPounds(pounds, at: distance) { return true }
    }
    return false
  }

  private func hasQuotes(_ count: Int) -> Bool {
    (0..<count).allSatisfy { peek($0) == UInt8(ascii: "\"") }
  }

  private func hasPounds(_ count: Int, at distance: Int) -> Bool {
    (0..<count).allSatisfy { peek(distance + $0) == UInt8(ascii: "#") }
  }

  /// Whether a slash here begins a regular expression: no operand ends in front of it.
  var startsRegex: Bool {
    guard let byte = peek(1), byte > 0x20, let last = tokens.last else { return false }
    switch last.kind {
    case .word:
      let isMember = tokens.count > 1 && tokens[tokens.count - 2].text == "."
      return !isMember
        && ["return", "in", "try", "await", "case", "else"].contains(last.text)
    case .number, .text, .regex, .directive, .end: return false
    case .sign: return "(,=:[{;".contains(last.text) || endsInOperator
    }
  }

  /// Whether an operator with space around it is in front: its second operand follows.
  private var endsInOperator: Bool {
    guard source[next - 1] <= 0x20 else { return false }
    let signs = tokens.reversed().prefix { $0.kind == .sign }
    guard let first = signs.first(where: \.hasSpace) else { return false }
    let operators = signs.prefix { $0.bytes.lowerBound >= first.bytes.lowerBound }
    return operators.allSatisfy { !")]}@".contains($0.text) }
  }

  /// The end of a regular expression on this line.
  var regexEnd: Int? {
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
}
