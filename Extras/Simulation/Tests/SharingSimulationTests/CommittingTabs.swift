import SharingCommits
import SharingCore
import SharingSimulation
import WasiStorage

/// A tally in a revision store.
struct TallyTab: SimulatedTab {
  @Shared(.indexedDB("tally")) var tally = 0

  var values: [SimulatedValue] { [SimulatedValue("tally", $tally)] }

  static let actions: [SimulatedAction<TallyTab>] = [
    SimulatedAction("count") { tab, _ in tab.$tally.update { $0 += 1 } },
    SimulatedAction("double") { tab, _ in tab.$tally.update { $0 *= 2 } },
  ]
}

/// The same tally, but computed from a value that was read outside of `update`.
struct CarelessTallyTab: SimulatedTab {
  let base = TallyTab()

  var values: [SimulatedValue] { base.values }

  static let actions: [SimulatedAction<CarelessTallyTab>] = [
    SimulatedAction("count") { tab, _ in
      let next = tab.base.tally + 1
      tab.base.$tally.withLock { $0 = next }
    }
  ]
}

/// A range whose start must not be behind its end, which a merge of two fields can break.
struct SpanTab: SimulatedTab {
  struct Span: JSONValue, Equatable {
    var bounds = Bounds()

    static func decode(from json: inout JSONReader) throws(JSONError) -> Span {
      let offset = json.offset
      let bounds = try Bounds.decode(from: &json)
      guard bounds.start <= bounds.end else { throw JSONError(invalidValueAt: offset) }
      return Span(bounds: bounds)
    }

    func encode(into json: inout JSONWriter) throws(JSONError) { try bounds.encode(into: &json) }
  }

  @Stored struct Bounds: Equatable {
    var start = 0
    var end = 100
  }

  @Shared(.indexedDB("span")) var span = Span()

  var values: [SimulatedValue] { [SimulatedValue("span", $span)] }

  static let actions: [SimulatedAction<SpanTab>] = [
    SimulatedAction("start later") { tab, number in
      tab.$span.bounds.update { $0.start = min($0.end, $0.start + 20 * (number % 5)) }
    },
    SimulatedAction("end earlier") { tab, number in
      tab.$span.bounds.update { $0.end = max($0.start, $0.end - 20 * (number % 5)) }
    },
    SimulatedAction("move") { tab, _ in
      tab.$span.bounds.update { ($0.start, $0.end) = ($0.start + 100, $0.end + 100) }
    },
  ]
}

/// A list whose elements have ids, and the number of its changes; both are committed together.
struct CommittedTodosTab: SimulatedTab {
  @Shared(.indexedDB("todos")) var todos: [Todo] = []
  @Shared(.indexedDB("changes")) var changes = 0
  @Shared(.localStorage("filter")) var filter = "all"

  var values: [SimulatedValue] {
    [
      SimulatedValue("todos", $todos), SimulatedValue("changes", $changes),
      SimulatedValue("filter", $filter),
    ]
  }

  static let actions: [SimulatedAction<CommittedTodosTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$todos.withLock { $0.append(Todo(id: number, title: tab.filter)) }
      tab.$changes.update { $0 += 1 }
    },
    SimulatedAction("append") { tab, number in
      tab.$todos.append(Todo(id: number, title: tab.filter))
    },
    SimulatedAction("remove") { tab, number in tab.$todos.remove(id: number / 2) },
    SimulatedAction("toggle") { tab, number in
      tab.$todos[id: number / 2]?.isCompleted.update { $0.toggle() }
    },
    SimulatedAction("rename") { tab, number in
      tab.$todos[id: number / 3]?.title.withLock { $0 = "todo \(number)" }
      tab.$changes.update { $0 += 1 }
    },
    SimulatedAction("clear completed") { tab, _ in
      tab.$todos.update { $0.removeAll { $0.isCompleted } }
    },
    SimulatedAction("filter") { tab, number in tab.$filter.withLock { $0 = "filter \(number)" } },
  ]

  var problem: String? {
    Set(todos.map { $0.id }).count == todos.count ? nil : "two todos have one id"
  }
}

/// The list of the tutorial, to which each tab adds.
struct HabitsTab: SimulatedTab {
  @Stored struct Habit: Identifiable, Equatable {
    var id = UniqueID()
    var name: UTF8Text = ""
    var days: [Int] = []
  }

  @Shared(.indexedDB("habits", adopting: .localStorage("habits"))) var habits: [Habit] = []

  var values: [SimulatedValue] {
    [SimulatedValue("habits", $habits, comparing: { $0.map { $0.name } })]
  }

  static let actions: [SimulatedAction<HabitsTab>] = [
    SimulatedAction("add") { tab, number in
      let name: UTF8Text = "habit \(number)"
      tab.$habits.append(Habit(name: name))
    }
  ]

  var problem: String? {
    Set(habits.map { $0.id }).count == habits.count ? nil : "two habits have one id"
  }
}

/// A list whose elements have the next number as their id.
struct NumberedTab: SimulatedTab {
  @Shared(.indexedDB("numbered")) var todos: [Todo] = []

  var values: [SimulatedValue] { [SimulatedValue("numbered", $todos)] }

  static let actions: [SimulatedAction<NumberedTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$todos.append { Todo(id: ($0.map { $0.id }.max() ?? 0) + 1, title: "todo \(number)") }
    },
    SimulatedAction("remove") { tab, number in tab.$todos.remove(id: number / 2) },
  ]
}

/// The same tally, but computed from a value that was read inside of `withLock`, which merges with
/// others' writes.
struct LockingTallyTab: SimulatedTab {
  let base = TallyTab()

  var values: [SimulatedValue] { base.values }

  static let actions: [SimulatedAction<LockingTallyTab>] = [
    SimulatedAction("count") { tab, _ in tab.base.$tally.withLock { $0 += 1 } }
  ]
}

/// Values in the revision store of every browser, in an engine of the page, and in a store created
/// by the program.
struct StoresTab: SimulatedTab {
  static let own = MemoryRevisionStore()

  @Shared(.indexedDB("tally")) var tally = 0
  @Shared(.engine("score", in: "world")) var score = 0
  @Shared(.engine("log", in: "world")) var log: [Int] = []
  @Shared(.revisions("count", in: own)) var count = 0

  var values: [SimulatedValue] {
    [
      SimulatedValue("tally", $tally), SimulatedValue("score", $score),
      SimulatedValue("log", $log), SimulatedValue("count", $count),
    ]
  }

  static let actions: [SimulatedAction<StoresTab>] = [
    SimulatedAction("tally") { tab, _ in tab.$tally.update { $0 += 1 } },
    SimulatedAction("score") { tab, number in
      tab.$score.update { $0 += number }
      tab.$log.update { $0.append(number) }
    },
    SimulatedAction("all") { tab, _ in
      tab.$tally.update { $0 += 1 }
      tab.$score.update { $0 += 1 }
      tab.$count.update { $0 += 1 }
    },
  ]
}

/// A list that begins with a value that an older program has stored in the local store.
struct AdoptingTab: SimulatedTab {
  @Shared(.indexedDB("list", adopting: .localStorage("old"))) var list: [Int] = []

  var values: [SimulatedValue] { [SimulatedValue("list", $list)] }

  static let actions: [SimulatedAction<AdoptingTab>] = [
    SimulatedAction("add") { tab, number in tab.$list.update { $0.append(number) } },
    SimulatedAction("drop") { tab, _ in tab.$list.update { _ = $0.popLast() } },
  ]
}

/// A tally whose tabs report the other tabs' values on request.
struct WitnessTab: SimulatedTab {
  @TaskLocal static var wanted = ""

  @Shared(.indexedDB("tally")) var tally = 0
  private let sight = Sight()

  private final class Sight: @unchecked Sendable {
    var text: String?
    var own = 0
  }

  var values: [SimulatedValue] { [SimulatedValue("tally", $tally)] }

  static let actions: [SimulatedAction<WitnessTab>] = [
    SimulatedAction("count") { tab, _ in
      tab.sight.own += 1
      tab.$tally.update { $0 += 1 }
    },
    SimulatedAction("look") { tab, _ in tab.sight.text = tab.shown },
  ]

  private var shown: String {
    if let error = $tally.saveError as? StorageError { return "not saved: \(error.advice)" }
    if let error = $tally.loadError as? StorageError { return "not loaded: \(error.advice)" }
    return "shows \(tally - sight.own)"
  }

  var problem: String? { sight.text == Self.wanted ? Self.wanted : nil }
}
