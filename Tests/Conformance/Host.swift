import SharingCore
import WasiStorage

/// A host of the cases: creates empty stores, and lists missing capabilities.
package struct Host: Sendable {
  /// The host's name, for reports.
  package let name: String
  /// The missing capabilities, with reasons.
  package let lacks: [Lack]
  /// Creates an empty store for one case.
  package let makeStore: @Sendable () -> any KeyValueStore
  /// Creates the page's address, without a fragment, for one case.
  package let makeLocation: @Sendable () -> any KeyValueStore

  /// Returns a folder name for one case, on a host with files.
  let makeFolder: @Sendable () -> UTF8Text

  /// A missing capability of a host, and the reason.
  package typealias Lack = (what: Capability, why: String)

  package init(
    _ name: String, lacks: [Lack] = [],
    makeLocation: @escaping @Sendable () -> any KeyValueStore = { MemoryStore() },
    makeFolder: @escaping @Sendable () -> UTF8Text = { "" },
    makeStore: @escaping @Sendable () -> any KeyValueStore
  ) {
    self.name = name
    self.lacks = lacks
    self.makeLocation = makeLocation
    self.makeFolder = makeFolder
    self.makeStore = makeStore
  }

  /// A new store in memory for every case.
  package static let memory = Host(
    "memory", lacks: [(.files, "nothing is in files"), (.textOnly, "it takes any bytes")]
  ) {
    MemoryStore()
  }

  /// A new folder for every case, below `folder`. Nothing follows it: the cases have one thread.
  package static func files(below folder: UTF8Text) -> Host {
    let numbers = Counter()
    return Host(
      "files",
      lacks: [
        (.textOnly, "it takes any bytes"), (.longNames, "a file name has at most 255 bytes"),
      ],
      makeFolder: { "\(folder)/folder-\(numbers.next())" }
    ) {
      FileStore(folder: "\(folder)/case-\(numbers.next())", following: .never)
    }
  }

  /// The tab's `localStorage`, which the page empties before every case, and its address.
  package static func localStorage(empty: @escaping @Sendable () -> Void) -> Host {
    let lacks: [Lack] = [
      (.anyBytes, "a Storage takes text only"), (.files, "nothing is in files"),
    ]
    let makeLocation = { @Sendable in SharingEnvironment().stores.location }
    return Host("localStorage", lacks: lacks, makeLocation: makeLocation) {
      empty()
      return SharingEnvironment().stores.local
    }
  }

  /// Returns the reason why a case cannot run here; nil if it can.
  package func reasonToLeaveOut(_ test: Case) -> String? {
    guard let need = test.needs else { return nil }
    return lacks.first { $0.what == need }?.why
  }
}

/// A capability that only some hosts have.
package enum Capability: Sendable {
  /// The store takes bytes that are not text.
  case anyBytes
  /// The store takes text only, and refuses other bytes.
  case textOnly
  /// The store takes names of any length.
  case longNames
  /// The store keeps values in files.
  case files
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
