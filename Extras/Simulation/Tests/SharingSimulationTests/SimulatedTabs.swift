import SharingCore
import SharingSimulation
import WasiStorage

/// A number that is incremented.
struct CounterTab: SimulatedTab {
  @Shared(.localStorage("count")) var count = 0

  var values: [SimulatedValue] { [SimulatedValue("count", $count)] }

  static let actions: [SimulatedAction<CounterTab>] = [
    SimulatedAction("increment") { tab, _ in tab.$count.withLock { $0 += 1 } },
    SimulatedAction("reset") { tab, _ in tab.$count.withLock { $0 = 0 } },
    SimulatedAction("remove") { tab, _ in tab.$count.reset() },
  ]
}

struct Todo: JSONCodable, Identifiable, Equatable {
  var id = 0
  var title = ""
  var isCompleted = false

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("title", &title)
    try json.field("completed", &isCompleted)
  }
}

/// A list whose elements have ids, and the number of its changes.
struct TodosTab: SimulatedTab {
  @Shared(.localStorage("todos")) var todos: [Todo] = []
  @Shared(.localStorage("changes")) var changes = 0

  var values: [SimulatedValue] {
    [SimulatedValue("todos", $todos), SimulatedValue("changes", $changes)]
  }

  static let actions: [SimulatedAction<TodosTab>] = [
    SimulatedAction("add") { tab, number in
      tab.$todos.withLock { $0.append(Todo(id: number, title: "todo \(number)")) }
      tab.$changes.withLock { $0 += 1 }
    },
    SimulatedAction("toggle") { tab, number in
      tab.lookAgain()
      tab.$todos[id: number / 2]?.isCompleted.withLock { $0.toggle() }
    },
    SimulatedAction("rename") { tab, number in
      tab.lookAgain()
      tab.$todos[id: number / 3]?.title.withLock { $0 += "!" }
      tab.$changes.withLock { $0 += 1 }
    },
    SimulatedAction("remove") { tab, number in
      tab.$todos.withLock { $0.removeAll { $0.id == number / 2 } }
    },
    SimulatedAction("clear completed") { tab, _ in
      tab.$todos.withLock { $0.removeAll { $0.isCompleted } }
    },
  ]

  var problem: String? {
    Set(todos.map { $0.id }).count == todos.count ? nil : "two todos have one id"
  }

  /// Makes the key read the store, so that it finds other tabs' todos.
  private func lookAgain() {
    $todos.withLock { _ in }
  }
}

/// A text with a debounced save, and one without.
struct DraftTab: SimulatedTab {
  @Shared(.localStorage("draft", saving: .debounced(milliseconds: 100))) var draft = ""
  @Shared(.localStorage("title")) var title = ""

  var values: [SimulatedValue] {
    [SimulatedValue("draft", $draft), SimulatedValue("title", $title)]
  }

  static let actions: [SimulatedAction<DraftTab>] = [
    SimulatedAction("write") { tab, number in tab.$draft.withLock { $0 = "draft \(number)" } },
    SimulatedAction("name") { tab, number in tab.$title.withLock { $0 = "title \(number)" } },
    SimulatedAction("save") { tab, number in
      tab.$draft.withLock { $0 = "saved \(number)" }
      tab.$draft.save()
    },
    SimulatedAction("discard") { tab, _ in tab.$draft.reset() },
  ]
}

/// A draft that is added to a list: an action reads one value and changes another.
struct ComposerTab: SimulatedTab {
  @Shared(.localStorage("draft")) var draft = ""
  @Shared(.localStorage("notes")) var notes: [String] = []

  var values: [SimulatedValue] {
    [SimulatedValue("draft", $draft), SimulatedValue("notes", $notes)]
  }

  static let actions: [SimulatedAction<ComposerTab>] = [
    SimulatedAction("type") { tab, number in tab.$draft.withLock { $0 = "draft \(number)" } },
    SimulatedAction("add") { tab, _ in
      guard !tab.draft.isEmpty else { return }
      tab.$notes.withLock { $0.append(tab.draft) }
      tab.$draft.withLock { $0 = "" }
    },
    SimulatedAction("remove") { tab, _ in tab.$notes.withLock { _ = $0.popLast() } },
  ]
}

/// Lines, in a coding that reads any bytes.
struct LinesTab: SimulatedTab {
  @Shared(.localStorage("lines", coding: coding)) var lines: [UTF8Text] = []

  private static let coding = StorageCoding<[UTF8Text]>(
    encode: { texts in Array(texts.map { $0.bytes }.joined(separator: [10])) },
    decode: { bytes in bytes.split(separator: 10).map { UTF8Text(Array($0)) } })

  var values: [SimulatedValue] { [SimulatedValue("lines", $lines)] }

  static let actions: [SimulatedAction<LinesTab>] = [
    SimulatedAction("add") { tab, number in tab.$lines.withLock { $0.append("\(number)") } }
  ]
}

/// Notes of a first release.
struct NotesTab: SimulatedTab {
  @Shared(.localStorage("notes")) var notes: [String] = []

  var values: [SimulatedValue] { [SimulatedValue("notes", $notes)] }

  static let actions: [SimulatedAction<NotesTab>] = [
    SimulatedAction("add") { tab, number in tab.$notes.withLock { $0.append("\(number)") } }
  ]
}

/// The same notes, whose stored text has a new version.
struct NewNotesTab: SimulatedTab {
  @Shared(
    .localStorage(
      "notes", version: 2, migrations: [StorageMigration(from: 1) { (old: [String]) in old }]))
  var notes: [String] = []

  var values: [SimulatedValue] { [SimulatedValue("notes", $notes)] }

  static let actions: [SimulatedAction<NewNotesTab>] = [
    SimulatedAction("add") { tab, number in tab.$notes.withLock { $0.append("\(number)") } }
  ]
}
