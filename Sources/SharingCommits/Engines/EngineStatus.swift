import SharingCore
import WasiStorage

/// Whether an engine can be reached now.
public struct EngineStatus: Equatable, Sendable {
  /// Whether the engine can be reached.
  public let isConnected: Bool
  /// The reason if it cannot, or details of the connection; may be empty.
  public let message: UTF8Text

  init(isConnected: Bool, message: UTF8Text = "") {
    self.isConnected = isConnected
    self.message = message
  }
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
    return EngineStatus(isConnected: isAvailable)
  }
}
