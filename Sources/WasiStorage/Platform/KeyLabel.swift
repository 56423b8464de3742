import SharingCore

// What messages call a key: natively as one writes it; in Embedded Swift, where few bytes have to
// do, by its name.
#if hasFeature(Embedded)
  /// What messages call a key.
  struct KeyLabel: Sendable {
    static func named(_ factory: StaticString, prefix: String = "") -> Self { Self() }
    static func labeled(_ factory: StaticString, _ argument: StaticString) -> Self { Self() }
    static func nameless(_ factory: StaticString) -> Self { Self() }
    static func document(_ factory: StaticString) -> Self { Self() }

    /// The name.
    func text(_ name: KeyName) -> UTF8Text { "\"\(name)\"" }
  }
#else
  import Foundation

  /// What messages call a key: what makes it, with its arguments.
  enum KeyLabel: Sendable {
    /// The name is the first argument, without the prefix that is another one.
    case named(StaticString, prefix: String = "")
    /// The name is the only argument, with a label.
    case labeled(StaticString, StaticString)
    /// The name is no argument.
    case nameless(StaticString)
    /// The name is the path of a file, shown as a URL if it is absolute.
    case document(StaticString)

    /// The key as it is written: `.localStorage("count")`.
    func text(_ name: KeyName) -> UTF8Text { UTF8Text(description(name)) }

    fileprivate func description(_ name: KeyName) -> String {
      switch self {
      case .named(let factory, let prefix):
        let bytes = name.bytes.dropFirst(prefix.utf8.count)
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        let more = prefix.isEmpty ? "" : ", prefix: \(prefix.debugDescription)"
        return "\(factory)(\(text)\(more))"
      case .labeled(let factory, let argument):
        return "\(factory)(\(argument): \(name.description.debugDescription))"
      case .nameless(let factory): return "\(factory)"
      case .document(let factory):
        guard name.bytes.first == UInt8(ascii: "/") else {
          return "\(factory)(\(name.description.debugDescription))"
        }
        return "\(factory)(\(URL(fileURLWithPath: name.description)))"
      }
    }
  }

  extension StoredKey: CustomStringConvertible {
    /// The key as it is written: `.localStorage("count")`.
    public var description: String { id.label.description(id.name) }
  }
#endif
