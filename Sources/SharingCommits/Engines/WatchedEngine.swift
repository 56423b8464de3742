import SharingCore
import WasiStorage

/// An engine of the page that the program follows.
final class WatchedEngine: @unchecked Sendable {
  let name: EngineName
  let feed = RevisionFeed()
  private let told = Shared(value: EngineStatus(isConnected: true))

  init(_ name: EngineName) {
    self.name = name
  }

  /// The last reported status. A read of it is observed.
  var status: EngineStatus { told.wrappedValue }

  func set(_ status: EngineStatus) {
    told.withLock { $0 = status }
  }
}
