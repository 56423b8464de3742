import SharingCommits
import SharingCore
import SharingSimulation
import WasiStorage

/// A list and a tally of a first release.
struct FirstListTab: SimulatedTab {
  @Stored struct Item: Identifiable, Equatable {
    var id = 0
    var title = ""
    var kind = Kind.plain

    @Stored enum Kind { case plain }
  }

  @Shared(.indexedDB("items")) var items: [Item] = []
  @Shared(.indexedDB("tally")) var tally = 0

  var values: [SimulatedValue] {
    [SimulatedValue("items", $items), SimulatedValue("tally", $tally)]
  }

  static let actions: [SimulatedAction<FirstListTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$items.withLock { $0.append(Item(id: number)) }
    },
    SimulatedAction("rename") { tab, number in
      tab.$items[id: number / 2]?.title.withLock { $0 = "item \(number)" }
    },
    SimulatedAction("add and count") { tab, number in
      tab.$items.update { $0.append(Item(id: number)) }
      tab.$tally.update { $0 += 1 }
    },
    SimulatedAction("count") { tab, _ in tab.$tally.update { $0 += 1 } },
  ]
}

/// The second release of the same list: an enum of its items has one more case.
struct SecondListTab: SimulatedTab {
  @Stored struct Item: Identifiable, Equatable {
    var id = 0
    var title = ""
    var kind = Kind.plain

    @Stored enum Kind { case plain, starred }
  }

  @Shared(.indexedDB("items")) var items: [Item] = []
  @Shared(.indexedDB("tally")) var tally = 0

  var values: [SimulatedValue] {
    [
      SimulatedValue("items", $items, comparing: { $0.map(\.id).sorted() }),
      SimulatedValue("tally", $tally),
    ]
  }

  static let actions: [SimulatedAction<SecondListTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$items.withLock { $0.append(Item(id: number, kind: .starred)) }
    },
    SimulatedAction("rename") { tab, number in
      tab.$items[id: number / 2]?.title.withLock { $0 = "item \(number)" }
    },
    SimulatedAction("add and count") { tab, number in
      tab.$items.update { $0.append(Item(id: number)) }
      tab.$tally.update { $0 += 1 }
    },
    SimulatedAction("count") { tab, _ in tab.$tally.update { $0 += 1 } },
  ]
}

/// The third release: items have a name in place of a title, and the tally counts in tenths.
struct ThirdListTab: SimulatedTab {
  @Stored struct Item: Identifiable, Equatable {
    var id = 0
    var name = ""
    var isStarred = false
  }

  @Shared(.indexedDB("items", version: 2, migrations: [fromTitles])) var items: [Item] = []
  @Shared(.indexedDB("tally", version: 2, migrations: [fromOnes])) var tally = 0

  private static let fromTitles = StorageMigration(from: 1) { (old: [SecondListTab.Item]) in
    old.map { Item(id: $0.id, name: $0.title, isStarred: $0.kind == .starred) }
  }
  private static let fromOnes = StorageMigration(from: 1) { (old: Int) in 10 * old }

  var values: [SimulatedValue] {
    [
      SimulatedValue("items", $items, comparing: { $0.map(\.id).sorted() }),
      SimulatedValue("tally", $tally),
    ]
  }

  static let actions: [SimulatedAction<ThirdListTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$items.withLock { $0.append(Item(id: number, isStarred: true)) }
    },
    SimulatedAction("rename") { tab, number in
      tab.$items[id: number / 2]?.name.withLock { $0 = "item \(number)" }
    },
    SimulatedAction("add and count") { tab, number in
      tab.$items.update { $0.append(Item(id: number)) }
      tab.$tally.update { $0 += 10 }
    },
    SimulatedAction("count") { tab, _ in tab.$tally.update { $0 += 10 } },
  ]
}
