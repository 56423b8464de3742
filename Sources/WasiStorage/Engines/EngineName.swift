import SharingCore

/// The name under which a page gives an engine to `start`, declared once:
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

  /// The name that is written there.
  public init(stringLiteral name: StaticString) {
    self.name = KeyName(bytes: UTF8Text(stringLiteral: name).bytes)
  }

  var text: UTF8Text { UTF8Text(name.bytes) }

  /// Whether the program's page has an engine of this name, or the program itself has set one. One
  /// that has not can choose another key:
  ///
  /// ```swift
  /// let key: RevisionKey<Int> =
  ///   EngineName.world.isAvailable ? .engine("score", in: .world) : .indexedDB("score")
  /// ```
  public var isAvailable: Bool {
    SharingEnvironment.current.engines.contains(self) || EngineCalls.isInPage(self)
  }
}
