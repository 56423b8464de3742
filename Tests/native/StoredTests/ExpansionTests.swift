import Foundation
import Testing

@testable import StoredExpansion

/// The generated code of the macro, and its refusals with their places.
@Suite struct ExpansionTests {
  @Test func aStructShowsItsFields() {
    let text = expanded("@Stored struct Todo {\n  var id = 0\n  var title: String = \"\"\n}")
    #expect(
      text == """
        extension Todo: JSONValue, JSONFields, JSONCodable {
          mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
            try json.field("id", &self.id)
            try json.field("title", &self.title)
          }
        }
        """)
  }

  @Test func aPublicTypeHasAPublicInitializer() {
    let source = "public struct Todo {\n  public var id = 0\n}"
    #expect(expanded(source)?.contains("public mutating func fields") == true)
    #expect(expanded(source, role: "member") == "public init() {}")
    #expect(expanded("struct Todo { var id = 0 }", role: "member") == "")
    #expect(expanded("private struct Todo { var id = 0 }", role: "member") == "")
    #expect(expanded("public struct T { public init() {} }", role: "member") == "")
    let withOther = "public struct T { public init(id: Int = 0) {} }"
    #expect(expanded(withOther, role: "member") == "public init() {}")
  }

  @Test func aTypeWithARequiredPropertyHasNoPlainInitializer() {
    let source = "public struct Todo {\n  @Required public var id: Int\n}"
    #expect(expanded(source, role: "member") == "")
    #expect(expanded(source)?.hasPrefix("extension Todo: JSONValue, JSONFields {") == true)
  }

  @Test func aConformanceThatIsWrittenIsNotWrittenAgain() {
    let text = expanded("struct Todo: JSONCodable { var id = 0 }", conformances: "")
    #expect(text?.hasPrefix("extension Todo {") == true)
  }

  @Test(arguments: [
    ("struct A {\n  var id: Int\n}", 2, 7, "give `id` a default"),
    ("struct A {\n  let id = 0\n}", 2, 7, "make `id` a `var`"),
    ("struct A {\n  var (a, b) = (1, 2)\n}", 2, 7, "one `var` for each name"),
    ("struct A {\n  var é = 0; var b: Int\n}", 2, 19, "give `b` a default"),
    ("struct A {\n#if DEBUG\n  var a = 0\n#endif\n}", 2, 1, "write `fields` by hand"),
    ("struct A {\n  @Published var a = 0\n}", 2, 3, "`@Published` may be a property wrapper"),
    ("struct A {\n  var a = 0 { didSet { } }\n}", 2, 15, "remove `willSet` and `didSet`"),
    ("struct A {\n  var a: Int? { @B willSet { } }\n}", 2, 17, "`willSet` and `didSet` of `a`"),
    ("struct A {\n  #members\n}", 2, 3, "write `fields` by hand"),
    ("struct A {\n  var a = \"\n}", 2, 11, "a string does not end"),
    ("struct A {\n  @Name(\"b\") var a = 0\n  var b = 0\n}", 3, 7, "two properties are stored as"),
    ("class A {\n}", 1, 1, "shared by reference"),
    ("actor A {\n}", 1, 1, "actor is shared by reference"),
    ("protocol A {\n}", 1, 1, "for a struct or an enum"),
    ("enum A: Own {\n  case a\n}", 1, 1, "may be a protocol or a type of raw values"),
    ("enum A {\n  case a(x: Int)\n  case a(y: Int)\n}", 3, 8, "two cases are called `a`"),
    ("enum A {\n  @Name(\"b\") case a, c\n}", 2, 3, "write a raw value"),
    ("enum A {\n  case a\n  @SharingJSON.Name(\"c\") case b(Int)\n}", 3, 3, "rename the case"),
    ("enum A: String {\n  case a\n  @A @NotStored case b\n}", 3, 6, "remove `@NotStored`"),
    ("struct A {", 1, 11, "the declaration does not end"),
    ("struct A {\n  @Name(\"b\") var a: Int { 1 }\n}", 2, 3, "the computed property `a` is not"),
    ("struct A {\n  @Name(\"b\") static var a = 1\n}", 2, 3, "the static property `a` is not"),
    ("struct A {\n  var b = 1\n  @Name(\"c\") lazy var a = 1\n}", 3, 3, "the lazy property `a`"),
    ("struct A {\n  @B @Name(\"b\") func a() {}\n}", 2, 6, "a function is not stored"),
    ("struct A {\n  @Name(\"b\") struct B {}\n}", 2, 3, "a type is not stored"),
    ("struct A {\n  @Name(\"b\") @NotStored var a = 1\n}", 2, 3, "remove `@Name` or `@NotStored`"),
    ("struct A {\n  @Required var a = 1\n}", 2, 3, "without a default"),
    ("struct A {\n  @Required var a: Int = 1\n}", 2, 3, "`@Required var a: Type`"),
    ("struct A {\n  @Required let a: Int\n}", 2, 17, "make `a` a `var`"),
    ("struct A {\n  @Required @NotStored var a = 1\n}", 2, 3, "remove `@Required` or"),
    ("struct A {\n  @Required var a: Int\n  @NotStored var b: Int\n}", 3, 18, "give `b` a"),
    ("struct A {\n  @Required var a: Int { 1 }\n}", 2, 3, "the computed property `a` is not"),
    ("enum A {\n  @Required case a\n}", 2, 3, "remove `@Required`: every case"),
    ("enum A {\n  case a\n  @Name(\"c\") static let b = 1\n}", 3, 3, "`b` is not stored"),
    ("enum A: String {\n  case a\n  @Name(\"c\") var b: Int { 1 }\n}", 3, 3, "`b` is not stored"),
    ("enum A {\n  case a(Int, _0: Int)\n}", 2, 15, "two values of `a` are stored as \"_0\""),
    ("enum A {\n  case a(x: Int, x: Int)\n}", 2, 18, "are stored as \"x\": give one of them"),
  ])
  func whatCannotBeStoredIsRefusedAtItsPlace(
    source: String, line: Int, column: Int, message: String
  ) throws {
    let problem = try #require(problems(in: source).first)
    #expect(problem.message.contains(message), "\(problem.message)")
    let before = source.utf8.prefix(problem.offset).split(
      separator: 10, omittingEmptySubsequences: false)
    #expect(before.count == line)
    #expect(before.last!.count + 1 == column)
  }

  @Test func eachProblemIsSaid() {
    #expect(problems(in: "struct A {\n  var a: Int\n  let b = 0\n}").count == 2)
  }

  @Test func aPropertyThatIsNotStoredMayHaveObservers() {
    #expect(problems(in: "struct A {\n  @NotStored var a = 0 { didSet { } }\n}").isEmpty)
  }

  @Test(arguments: [
    ##"#"""#"##, ##"#""""#"##, ##"#"""a"""#"##, ###"##"""#"##"###, "#\"\"\"\n  \"\n  \"\"\"#",
  ])
  func fieldsAfterAStringWithPoundsAreFields(string: String) {
    let text = expanded("struct A {\n  var a = \(string)\n  var b = \(string), c = 1\n}") ?? ""
    for name in ["a", "b", "c"] { #expect(text.contains("self.\(name))"), "\(name) is missing") }
  }

  @Test func anotherMessageIsAnErrorThatNamesTheVersion() throws {
    let answer = Messages.answer(to: ["expandSomethingNew": [String: Any]()])
    let found = diagnostics(of: answer)
    #expect(found.first?.message.contains("version 7") == true)
    #expect(found.first?.message.contains("expandSomethingNew") == true)
    let unusual = ["expandAttachedMacro": ["macro": ["typeName": "Stored"]]]
    #expect(!diagnostics(of: Messages.answer(to: unusual)).isEmpty)
  }

  @Test func aThousandFieldsAreWritten() {
    let fields = (0..<1000).map { "  var field\($0) = \($0)" }.joined(separator: "\n")
    let text = expanded("struct Large {\n\(fields)\n}")
    #expect(text?.split(separator: "\n").count == 1004)
  }

  @Test func noPrefixOfADeclarationEndsThePlugin() {
    let source = Array(Self.hard.utf8)
    for count in source.indices {
      _ = expanded(String(decoding: source[..<count], as: UTF8.self))
      _ = expanded(String(decoding: source[count...], as: UTF8.self))
    }
  }

  private static let hard = ##"""
    @Stored(a: 1) public struct A<T: B<C>>: D, E & F where T: G {
      @Name("x") var a: [String: (Int) -> Void]? = nil, b = #"a\#("x" + "\(1)")"#
      var c = /[/]x/ { willSet { } }; var `d`: A<B<C>>= .init(), e = a<b, f = A<Int, B>()
      /* a /* b */ */ func f<T>(_ a: T) throws(E) -> some P where T: Q { "\("}")" }
      var g = """
        "" \(1)
        """
    }
    """##
}

private func reply(
  _ source: String, role: String, conformances: String
) -> [String: Any] {
  Messages.answer(to: [
    "expandAttachedMacro": [
      "macro": ["typeName": "Stored"], "macroRole": role,
      "declSyntax": ["source": source, "location": ["fileName": "A.swift", "offset": 0]],
      "conformanceListSyntax": ["source": "struct Placeholder: \(conformances) {}"],
    ]
  ])
}

private func expanded(
  _ source: String, role: String = "extension",
  conformances: String = "JSONCodable, JSONFields, JSONValue"
) -> String? {
  let answer = reply(source, role: role, conformances: conformances)
  return (answer["expandMacroResult"] as? [String: Any])?["expandedSource"] as? String
}

private struct Found {
  let message: String
  let offset: Int
}

private func problems(in source: String) -> [Found] {
  diagnostics(
    of: reply(source, role: "extension", conformances: "JSONCodable, JSONFields, JSONValue"))
}

private func diagnostics(of answer: [String: Any]) -> [Found] {
  let result = answer["expandMacroResult"] as? [String: Any]
  let all = result?["diagnostics"] as? [[String: Any]] ?? []
  return all.map {
    let place = $0["position"] as? [String: Any]
    return Found(message: $0["message"] as? String ?? "", offset: place?["offset"] as? Int ?? -1)
  }
}
