/// Writes the code that makes a declared type a stored one.
struct Writer {
  let type: TypeDeclaration
  /// The type's name with those around it, as an extension needs it.
  let qualifiedName: String
  /// The declarations around the type, the nearest one first: their modifiers and their keyword.
  let contexts: [String]
  /// The conformances that the type does not state itself.
  let conformances: [String]

  /// The extension with the type's JSON.
  func extensionText() throws(Problems) -> String {
    let members: [String]
    switch type.keyword.text {
    case "struct": members = try structMembers()
    case "enum": members = try enumMembers()
    default: throw refused("a \(type.keyword.text) is shared by reference: store a struct")
    }
    // The compiler wants each conformance written that the macro may add.
    let wanted =
      switch type.keyword.text {
      case "enum": ["JSONValue"]
      case _ where type.hasRequired: ["JSONValue", "JSONFields"]
      default: ["JSONValue", "JSONFields", "JSONCodable"]
      }
    let missing = wanted.filter(conformances.contains)
    let inherited = missing.isEmpty ? "" : ": " + missing.joined(separator: ", ")
    return "extension \(qualifiedName)\(inherited) {\n\(members.joined(separator: "\n"))\n}"
  }

  /// The initializer that a type for other modules has to show; nil where Swift makes it.
  ///
  /// It is in the type itself: in an extension it would be declared beside Swift's own.
  func initializerText() -> String? {
    // A required property has no value that `init()` could give to it.
    guard type.keyword.text == "struct", !type.hasPlainInitializer, !type.hasRequired else {
      return nil
    }
    let isForOthers = access == "public " || access == "package "
    return type.hasInitializer || isForOthers ? "\(access)init() {}" : nil
  }

  /// The access that others need who store the type: that of the type, as it is written or as the
  /// declarations around it have it.
  var access: String {
    let isPrivate = (contexts + [type.access]).contains {
      $0.split(separator: " ").contains { $0 == "private" || $0 == "fileprivate" }
    }
    if isPrivate { return "fileprivate " }
    let shown = type.access.isEmpty ? extensionAccess : type.access
    return ["public", "package"].contains(shown) ? shown + " " : ""
  }

  /// What `public extension` gives to its members.
  private var extensionAccess: String {
    let words = contexts.first?.split(separator: " ").map(String.init) ?? []
    return words.last == "extension" ? words.first { $0 == "public" || $0 == "package" } ?? "" : ""
  }

  func refused(_ message: String) -> Problems {
    Problems([Problem(message: message, offset: type.keyword.bytes.lowerBound)])
  }

  // MARK: Structs

  private func structMembers() throws(Problems) -> [String] {
    var problems = type.misplacedMarks
    var fields: [String] = []
    var names: Set<String> = []
    for property in type.properties {
      if property.isNotStored {
        problems += problemsOfUnstored(property)
        continue
      }
      if let problem = problem(of: property) {
        problems.append(problem)
        continue
      }
      let name = storedName(of: property)
      if !names.insert(name).inserted {
        problems.append(
          Problem(
            message: "two properties are stored as \(name): give one of them another `@Name`",
            offset: property.name.bytes.lowerBound))
      }
      fields.append("    try json.field(\(name), &self.\(property.name.text))")
    }
    guard problems.isEmpty else { throw Problems(problems) }
    return ["  \(access)mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {"]
      + fields + ["  }"] + (type.hasRequired ? requiredMembers() : [])
  }

  private func problemsOfUnstored(_ property: TypeDeclaration.Property) -> [Problem] {
    var problems: [Problem] = []
    if let name = property.attribute("Name") {
      problems.append(
        Problem(
          message: "remove `@Name` or `@NotStored`: a property that is not stored has no name "
            + "in JSON",
          offset: name.offset))
    }
    if let required = property.attribute("Required") {
      problems.append(
        Problem(
          message: "remove `@Required` or `@NotStored`: a property that is not stored is in no "
            + "stored object",
          offset: required.offset))
    }
    if type.hasRequired, property.value == nil, !property.isOptional {
      problems.append(
        Problem(
          message: "give `\(property.name.text)` a default: it is not stored, and a stored object "
            + "with `@Required` is made without it",
          offset: property.name.bytes.lowerBound))
    }
    return problems
  }

  private func problem(of property: TypeDeclaration.Property) -> Problem? {
    let name = property.name.text
    let offset = property.name.bytes.lowerBound
    if let wrapper = property.attributes.first(where: { $0.mayBeWrapper }) {
      return Problem(
        message: "`@\(wrapper.name)` may be a property wrapper, which `@Stored` cannot store: "
          + "write `fields` by hand, or add `@NotStored`; see \(Problem.link)",
        offset: wrapper.offset)
    }
    if property.isConstant {
      return Problem(
        message: "make `\(name)` a `var`, since a stored value replaces it; or add `@NotStored`",
        offset: offset)
    }
    if let observer = property.observer {
      return Problem(
        message: "remove `willSet` and `didSet` of `\(name)`, which would run whenever a value is "
          + "written or read: use `observe` outside, or a computed property that sets others, or "
          + "add `@NotStored`; see \(Problem.link)",
        offset: observer)
    }
    if let required = property.attribute("Required") {
      guard property.value != nil || property.type == nil else { return nil }
      return Problem(
        message: "write `@Required var \(name): Type` without a default: a stored object has to "
          + "have it",
        offset: required.offset)
    }
    if property.value == nil, !property.isOptional {
      return Problem(
        message: "give `\(name)` a default, which is used if a stored object lacks it, or mark it "
          + "as `@Required`",
        offset: offset)
    }
    return nil
  }

  /// The name in JSON, as a literal.
  func storedName(of property: TypeDeclaration.Property) -> String {
    guard let name = property.attribute("Name") else {
      return quoted(property.name.name)
    }
    return String(name.arguments.dropFirst().dropLast())
  }

  func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined() + "\""
  }
}

/// All that is wrong with one declaration.
struct Problems: Error {
  let all: [Problem]
  init(_ all: [Problem]) { self.all = all }
}

extension TypeDeclaration.Attribute {
  /// Whether the attribute may be a property wrapper or another macro: those of Swift itself begin
  /// with a small letter.
  fileprivate var mayBeWrapper: Bool {
    if isMacro("Name") || isMacro("NotStored") || isMacro("Required") { return false }
    let last = name.split(separator: ".").last ?? ""
    return last.first?.isLowercase != true && last.first != "_"
  }
}
