// Stored properties, and the cases of an enum.
extension Scanner {
  // MARK: Properties

  mutating func readProperties(
    _ attributes: [TypeDeclaration.Attribute], _ modifiers: [String]
  ) throws(Problem) {
    let isConstant = token.text == "let"
    let isStored = !modifiers.contains { ["static", "class", "lazy"].contains($0) }
    advance()
    let first = type.properties.count
    var computed: Token?
    repeat {
      guard token.kind == .word else {
        throw Problem(
          message: "write one `var` for each name: `@Stored` does not support patterns",
          offset: token.bytes.lowerBound)
      }
      let name = token
      advance()
      let binding = try readBinding()
      if !isStored || binding.isComputed {
        computed = name
      } else {
        self.type.properties.append(
          .init(
            name: name, isConstant: isConstant, type: binding.type, value: binding.value,
            attributes: attributes, observer: binding.observer))
      }
    } while take(",")
    if let computed, type.properties.count == first {
      noteMarks(attributes, of: "the \(kind(modifiers)) property `\(computed.text)`")
    }
    shareTypes(from: first)
  }

  /// The kind of a property that is not stored.
  private func kind(_ modifiers: [String]) -> String {
    if modifiers.contains("lazy") { return "lazy" }
    return modifiers.contains("static") || modifiers.contains("class") ? "static" : "computed"
  }

  /// In `var a, b: Int` both have the type.
  private mutating func shareTypes(from first: Int) {
    guard type.properties.count > first + 1 else { return }
    for place in (first..<type.properties.count - 1).reversed()
    where type.properties[place].type == nil && type.properties[place].value == nil {
      type.properties[place].type = type.properties[place + 1].type
    }
  }

  /// The rest of a property's declaration, behind its name.
  private struct Binding {
    var type: Source?
    var value: Source?
    var isComputed = false
    var observer: Int?
  }

  private mutating func readBinding() throws(Problem) -> Binding {
    var binding = Binding()
    if take(":") {
      let start = mark()
      try skipType()
      binding.type = text(from: start)
    }
    if take("=") {
      let start = mark()
      try skipExpression()
      binding.value = text(from: start)
    }
    guard isHere("{") else { return binding }
    if isObserver {
      binding.observer = peek(1).bytes.lowerBound
    } else {
      binding.isComputed = true
    }
    try skipBrackets()
    return binding
  }

  // MARK: Cases

  mutating func readCases() throws(Problem) {
    advance()
    repeat {
      guard token.kind == .word else { throw notUnderstood("a case has no name") }
      let name = token
      advance()
      let values = isHere("(") ? try readValues() : []
      var rawValue: Source?
      if take("=") {
        let start = mark()
        try skipExpression()
        rawValue = text(from: start)
      }
      type.cases.append(.init(name: name, values: values, rawValue: rawValue))
    } while take(",")
  }

  private mutating func readValues() throws(Problem) -> [TypeDeclaration.Value] {
    var values: [TypeDeclaration.Value] = []
    advance()
    while !isHere(")") {
      var label: Token?
      if token.kind == .word, peek(1).text == ":" || peek(2).text == ":" && peek(1).kind == .word {
        label = token.text == "_" ? nil : token
        while !isHere(":") { advance() }
        advance()
      }
      let start = mark()
      try skipType()
      guard let type = text(from: start) else { throw notUnderstood("this value has no type") }
      var defaultValue: Source?
      if take("=") {
        let start = mark()
        try skipExpression()
        defaultValue = text(from: start)
      }
      values.append(.init(label: label, type: type, defaultValue: defaultValue))
      guard take(",") || isHere(")") else { throw notUnderstood("`,` or `)` is missing here") }
    }
    advance()
    return values
  }
}
