// Where types and expressions end.
extension Scanner {
  /// Skips brackets and their contents.
  mutating func skipBrackets() throws(Problem) {
    let start = token.bytes.lowerBound
    var open: [String] = []
    repeat {
      guard token.kind != .end else {
        throw .notUnderstood("a bracket is not closed", at: start)
      }
      if token.kind == .sign {
        if let close = Self.closing[token.text] { open.append(close) }
        if Self.closing.values.contains(token.text) {
          guard open.popLast() == token.text else { throw notUnderstood("brackets do not match") }
        }
      }
      advance()
    } while !open.isEmpty
  }

  private static let closing = ["(": ")", "[": "]", "{": "}"]

  /// Skips `<…>` behind a type's name.
  mutating func skipAngles() throws(Problem) {
    let start = token.bytes.lowerBound
    var depth = 0
    repeat {
      switch token.text {
      case "<": depth += 1
      case ">" where !isArrow: depth -= 1
      case "(", "[":
        try skipBrackets()
        continue
      default:
        if token.kind == .end || token.text == "{" || token.text == "}" {
          throw .notUnderstood("`<` is not closed", at: start)
        }
      }
      advance()
    } while depth > 0
  }

  /// Whether `>` is the end of `->`.
  private var isArrow: Bool { previous.text == "-" && !token.hasSpace }

  /// Skips a type: to `=`, `{`, a comma, a closing bracket or a new line.
  mutating func skipType() throws(Problem) {
    var needsMore = true
    while true {
      if needsMore {
        if isHere("@") {
          _ = try readAttribute()
          continue
        }
        try skipTypeHead()
        needsMore = false
      }
      switch token.text {
      case "<" where !token.isOnNewLine: try skipAngles()
      case "?", "!": if token.hasSpace { return } else { advance() }
      case ".", "&":
        if isOperatorSign(peek(1)), !peek(1).hasSpace { return }
        advance()
        needsMore = true
      case "-" where peek(1).text == ">":
        advance()
        advance()
        needsMore = true
      case "async", "throws", "rethrows":
        guard !token.isOnNewLine || peek(1).text == "-" else { return }
        advance()
        if isHere("(") { try skipBrackets() }
      default: return
      }
    }
  }

  private static let typeWords: Set = [
    "some", "any", "inout", "borrowing", "consuming", "sending", "repeat", "each", "~", "isolated",
    "nonisolated",
  ]

  /// Skips the beginning of a type.
  private mutating func skipTypeHead() throws(Problem) {
    while Self.typeWords.contains(token.text), !isMemberName(at: 0), peek(1).text != "=" {
      advance()
      if isHere("("), previous.text == "nonisolated" { try skipBrackets() }
    }
    if isHere("(") || isHere("[") {
      return try skipBrackets()
    }
    guard token.kind == .word || token.kind == .number else {
      throw notUnderstood("a type is missing")
    }
    advance()
  }

  /// Skips an expression: to a comma, a closing bracket, observers, or a new line on which it does
  /// not go on.
  mutating func skipExpression() throws(Problem) {
    var isFirst = true
    var isOperand = false
    while token.kind != .end {
      if token.kind == .sign {
        if [",", ";", ")", "]", "}"].contains(token.text) { break }
        if isHere("{"), isObserver { break }
      }
      if !isFirst, token.isOnNewLine, !goesOn(behindOperand: isOperand) { break }
      isOperand = try skipPart()
      isFirst = false
    }
    if isFirst { throw notUnderstood("a value is missing") }
  }

  /// Skips the next part of an expression.
  /// - Returns: Whether an operand ends there, whatever its last sign is: a type, or brackets.
  private mutating func skipPart() throws(Problem) -> Bool {
    if token.kind == .sign, ["(", "[", "{"].contains(token.text) {
      try skipBrackets()
      return true
    }
    if isHere("<"), !token.hasSpace, previous.kind == .word {
      let start = mark()
      if skipsGenericArguments() { return true }
      reset(to: start)
    }
    if isKeyword("as", at: 0) || isKeyword("is", at: 0) {
      advance()
      if isHere("?") || isHere("!") { advance() }
      try skipType()
      return true
    }
    if isKeyword("if", at: 0) || isKeyword("switch", at: 0) {
      try skipCondition()
    } else {
      advance()
    }
    return false
  }

  /// Skips the conditions in front of the braces of `if` and `switch`, with commas and line ends.
  private mutating func skipCondition() throws(Problem) {
    while token.kind != .end, !["{", "}", ")", "]", ";"].contains(token.text) {
      if isHere("(") || isHere("[") { try skipBrackets() } else { advance() }
    }
  }

  /// Whether a token is this keyword, and neither a member's name nor an argument's label.
  private func isKeyword(_ word: String, at distance: Int) -> Bool {
    peek(distance).text == word && !isMemberName(at: distance) && peek(distance + 1).text != ":"
  }

  /// Whether a word is behind the dot of a member: `.any`, and not `0...any`.
  private func isMemberName(at distance: Int) -> Bool {
    let dot = peek(distance - 1)
    return dot.text == "." && (dot.hasSpace || peek(distance - 2).text != ".")
  }

  /// Whether `<` here begins the arguments of a generic type: they are types, and what follows them
  /// is no operand.
  private mutating func skipsGenericArguments() -> Bool {
    advance()
    do throws(Problem) {
      if isHere(">") { return false }
      repeat { try skipType() } while take(",")
    } catch {
      return false
    }
    guard isHere(">") else { return false }
    advance()
    if token.kind == .end || token.isOnNewLine { return true }
    guard token.kind == .sign else { return false }
    if isHere("{") { return true }
    if ["(", ".", "[", "?", "!"].contains(token.text) { return !token.hasSpace }
    return [")", "]", "}", ",", ";", ":"].contains(token.text) || isHere("=")
  }

  /// Whether an expression goes on with this token, the first of its line.
  private func goesOn(behindOperand: Bool) -> Bool {
    // An operator with space around it has its second operand here.
    if previous.kind == .sign, !behindOperand, hasSpaceBeforeOperator { return true }
    if Self.prefixWords.contains(where: { isKeyword($0, at: -1) }) { return true }
    if ["?", "!"].contains(previous.text), isKeyword("try", at: -2) { return true }
    if token.kind == .word {
      let isLabel = previous.text == "}" && peek(1).text == ":" && peek(2).text == "{"
      return isLabel || ["as", "is", "else"].contains(token.text)
    }
    guard token.kind == .sign else { return false }
    if isHere(".") { return true }
    if isHere("{") { return true }
    if ["(", "[", "@"].contains(token.text) { return false }
    // An operator at the beginning of a line takes two operands if there is space behind it.
    var distance = 1
    while !peek(distance).hasSpace, isOperatorSign(peek(distance)) {
      distance += 1
    }
    return peek(distance).hasSpace
  }

  /// Whether there is space in front of the operator that has just been read.
  private var hasSpaceBeforeOperator: Bool {
    var distance = -1
    while isOperatorSign(peek(distance)), !peek(distance).hasSpace { distance -= 1 }
    return peek(distance).hasSpace && isOperatorSign(peek(distance))
  }

  private func isOperatorSign(_ token: Token) -> Bool {
    token.kind == .sign && !["(", ")", "[", "]", "{", "}", ",", ";", "@"].contains(token.text)
  }

  /// The words that take an expression on the next line.
  private static let prefixWords = ["try", "await", "else"]

  /// Whether the brace here opens observers: only `willSet` and `didSet` follow a value.
  var isObserver: Bool {
    var ahead = self
    ahead.advance()
    do throws(Problem) {
      _ = try ahead.readPrefix()
    } catch {
      return false
    }
    return ahead.token.text == "willSet" || ahead.token.text == "didSet"
  }
}
