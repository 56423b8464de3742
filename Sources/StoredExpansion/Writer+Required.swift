// Structs with `@Required`: an object without one of these members is an error.
extension Writer {
  /// The code that reads an object: all stored properties are variables until each required one has
  /// its value.
  func requiredMembers() -> [String] {
    let stored = type.properties.filter { !$0.isNotStored }
    let required = stored.filter { $0.isRequired }
    let variables = stored.enumerated().map { place, property in
      guard let type = property.type?.text else {
        return "    var value\(place) = \(property.value!.text)"
      }
      guard !property.isRequired else { return "    var value\(place) = _JSONMember<\(type)>()" }
      return "    var value\(place): \(type) = \(property.value?.text ?? "nil")"
    }
    let reading = stored.enumerated().map { place, property in
      "      try json.field(\(storedName(of: property)), &value\(place))"
    }
    let values = stored.enumerated().filter { $1.isRequired }.map { place, property in
      "try value\(place).value(\(storedName(of: property)), at: start)"
    }
    let arguments = values.enumerated().map { "_stored\($0): \($1)" }.joined(separator: ", ")
    let assignments = stored.enumerated().filter { !$1.isRequired }.map { place, property in
      "    object.\(property.name.text) = value\(place)"
    }
    let parameters = required.enumerated().map { "_stored\($0): \($1.type!.text)" }
    return
      ["  \(access)static func decode(from json: inout JSONReader) throws(JSONError) -> Self {"]
      + variables
      + [
        "    let start = json.offset",
        "    try json._members { (json: inout JSONReader) throws(JSONError) in",
      ] + reading
      + [
        "    }",
        "    \(assignments.isEmpty ? "let" : "var") object = Self(\(arguments))",
      ] + assignments
      + ["    return object", "  }"]
      + ["  private init(\(parameters.joined(separator: ", "))) {"]
      + required.enumerated().map { "    self.\($1.name.text) = _stored\($0)" } + ["  }"]
  }
}

extension TypeDeclaration.Property {
  func attribute(_ name: String) -> TypeDeclaration.Attribute? {
    attributes.first { $0.isMacro(name) }
  }

  var isNotStored: Bool { attribute("NotStored") != nil }
  var isRequired: Bool { attribute("Required") != nil }

  var isOptional: Bool {
    type.map { $0.text.hasSuffix("?") || $0.text.hasSuffix("!") } ?? false
  }
}

extension TypeDeclaration {
  var hasRequired: Bool { properties.contains { $0.isRequired } }
}
