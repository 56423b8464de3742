import SharingCore

/// An engine of the page that the program follows.
final class WatchedEngine: @unchecked Sendable {
  let name: EngineName
  let feed = RevisionFeed()
  private var told = EngineStatus(isConnected: true)
  /// How often it has told something: a number, since every program has the code for one.
  private let count = Shared(value: 0)

  init(_ name: EngineName) {
    self.name = name
  }

  /// What it has told last, observed.
  var status: EngineStatus {
    _ = count.wrappedValue
    return told
  }

  func set(_ status: EngineStatus) {
    told = status
    count.withLock { $0 &+= 1 }
  }
}
