import SharingCore

// The names of keys in messages: natively as in source code; in Embedded Swift, to save bytes, the
// name alone.
#if hasFeature(Embedded)
  /// A key in messages.
  package struct KeyLabel: Sendable {
    package static func named(_ factory: StaticString, prefix: String = "") -> Self { Self() }
    package static func labeled(_ factory: StaticString, _ argument: StaticString) -> Self {
      Self()
    }
    static func nameless(_ factory: StaticString) -> Self { Self() }
    static func document(_ factory: StaticString) -> Self { Self() }

    /// The name in quotation marks.
    package func text(_ name: KeyName) -> UTF8Text { "\"\(name)\"" }
  }
#else
  import Foundation

  /// A key in messages, as its factory and arguments.
  package enum KeyLabel: Sendable {
    /// The name is the first argument, without the prefix, which is another argument.
    case named(StaticString, prefix: String = "")
    /// The name is the only argument, with a label.
    case labeled(StaticString, StaticString)
    /// The name is not an argument.
    case nameless(StaticString)
    /// The name is the path of a file, shown as a URL if it is absolute.
    case document(StaticString)

    /// The key as in source code: `.localStorage("count")`.
    package func text(_ name: KeyName) -> UTF8Text { UTF8Text(description(name)) }

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
    /// The key as in source code: `.localStorage("count")`.
    public var description: String { item.label.description(item.name) }
  }
#endif
