import SharingCore
import WasiStorage

/// The name under which a page passes an engine to `start`; declare it once:
///
/// ```swift
/// extension EngineName {
///   static let world: EngineName = "world"
/// }
/// ```
/// ```js
/// const world = nats({ servers: ["wss://…"], bucket: "app", credentials });
/// start(source, window, page, { engines: { world } });
/// ```
public struct EngineName: Hashable, Sendable, ExpressibleByStringLiteral {
  let name: KeyName

  /// Creates a name from a literal.
  public init(stringLiteral name: StaticString) {
    self.name = KeyName(bytes: UTF8Text(stringLiteral: name).bytes)
  }

  var text: UTF8Text { UTF8Text(name.bytes) }

  /// Whether the page has an engine with this name, or the program itself has set one. Without one,
  /// a program can choose another key:
  ///
  /// ```swift
  /// let key: RevisionKey<Int> =
  ///   EngineName.world.isAvailable ? .engine("score", in: .world) : .indexedDB("score")
  /// ```
  public var isAvailable: Bool {
    SharingEnvironment.current.engines.contains(self) || EngineCalls.isInPage(self)
  }
}
