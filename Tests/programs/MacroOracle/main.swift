// Compares the scanner of `@Stored` with the toolchain's own parser, for every struct and enum of
// the files that are named, or of sources on standard input that are divided by NUL.
//
// Tests/command/test_macro_oracle.py builds it, with the scanner's files.
import Foundation
import SwiftParser
import SwiftSyntax

/// What both say of one declaration, a line for each stored property or case.
typealias Facts = [String]

extension Facts {
  /// The facts that the scanner finds.
  init(scanned type: TypeDeclaration) {
    self = type.properties.map {
      Self.fact(
        $0.isConstant ? "let" : "var", $0.name.name, $0.name.bytes.lowerBound, $0.type?.text,
        $0.value?.text)
    }
    self += type.cases.flatMap { one in
      [Self.fact("case", one.name.name, one.name.bytes.lowerBound, nil, one.rawValue?.text)]
        + one.values.map {
          Self.fact(
            "value", $0.label?.name ?? "_", $0.type.offset, $0.type.text, $0.defaultValue?.text)
        }
    }
  }

  static func fact(
    _ kind: String, _ name: String, _ offset: Int, _ type: String?, _ value: String?
  ) -> String {
    "\(kind) \(name) at \(offset): \(type ?? "-") = \(value ?? "-")"
  }

  /// The facts of the toolchain's parser.
  init(parsed members: MemberBlockSyntax, from start: Int) {
    self = []
    for member in members.members {
      if let variable = member.decl.as(VariableDeclSyntax.self) { add(variable, start) }
      if let cases = member.decl.as(EnumCaseDeclSyntax.self) { add(cases, start) }
    }
  }

  private mutating func add(_ variable: VariableDeclSyntax, _ start: Int) {
    let modifiers = variable.modifiers.map(\.name.text)
    guard !modifiers.contains(where: ["static", "class", "lazy"].contains) else { return }
    let bindings = Array<PatternBindingSyntax>(variable.bindings)
    for (index, binding) in bindings.enumerated() where !binding.isComputed {
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
      // The type of `var a, b: Int` is that of both.
      let shared = bindings[index...].first { $0.typeAnnotation != nil || $0.initializer != nil }
      let type = binding.initializer == nil ? shared?.typeAnnotation : binding.typeAnnotation
      append(
        Self.fact(
          variable.bindingSpecifier.text, name.identifier.plain,
          name.positionAfterSkippingLeadingTrivia.utf8Offset - start,
          type?.type.trimmedDescription, binding.initializer?.value.trimmedDescription))
    }
  }

  private mutating func add(_ cases: EnumCaseDeclSyntax, _ start: Int) {
    for one in cases.elements {
      append(
        Self.fact(
          "case", one.name.plain, one.name.positionAfterSkippingLeadingTrivia.utf8Offset - start,
          nil, one.rawValue?.value.trimmedDescription))
      for value in one.parameterClause.map({ Array<EnumCaseParameterSyntax>($0.parameters) }) ?? []
      {
        append(
          Self.fact(
            "value", value.firstName?.plain ?? "_",
            value.type.positionAfterSkippingLeadingTrivia.utf8Offset - start,
            value.type.trimmedDescription, value.defaultValue?.value.trimmedDescription))
      }
    }
  }
}

extension TokenSyntax {
  var plain: String { text.hasPrefix("`") ? String(text.dropFirst().dropLast()) : text }
}

extension PatternBindingSyntax {
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case nil: false
    case .accessors(let all):
      !all.contains { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    default: true
    }
  }
}

/// Visits each struct and enum.
final class Comparison: SyntaxVisitor {
  let file: String
  var (compared, refused, differences) = (0, 0, 0)

  init(_ file: String) {
    self.file = file
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    compare(node.description, node.memberBlock, node.position.utf8Offset)
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    compare(node.description, node.memberBlock, node.position.utf8Offset)
  }

  private func compare(
    _ source: String, _ members: MemberBlockSyntax, _ start: Int
  ) -> SyntaxVisitorContinueKind {
    compared += 1
    do throws(Problem) {
      let scanned = Facts(scanned: try Scanner.declaration(in: source)).sorted()
      let parsed = Facts(parsed: members, from: start).sorted()
      if scanned != parsed {
        differences += 1
        print(
          "\(file): the scanner and the parser differ", scanned.difference(from: parsed), source)
      }
    } catch {
      refused += 1
      print("\(file): refused: \(error.message)")
    }
    return .visitChildren
  }
}

var (compared, refused, differences) = (0, 0, 0)
func compare(_ source: String, _ name: String) {
  let comparison = Comparison(name)
  let tree = Parser.parse(source: source)
  if tree.hasError {
    print("\(name): no Swift")
    return
  }
  comparison.walk(tree)
  compared += comparison.compared
  refused += comparison.refused
  differences += comparison.differences
}

let files = CommandLine.arguments.dropFirst()
for file in files { compare(try String(contentsOfFile: file, encoding: .utf8), file) }
if files.isEmpty {
  let sources = FileHandle.standardInput.readDataToEndOfFile().split(separator: 0)
  for (index, source) in sources.enumerated() {
    compare(String(decoding: source, as: UTF8.self), "source \(index)")
  }
}
print("compared \(compared), refused \(refused), differences \(differences)")
