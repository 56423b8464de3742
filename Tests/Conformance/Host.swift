import SharingCore
import WasiStorage

/// Where the cases run: how to get an empty store there.
package struct Host: Sendable {
  /// The host's name, for reports.
  package let name: String
  /// Makes an empty store for one case.
  package let makeStore: @Sendable () -> any KeyValueStore

  package init(_ name: String, makeStore: @escaping @Sendable () -> any KeyValueStore) {
    self.name = name
    self.makeStore = makeStore
  }

  /// A new store in memory for every case.
  package static let memory = Host("memory") { MemoryStore() }

  /// A new folder for every case, below `folder`.
  package static func files(below folder: UTF8Text) -> Host {
    let numbers = Counter()
    return Host("files") { FileStore(folder: "\(folder)/case-\(numbers.next())") }
  }
}

/// Numbers the folders of the cases.
private final class Counter: @unchecked Sendable {
  private let lock = Lock()
  private var last = 0

  func next() -> Int {
    lock.withLock {
      last += 1
      return last
    }
  }
}
