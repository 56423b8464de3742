#if !hasFeature(Embedded)
  /// The text of a value, one line for each part, similar to Swift source code.
  ///
  /// ```
  /// User(
  ///   name: "Ada",
  ///   scores: [
  ///     1,
  ///     2
  ///   ]
  /// )
  /// ```
  enum ValueText {
    /// Returns the lines.
    /// - Parameter objects: The objects around the value, which are not entered again.
    static func text(_ value: Any, within objects: [ObjectIdentifier] = []) -> String {
      if let shared = value as? any SharedReadable { return text(of: shared, within: objects) }
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .optional {
        return mirror.children.first.map { text($0.value, within: objects) } ?? "nil"
      }
      if let string = value as? any StringProtocol { return String(string).debugDescription }
      var objects = objects
      if mirror.displayStyle == .class {
        let id = ObjectIdentifier(value as AnyObject)
        if objects.contains(id) { return "\(mirror.subjectType)(…)" }
        objects.append(id)
      }
      let children = mirror.children.map { child in
        Child(label: child.label, text: text(child.value, within: objects))
      }
      switch mirror.displayStyle {
      case .collection: return list("[", children.map(\.text), "]")
      case .set: return list("[", children.map(\.text).sorted(), "]")
      case .dictionary: return dictionary(mirror, within: objects)
      case .tuple: return list("(", children.map(\.labeled), ")")
      case .enum: return enumCase(value, children)
      case .struct, .class:
        let isOpaque = children.isEmpty && value is any CustomStringConvertible
        return isOpaque ? "\(value)" : list("\(mirror.subjectType)(", children.map(\.labeled), ")")
      default: return "\(value)"
      }
    }

    private struct Child {
      let label: String?
      let text: String

      var labeled: String {
        guard let label, !label.hasPrefix(".") else { return text }
        return "\(label): \(text)"
      }
    }

    private static func text<Readable: SharedReadable>(
      of shared: Readable, within objects: [ObjectIdentifier]
    ) -> String {
      text(shared.reader.wrappedValue, within: objects)
    }

    private static func dictionary(_ mirror: Mirror, within objects: [ObjectIdentifier]) -> String {
      let entries = mirror.children.map { child in
        let entry = Mirror(reflecting: child.value).children.map { text($0.value, within: objects) }
        return entry.joined(separator: ": ")
      }
      return entries.isEmpty ? "[:]" : list("[", entries.sorted(), "]")
    }

    private static func enumCase(_ value: Any, _ children: [Child]) -> String {
      guard let child = children.first else { return ".\(value)" }
      return "." + (child.label ?? "") + list("(", [child.text], ")")
    }

    private static func list(_ opening: String, _ items: [String], _ closing: String) -> String {
      if items.isEmpty { return opening + closing }
      let lines = items.joined(separator: ",\n").split(
        separator: "\n", omittingEmptySubsequences: false)
      return opening + "\n" + lines.map { "  \($0)" }.joined(separator: "\n") + "\n" + closing
    }
  }
#endif
