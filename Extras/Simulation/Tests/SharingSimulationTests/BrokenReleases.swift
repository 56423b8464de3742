import SharingCommits
import SharingCore
import SharingSimulation
import SimulatedRevisions
import WasiStorage

/// A first release that empties a list that it cannot read.
struct EmptyingListTab: SimulatedTab {
  private let base = FirstListTab()

  var values: [SimulatedValue] { base.values }

  static let actions: [SimulatedAction<EmptyingListTab>] = [
    SimulatedAction("add") { tab, number in
      if case .unreadable? = (tab.base.$items.loadError as? StorageError)?.reason {
        tab.base.$items.reset()
      } else {
        tab.base.$items.withLock { $0.append(FirstListTab.Item(id: number)) }
      }
    }
  ]
}

/// A third release whose migration forgets an item.
struct ForgettingListTab: SimulatedTab {
  @Shared(.indexedDB("items", version: 2, migrations: [fromTitles]))
  var items: [ThirdListTab.Item] = []

  private static let fromTitles = StorageMigration(from: 1) { (old: [SecondListTab.Item]) in
    old.dropLast().map { ThirdListTab.Item(id: $0.id, name: $0.title) }
  }

  var values: [SimulatedValue] {
    [SimulatedValue("items", $items, comparing: { $0.map(\.id).sorted() })]
  }

  static let actions: [SimulatedAction<ForgettingListTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$items.withLock { $0.append(ThirdListTab.Item(id: number)) }
    }
  ]
}

/// A first release in a browser that forgets the journals of changes that wait.
struct ForgetfulListTab: SimulatedTab {
  private let base: FirstListTab

  init() {
    let stores = SharingEnvironment.current.stores
    stores.journalStore = ForgetfulJournals(stores.journalStore!)
    base = FirstListTab()
  }

  var values: [SimulatedValue] { base.values }

  static let actions: [SimulatedAction<ForgetfulListTab>] = [
    SimulatedAction("add") { tab, number in
      tab.base.$items.withLock { $0.append(FirstListTab.Item(id: number)) }
    }
  ]
}

private final class ForgetfulJournals: SlotlessStore, ListedStore, @unchecked Sendable {
  private let base: any ListedStore

  init(_ base: any ListedStore) { self.base = base }

  func keys() throws(StorageError) -> [KeyName] { try base.keys() }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? { try base.bytes(for: key) }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    if let bytes, "\(UTF8Text(bytes))".contains(#""waits":true"#) { return 0 }
    return try base.slot(for: key).replace(by: bytes)
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    base.subscribe(to: key, onChange)
  }
}
