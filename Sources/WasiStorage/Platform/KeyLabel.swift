import SharingCore

/// How its name is written in a key.
enum NameArgument: Sendable {
  case none, unlabeled
  case labeled(StaticString)
}

// What messages call a key: natively as one writes it; in Embedded Swift, where few bytes have to
// do, by its name.
#if hasFeature(Embedded)
  /// What messages call a key.
  struct KeyLabel: Sendable {
    init(_ factory: StaticString, prefix: String = "", name: NameArgument = .unlabeled) {}

    /// The name.
    func text(_ name: KeyName) -> UTF8Text { "\"\(name)\"" }
  }
#else
  /// What messages call a key: what makes it, with its arguments.
  struct KeyLabel: Sendable {
    private let factory: StaticString
    private let prefix: String
    private let name: NameArgument

    init(_ factory: StaticString, prefix: String = "", name: NameArgument = .unlabeled) {
      self.factory = factory
      self.prefix = prefix
      self.name = name
    }

    /// The key as it is written: `.localStorage("count")`.
    func text(_ name: KeyName) -> UTF8Text { UTF8Text(description(name)) }

    fileprivate func description(_ name: KeyName) -> String {
      let bytes = name.bytes.dropFirst(prefix.utf8.count)
      let text = String(decoding: bytes, as: UTF8.self).debugDescription
      let more = prefix.isEmpty ? "" : ", prefix: \(prefix.debugDescription)"
      return switch self.name {
      case .none: "\(factory)"
      case .unlabeled: "\(factory)(\(text)\(more))"
      case .labeled(let label): "\(factory)(\(label): \(text)\(more))"
      }
    }
  }

  extension StoredKey: CustomStringConvertible {
    /// The key as it is written: `.localStorage("count")`.
    public var description: String { options.label.description(options.name) }
  }
#endif
