import SharingCore

/// Whether an engine can be reached now.
public struct EngineStatus: Equatable, Sendable {
  /// Whether it can.
  public let isConnected: Bool
  /// Why not, or where to; empty where there is nothing to say.
  public let message: UTF8Text

  init(isConnected: Bool, message: UTF8Text = "") {
    self.isConnected = isConnected
    self.message = message
  }
}

extension EngineName {
  /// Whether the engine can be reached now. Who reads it in an observer hears of changes:
  ///
  /// ```swift
  /// page.bind("connection") { EngineName.world.status.isConnected ? "" : "Offline" }
  /// ```
  /// An engine that the program has set itself, or that does not tell, counts as connected; one
  /// that is missing does not.
  public var status: EngineStatus {
    if EngineCalls.isInPage(self) { return EngineCalls.ofPage.watch(self).status }
    return EngineStatus(isConnected: isAvailable)
  }
}
