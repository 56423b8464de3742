import Foundation

/// The compiler's messages to a plugin, and its answers.
///
/// Each is a JSON object in UTF-8. Protocol 7 is that of Swift 6.3.
package enum Messages {
  static let version = 7

  /// Answers one message.
  package static func answer(to message: [String: Any]) -> [String: Any] {
    if message["getCapability"] != nil {
      return ["getCapabilityResult": ["capability": ["protocolVersion": version]]]
    }
    if let request = message["expandAttachedMacro"] as? [String: Any] {
      return expansion(of: request)
    }
    let name = message.keys.sorted().joined(separator: ", ")
    return result(
      nil,
      diagnostics: [
        diagnostic(
          "`@Stored` supports version \(version) of the compiler's plugin protocol, "
            + "which has no `\(name)`: use a toolchain whose compiler has that version",
          in: "", at: 0)
      ])
  }

  private static func expansion(of request: [String: Any]) -> [String: Any] {
    let macro = (request["macro"] as? [String: Any])?["typeName"] as? String
    // The marks of single properties are read with the type around them.
    guard macro == "Stored" else { return result("", diagnostics: []) }
    guard let declaration = request["declSyntax"] as? [String: Any],
      let source = declaration["source"] as? String,
      let role = request["macroRole"] as? String
    else {
      return result(
        nil,
        diagnostics: [
          diagnostic(
            "`@Stored` supports version \(version) of the compiler's plugin protocol, and this "
              + "request has another form: use a toolchain whose compiler has that version",
            in: "", at: 0)
        ])
    }
    do throws(Problems) {
      return result(try text(for: role, source, request), diagnostics: [])
    } catch {
      // Each role has the same problems: the compiler shows those of the extension.
      let place = declaration["location"] as? [String: Any]
      let file = place?["fileName"] as? String ?? ""
      let offset = place?["offset"] as? Int ?? 0
      let found = role == "extension" ? error.all : []
      return result(
        "", diagnostics: found.map { diagnostic($0.message, in: file, at: offset + $0.offset) })
    }
  }

  private static func text(
    for role: String, _ source: String, _ request: [String: Any]
  ) throws(Problems) -> String {
    let type: TypeDeclaration
    do throws(Problem) {
      type = try Scanner.declaration(in: source)
    } catch {
      throw Problems([error])
    }
    let name = (request["extendedTypeSyntax"] as? [String: Any])?["source"] as? String
    let writer = Writer(
      type: type, qualifiedName: name ?? type.name, contexts: contexts(of: request),
      conformances: conformances(of: request))
    return role == "extension" ? try writer.extensionText() : writer.initializerText() ?? ""
  }

  private static func contexts(of request: [String: Any]) -> [String] {
    let contexts = request["lexicalContext"] as? [[String: Any]] ?? []
    return contexts.map { Scanner.modifiers(in: $0["source"] as? String ?? "") }
  }

  /// The compiler lists those that the type lacks as `struct Placeholder: A, B {}`.
  private static func conformances(of request: [String: Any]) -> [String] {
    let list = (request["conformanceListSyntax"] as? [String: Any])?["source"] as? String ?? ""
    let names = list.split(whereSeparator: { ":,{} ".contains($0) }).map(String.init)
    return names.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
  }

  private static func result(_ text: String?, diagnostics: [[String: Any]]) -> [String: Any] {
    var result: [String: Any] = ["diagnostics": diagnostics]
    if let text { result["expandedSource"] = text }
    return ["expandMacroResult": result]
  }

  private static func diagnostic(
    _ message: String, in file: String, at offset: Int
  ) -> [String: Any] {
    [
      "message": message, "severity": "error",
      "position": ["fileName": file, "offset": offset] as [String: Any],
      "highlights": [Any](), "notes": [Any](), "fixIts": [Any](),
    ]
  }
}
