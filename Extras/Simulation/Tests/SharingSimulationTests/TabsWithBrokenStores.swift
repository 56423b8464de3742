import NativeTesting
import SharingCore
import SharingSimulation
import WasiStorage

/// A tab that appends a digit to a number, or removes it, in a broken store.
protocol TabWithBrokenStore: SimulatedTab {
  static var defect: StoreDefect { get }
  var count: Shared<Int> { get }
}

extension TabWithBrokenStore {
  var values: [SimulatedValue] { [SimulatedValue("count", count)] }

  static var actions: [SimulatedAction<Self>] {
    [
      SimulatedAction("add") { tab, number in
        tab.count.withLock { $0 = (10 * $0 + number % 9 + 1) % 1_000_000 }
      },
      SimulatedAction("remove") { tab, _ in tab.count.reset() },
    ]
  }

  static func makeCount() -> Shared<Int> {
    Shared(
      wrappedValue: 0,
      .appStorage("count", store: BrokenStore(SharingEnvironment.current.stores.local, defect)))
  }
}

/// A tab over an intact store.
struct SoundTab: TabWithBrokenStore {
  static let defect = StoreDefect.none
  let count = makeCount()
}

struct StamplessTab: TabWithBrokenStore {
  static let defect = StoreDefect.stampless
  let count = makeCount()
}

struct LyingTab: TabWithBrokenStore {
  static let defect = StoreDefect.lying
  let count = makeCount()
}

struct CuttingTab: TabWithBrokenStore {
  static let defect = StoreDefect.cutting
  let count = makeCount()
}

struct KeepingTab: TabWithBrokenStore {
  static let defect = StoreDefect.keeping
  let count = makeCount()
}

struct CachingTab: TabWithBrokenStore {
  static let defect = StoreDefect.caching
  let count = makeCount()
}

struct TabOfDeafStore: TabWithBrokenStore {
  static let defect = StoreDefect.deaf
  let count = makeCount()
}
