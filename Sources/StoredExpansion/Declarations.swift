/// What the scanner has found of a type's declaration.
struct TypeDeclaration {
  /// `struct`, `enum`, `class` or `actor`.
  var keyword = Token.none
  /// `public`, `package`, `internal`, `fileprivate` or `private`, if it is written.
  var access = ""
  var name = ""
  /// The types behind the colon.
  var inherited: [String] = []
  /// The stored properties in their order.
  var properties: [Property] = []
  /// The cases of an enum in their order.
  var cases: [Case] = []
  /// The attributes in front of cases.
  var caseAttributes: [Attribute] = []
  /// `@Name` and `@Required` in front of members that are not stored.
  var misplacedMarks: [Problem] = []
  /// Whether an initializer is written, and one without parameters.
  var hasInitializer = false
  var hasPlainInitializer = false

  /// One binding of a `var` or `let` that is stored.
  struct Property {
    let name: Token
    let isConstant: Bool
    var type: Source?
    let value: Source?
    let attributes: [Attribute]
    /// Where its `willSet` or `didSet` is; nil if it has none.
    let observer: Int?
  }

  /// One case of an enum.
  struct Case {
    let name: Token
    let values: [Value]
    let rawValue: Source?
  }

  /// An associated value.
  struct Value {
    /// Nil without a name.
    let label: Token?
    let type: Source
    let defaultValue: Source?
  }

  /// An attribute with its arguments as they are written, parentheses included.
  struct Attribute {
    let name: String
    let arguments: String
    let offset: Int

    /// Whether it is one of ours, with or without the module's name.
    func isMacro(_ name: String) -> Bool { self.name == name || self.name.hasSuffix("." + name) }
  }
}

/// A piece of the source.
struct Source {
  let text: String
  let offset: Int
}

extension Token {
  static let none = Token(
    kind: .end, bytes: 0..<0, isOnNewLine: false, hasSpace: false, text: "")

  /// The name without backticks.
  var name: String {
    text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text
  }
}
