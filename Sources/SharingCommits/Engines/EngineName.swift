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
  let text: UTF8Text

  /// Creates a name from a literal.
  public init(stringLiteral name: StaticString) {
    text = UTF8Text(stringLiteral: name)
  }

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

/// Whether an engine can be reached now.
public struct EngineStatus: Equatable, Sendable {
  /// Whether the engine can be reached.
  public let isConnected: Bool
  /// The reason if it cannot, or details of the connection; may be empty.
  public let message: UTF8Text
}

extension EngineName {
  /// Whether the engine can be reached now. An observer that reads it runs again after a change:
  ///
  /// ```swift
  /// page.bind("connection") { EngineName.world.status.isConnected ? "" : "Offline" }
  /// ```
  /// An engine that the program has set itself, or that reports no status, counts as connected; a
  /// missing one does not.
  public var status: EngineStatus {
    if EngineCalls.isInPage(self) { return EngineCalls.ofPage.watch(self).status }
    return EngineStatus(isConnected: isAvailable, message: "")
  }
}
