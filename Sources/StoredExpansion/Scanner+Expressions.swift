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
          try skipAttribute()
          continue
        }
        guard try skipTypeHead() else { return }
        needsMore = false
      }
      switch token.text {
      case "<" where !token.isOnNewLine: try skipAngles()
      case "?", "!": if token.hasSpace { return } else { advance() }
      case ".", "&":
        advance()
        needsMore = true
        if token.text == "." { advance() }
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
  private mutating func skipTypeHead() throws(Problem) -> Bool {
    while Self.typeWords.contains(token.text), peek(1).text != "=" {
      advance()
      if isHere("("), previous.text == "nonisolated" { try skipBrackets() }
    }
    if isHere("(") || isHere("[") {
      try skipBrackets()
      return true
    }
    guard token.kind == .word || token.kind == .number else {
      throw notUnderstood("a type is missing")
    }
    advance()
    return true
  }

  /// Skips an expression: to a comma, a closing bracket, observers, or a new line on which it does
  /// not go on.
  mutating func skipExpression() throws(Problem) {
    var isFirst = true
    while token.kind != .end {
      if token.kind == .sign {
        if [",", ";", ")", "]", "}"].contains(token.text) { break }
        if isHere("{"), isObserver { break }
      }
      if !isFirst, token.isOnNewLine, !goesOn { break }
      try skipPart()
      isFirst = false
    }
    if isFirst { throw notUnderstood("a value is missing") }
  }

  private mutating func skipPart() throws(Problem) {
    if token.kind == .sign, ["(", "[", "{"].contains(token.text) { return try skipBrackets() }
    if isHere("<"), !token.hasSpace, previous.kind == .word {
      let start = mark()
      if skipsGenericArguments() { return }
      reset(to: start)
    }
    if ["as", "is"].contains(token.text), token.kind == .word {
      advance()
      if isHere("?") || isHere("!") { advance() }
      return try skipType()
    }
    advance()
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
  private var goesOn: Bool {
    if previous.kind == .sign {
      // A sign with space around it has its second operand here.
      let isClosed = [")", "]", "}"].contains(previous.text)
      let isPostfix = !hasSpaceBeforeOperator
      if !isClosed, !isPostfix { return true }
    }
    if previous.kind == .word, Self.prefixWords.contains(previous.text) { return true }
    if token.kind == .word { return ["as", "is", "else"].contains(token.text) }
    guard token.kind == .sign else { return false }
    if isHere(".") { return true }
    if isHere("{") { return true }
    if ["(", "[", "@"].contains(token.text) { return false }
    // An operator at the beginning of a line takes two operands if there is space behind it.
    var distance = 1
    while peek(distance).kind == .sign, !peek(distance).hasSpace, Self.isOperator(peek(distance)) {
      distance += 1
    }
    return peek(distance).hasSpace
  }

  /// Whether there is space in front of the operator that has just been read.
  private var hasSpaceBeforeOperator: Bool {
    var distance = -1
    while Self.isOperator(peek(distance)), !peek(distance).hasSpace { distance -= 1 }
    return peek(distance).hasSpace && Self.isOperator(peek(distance))
  }

  private static func isOperator(_ token: Token) -> Bool {
    token.kind == .sign && !["(", ")", "[", "]", "{", "}", ",", ";", "@"].contains(token.text)
  }

  private static let prefixWords: Set = [
    "try", "await", "as", "is", "in", "consume", "copy", "unsafe", "if", "switch", "any", "some",
  ]

  /// Whether the brace here opens observers: only `willSet` and `didSet` follow a value.
  var isObserver: Bool {
    var distance = 1
    while peek(distance).text == "@" {
      distance += 2
      if peek(distance).text == "(" {
        while peek(distance).kind != .end, peek(distance).text != ")" { distance += 1 }
        distance += 1
      }
    }
    return peek(distance).text == "willSet" || peek(distance).text == "didSet"
  }
}
