/// Reads the declaration of a type: its name, its stored properties and its cases.
///
/// It finds the beginning and the end of members, types and expressions, and does not read their
/// contents.
struct Scanner {
  let source: [UInt8]
  private let tokens: [Token]
  private var index = 0
  var type = TypeDeclaration()

  /// Reads the declaration that the source begins with.
  static func declaration(in source: String) throws(Problem) -> TypeDeclaration {
    var scanner = try Scanner(source)
    try scanner.readHead()
    try scanner.readMembers()
    return scanner.type
  }

  /// The modifiers and the keyword that a declaration begins with.
  static func modifiers(in source: String) -> String {
    do throws(Problem) {
      var scanner = try Scanner(source)
      let (_, modifiers) = try scanner.readPrefix()
      return (modifiers + [scanner.token.text]).joined(separator: " ")
    } catch {
      return ""
    }
  }

  private init(_ source: String) throws(Problem) {
    self.source = Array(source.utf8)
    tokens = try Tokens.all(of: source)
  }

  var token: Token { tokens[index] }
  var previous: Token { index > 0 ? tokens[index - 1] : .none }

  /// A token further on, or behind; the end of the source where there is none.
  func peek(_ distance: Int) -> Token {
    tokens.indices.contains(index + distance) ? tokens[index + distance] : .none
  }

  mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  func isHere(_ text: String) -> Bool { token.kind != .text && token.text == text }

  mutating func take(_ text: String) -> Bool {
    guard isHere(text) else { return false }
    advance()
    return true
  }

  func mark() -> Int { index }
  mutating func reset(to mark: Int) { index = mark }

  /// The source from a token to the last one that was read.
  func text(from mark: Int) -> Source? {
    guard mark < index else { return nil }
    let bytes = tokens[mark].bytes.lowerBound..<previous.bytes.upperBound
    return Source(
      text: String(decoding: source[bytes], as: UTF8.self), offset: bytes.lowerBound)
  }

  func notUnderstood(_ what: String) -> Problem {
    .notUnderstood(what, at: token.bytes.lowerBound)
  }

  // MARK: The head

  private mutating func readHead() throws(Problem) {
    let (_, modifiers) = try readPrefix()
    type.access = modifiers.first { Self.accesses.contains($0) } ?? ""
    guard ["struct", "enum", "class", "actor"].contains(token.text) else {
      throw Problem(
        message: "`@Stored` is for a struct or an enum", offset: token.bytes.lowerBound)
    }
    type.keyword = token
    advance()
    type.name = token.text
    advance()
    if isHere("<") { try skipAngles() }
    if take(":") {
      repeat {
        let start = mark()
        try skipType()
        if let text = text(from: start) { type.inherited.append(text.text) }
      } while take(",")
    }
    while !isHere("{") {
      guard token.kind != .end else { throw notUnderstood("the type has no members") }
      advance()
    }
  }

  // MARK: Members

  private mutating func readMembers() throws(Problem) {
    advance()
    while !isHere("}") {
      if take(";") { continue }
      guard token.kind != .end else { throw notUnderstood("the declaration does not end") }
      try readMember()
    }
  }

  private mutating func readMember() throws(Problem) {
    if token.kind == .directive { return try readDirective() }
    let (attributes, modifiers) = try readPrefix()
    switch token.text {
    case "var", "let": try readProperties(attributes, modifiers)
    case "case" where type.keyword.text == "enum":
      type.caseAttributes += attributes
      try readCases()
    case "typealias":
      noteMarks(attributes, of: "a type")
      while !isHere("=") {
        guard token.kind != .end else { throw notUnderstood("an alias has no type") }
        advance()
      }
      advance()
      try skipType()
    case "init":
      noteMarks(attributes, of: "an initializer")
      noteInitializer()
      try skipMember()
    case "func", "subscript":
      noteMarks(attributes, of: token.text == "func" ? "a function" : "a subscript")
      try skipMember()
    case "struct", "enum", "class", "actor", "deinit", "extension", "protocol":
      noteMarks(attributes, of: "a type")
      try skipMember()
    default: throw notUnderstood("`@Stored` does not support the member `\(token.text)`")
    }
  }

  /// Notes `@Name` and `@Required` in front of a member that is not stored.
  mutating func noteMarks(_ attributes: [TypeDeclaration.Attribute], of member: String) {
    for mark in ["Name", "Required"] {
      for one in attributes where one.isMacro(mark) {
        type.misplacedMarks.append(
          Problem(
            message: "remove `@\(mark)`, which is for stored properties: \(member) is not stored",
            offset: one.offset))
      }
    }
  }

  private mutating func noteInitializer() {
    type.hasInitializer = true
    if peek(1).text == "(", peek(2).text == ")" { type.hasPlainInitializer = true }
  }

  private mutating func readDirective() throws(Problem) {
    guard ["#warning", "#error", "#sourceLocation"].contains(token.text) else {
      let what = token.text.hasPrefix("#if") ? "`#if`" : "`\(token.text)`"
      throw notUnderstood("\(what) is among the members")
    }
    advance()
    if isHere("(") { try skipBrackets() }
  }

  /// Skips a member to the end of its body, or to the next member: a function whose body is C's, or
  /// which a macro writes, has none.
  private mutating func skipMember() throws(Problem) {
    let mayLackBody = ["func", "init", "subscript"].contains(token.text)
    advance()
    while !isHere("{") {
      if mayLackBody, isHere("}") || isHere(";") || beginsMember { return }
      guard token.kind != .end, !isHere("}") else { throw notUnderstood("a member has no body") }
      if isHere("(") || isHere("[") { try skipBrackets() } else { advance() }
    }
    try skipBrackets()
  }

  /// Whether another member begins with this token, the first of its line.
  private var beginsMember: Bool {
    let isBehindArrow = previous.text == ">" && peek(-2).text == "-"
    guard token.isOnNewLine, !isBehindArrow else { return false }
    return token.kind == .directive || isHere("@") || Self.modifiers.contains(token.text)
      || Self.memberKeywords.contains(token.text)
  }

  /// Reads attributes and modifiers.
  mutating func readPrefix() throws(Problem) -> ([TypeDeclaration.Attribute], [String]) {
    var attributes: [TypeDeclaration.Attribute] = []
    var modifiers: [String] = []
    while true {
      if isHere("@") {
        attributes.append(try readAttribute())
      } else if Self.modifiers.contains(token.text), !isDeclarationKeyword {
        modifiers.append(token.text)
        advance()
        if isHere("(") {
          modifiers[modifiers.count - 1] += "(\(peek(1).text))"
          try skipBrackets()
        }
      } else {
        return (attributes, modifiers)
      }
    }
  }

  /// Whether `class` begins a declaration, and is no modifier as in `class func`.
  private var isDeclarationKeyword: Bool {
    guard token.text == "class" else { return false }
    return !Self.modifiers.union(["var", "let", "func", "subscript"]).contains(peek(1).text)
  }

  mutating func readAttribute() throws(Problem) -> TypeDeclaration.Attribute {
    let offset = token.bytes.lowerBound
    advance()
    let start = mark()
    advance()
    while isHere("."), !token.hasSpace {
      advance()
      advance()
    }
    let name = text(from: start)?.text ?? ""
    if isHere("<"), !token.hasSpace { try skipAngles() }
    let arguments = mark()
    if isHere("("), !token.hasSpace { try skipBrackets() }
    return .init(name: name, arguments: text(from: arguments)?.text ?? "", offset: offset)
  }

  private static let memberKeywords: Set = [
    "var", "let", "case", "typealias", "init", "func", "subscript", "struct", "enum", "class",
    "actor", "deinit", "extension", "protocol",
  ]

  private static let accesses: Set = [
    "public", "package", "internal", "fileprivate", "private", "open",
  ]

  private static let modifiers = accesses.union([
    "static", "class", "lazy", "final", "mutating", "nonmutating", "override", "indirect",
    "required", "convenience", "weak", "unowned", "dynamic", "optional", "isolated",
    "nonisolated", "consuming", "borrowing", "prefix", "postfix", "infix", "distributed",
  ])
}
