// Enums: a raw value, the name of a case, or an object with a case and its values.
extension Writer {
  func enumMembers() throws(Problems) -> [String] {
    let hasValues = type.cases.contains { !$0.values.isEmpty }
    try checkAttributes(hasValues: hasValues)
    try checkNames()
    if !hasValues, try isRaw() { return rawMembers() }
    let decoding = type.cases.flatMap { hasValues ? reading($0) : readingName($0) }
    let encoding = type.cases.flatMap { hasValues ? writing($0) : writingName($0) }
    let members =
      ["    let found = try _JSONCase(from: &json)"]
      + decoding + ["    throw found.unknown"]
    let memberWriter = "  \(access)static var _memberWriter: _UnknownMemberWriter? { nil }"
    return decodeFunction(members)
      + ["  \(access)func encode(into json: inout JSONWriter) throws(JSONError) {"]
      + (type.cases.isEmpty ? [] : ["    switch self {"] + encoding + ["    }"])
      + ["  }"] + (hasValues ? [] : [memberWriter])
  }

  private func decodeFunction(_ lines: [String]) -> [String] {
    ["  \(access)static func decode(from json: inout JSONReader) throws(JSONError) -> Self {"]
      + lines + ["  }"]
  }

  /// Refuses the marks of properties.
  private func checkAttributes(hasValues: Bool) throws(Problems) {
    let ofCases = type.caseAttributes.compactMap { one -> Problem? in
      for mark in ["NotStored", "Required"] where one.isMacro(mark) {
        return Problem(
          message: "remove `@\(mark)`: every case of an enum is stored", offset: one.offset)
      }
      guard one.isMacro("Name") else { return nil }
      let name = one.arguments.dropFirst().dropLast()
      let advice =
        hasValues
        ? "rename the case, which is stored under its own name"
        : "write a raw value, as `case name = \(name)` in an enum of `String`"
      return Problem(message: "\(advice): `@Name` is for properties", offset: one.offset)
    }
    let problems = type.misplacedMarks + ofCases
    guard problems.isEmpty else { throw Problems(problems) }
  }

  private func checkNames() throws(Problems) {
    for one in type.cases { try checkValues(of: one) }
    var names: Set<String> = []
    for one in type.cases where !names.insert(one.name.name).inserted {
      throw Problems([
        Problem(
          message: "two cases are called `\(one.name.text)`: JSON stores only the name",
          offset: one.name.bytes.lowerBound)
      ])
    }
  }

  private func checkValues(of one: TypeDeclaration.Case) throws(Problems) {
    var keys: Set<String> = []
    for (place, value) in one.values.enumerated() {
      let key = key(of: value, at: place)
      if keys.insert(key).inserted { continue }
      throw Problems([
        Problem(
          message: "two values of `\(one.name.text)` are stored as \(key): give one of them "
            + "another label",
          offset: value.label?.bytes.lowerBound ?? value.type.offset)
      ])
    }
  }

  // MARK: Raw values

  /// Whether the enum has raw values. A protocol and a type look alike there.
  private func isRaw() throws(Problems) -> Bool {
    if type.cases.contains(where: { $0.rawValue != nil }) { return true }
    guard let first = type.inherited.first?.split(separator: ".").last.map(String.init) else {
      return false
    }
    if Self.rawTypes.contains(first) { return true }
    if Self.protocols.contains(where: { first == $0 || first.hasPrefix($0 + " &") }) {
      return false
    }
    throw refused(
      "`\(first)` may be a protocol or a type of raw values: write a known protocol before it, "
        + "such as `Sendable`, or give the cases raw values")
  }

  /// An enum of strings compares bytes, since Swift's own comparison takes Unicode's tables into a
  /// program in WebAssembly.
  private func rawMembers() -> [String] {
    let isText = type.inherited.first == "String"
    let texts = type.cases.map { $0.rawValue?.text ?? quoted($0.name.name) }
    guard isText, !texts.contains(where: { $0.contains("\\") || $0.hasPrefix("\"\"\"") }) else {
      return []
    }
    let cases = zip(type.cases, texts).map { one, text in
      "    if found.matches(\(text)) { return .\(one.name.text) }"
    }
    return decodeFunction(
      ["    let found = try _JSONCase(rawValueFrom: &json)"] + cases + ["    throw found.unknown"])
  }

  private static let rawTypes: Set = [
    "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16",
    "UInt32", "UInt64", "Double", "Float", "UTF8Text",
  ]

  private static let protocols: Set = [
    "BitwiseCopyable", "CaseIterable", "Codable", "Comparable", "CustomStringConvertible",
    "Decodable", "Encodable", "Equatable", "Error", "Hashable", "Identifiable", "JSONValue",
    "Sendable",
  ]

  // MARK: Names alone

  private func readingName(_ one: TypeDeclaration.Case) -> [String] {
    let name = quoted(one.name.name)
    return [
      "    if found.matches(\(name)) {",
      "      return try found.end(\(name), in: &json, .\(one.name.text))",
      "    }",
    ]
  }

  private func writingName(_ one: TypeDeclaration.Case) -> [String] {
    ["    case .\(one.name.text): json._caseName(\(quoted(one.name.name)))"]
  }

  // MARK: Values

  private func reading(_ one: TypeDeclaration.Case) -> [String] {
    guard !one.values.isEmpty else { return readingName(one) }
    let name = quoted(one.name.name)
    let variables = one.values.enumerated().map { place, value in
      let type = value.type.text
      guard let start = value.defaultValue else {
        return "      var value\(place) = _JSONMember<\(type)>()"
      }
      return "      var value\(place): \(type) = \(start.text)"
    }
    let arguments = one.values.enumerated().map { place, value in
      let label = value.label.map { $0.text + ": " } ?? ""
      let required = "try found.value(value\(place), \(key(of: value, at: place)), of: \(name))"
      return label + (value.defaultValue == nil ? required : "value\(place)")
    }
    let call = "      try found.values(\(name), in: &json) {"
    let made = "      return .\(one.name.text)(\(arguments.joined(separator: ", ")))"
    return ["    if found.matches(\(name)) {"] + variables
      + [call + " (json: inout JSONReader) throws(JSONError) in"] + fields(of: one)
      + ["      }", made, "    }"]
  }

  private func writing(_ one: TypeDeclaration.Case) -> [String] {
    let name = quoted(one.name.name)
    guard !one.values.isEmpty else {
      return ["    case .\(one.name.text): try json._emptyCase(\(name))"]
    }
    let bound = one.values.indices.map { "var value\($0)" }.joined(separator: ", ")
    let head = [
      "    case .\(one.name.text)(\(bound)):",
      "      try json._caseValues(\(name)) { (json: inout JSONWriter) throws(JSONError) in",
    ]
    return head + fields(of: one) + ["      }"]
  }

  private func fields(of one: TypeDeclaration.Case) -> [String] {
    one.values.enumerated().map { place, value in
      "        try json.field(\(key(of: value, at: place)), &value\(place))"
    }
  }

  /// The name of a value in JSON: that of its label, or its position.
  private func key(of value: TypeDeclaration.Value, at place: Int) -> String {
    quoted(value.label?.name ?? "_\(place)")
  }
}
