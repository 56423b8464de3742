import SharingCore

// What messages call a key: natively as one writes it; in Embedded Swift, where few bytes have to
// do, by its name.
#if hasFeature(Embedded)
  /// What messages call a key.
  struct KeyLabel: Sendable {
    init(
      _ factory: StaticString, argument: StaticString = "", prefix: String = "",
      hasName: Bool = true
    ) {}

    /// The name.
    func text(_ name: KeyName) -> UTF8Text { "\"\(name)\"" }
  }
#else
  /// What messages call a key: what makes it, with its arguments.
  struct KeyLabel: Sendable {
    private let factory: StaticString
    private let argument: StaticString
    private let prefix: String
    private let hasName: Bool

    init(
      _ factory: StaticString, argument: StaticString = "", prefix: String = "",
      hasName: Bool = true
    ) {
      self.factory = factory
      self.argument = argument
      self.prefix = prefix
      self.hasName = hasName
    }

    /// The key as it is written: `.localStorage("count")`.
    func text(_ name: KeyName) -> UTF8Text { UTF8Text(description(name)) }

    fileprivate func description(_ name: KeyName) -> String {
      if !hasName { return "\(factory)" }
      let bytes = name.bytes.dropFirst(prefix.utf8.count)
      let name = String(decoding: bytes, as: UTF8.self).debugDescription
      let more = prefix.isEmpty ? "" : ", prefix: \(prefix.debugDescription)"
      let argument = argument.utf8CodeUnitCount > 0 ? "\(argument): " : ""
      return "\(factory)(\(argument)\(name)\(more))"
    }
  }

  extension StoredKey: CustomStringConvertible {
    /// The key as it is written: `.localStorage("count")`.
    public var description: String { options.label.description(options.name) }
  }
#endif
