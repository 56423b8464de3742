import SharingCore
import WasiStorage

/// An engine of the page that the program follows.
final class WatchedEngine: @unchecked Sendable {
  let name: EngineName
  let feed = RevisionFeed()
  private let lastStatus = Shared(value: EngineStatus(isConnected: true))

  init(_ name: EngineName) {
    self.name = name
  }

  /// The last reported status. A read of it is observed.
  var status: EngineStatus { lastStatus.wrappedValue }

  func set(_ status: EngineStatus) {
    lastStatus.withLock { $0 = status }
  }
}
