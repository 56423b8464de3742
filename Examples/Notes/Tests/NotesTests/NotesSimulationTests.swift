import SharingPage
import SharingSimulation
import SharingTesting
import Testing

@testable import Notes

// The program in two tabs, with late events, full storage and crashes. The debounced draft has a
// simulation of its own: an action counts as done when its tab has nothing left to save.

@Test func noTabLosesANote() throws {
  try Simulation(tabs: 2, of: NotesTab.self).run(seeds: 0..<200)
}

@Test func noTabLosesADraft() throws {
  try Simulation(tabs: 2, of: DraftTab.self).run(seeds: 0..<200)
}

/// A tab in which a person adds, changes and removes notes.
struct NotesTab: SimulatedTab {
  private let tab = OpenedTab()

  var values: [SimulatedValue] {
    [SimulatedValue("notes", tab.app.$notes), SimulatedValue("settings", tab.app.$settings)]
  }

  static let actions: [SimulatedAction<NotesTab>] = [
    SimulatedAction("add") { $0.tab.perform("add", "note \($1)", $1) },
    SimulatedAction("edit") { $0.tab.perform("edit", "\(note($1 / 2)) changed \($1)", $1) },
    SimulatedAction("remove") { $0.tab.perform("remove", note($1 / 2).text, $1) },
    SimulatedAction("choose") { $0.tab.perform("theme", $1 % 2 == 0 ? "dark" : "light", $1) },
  ]

  var problem: String? {
    let ids = Set(tab.app.notes.map(\.id))
    return ids.count == tab.app.notes.count ? nil : "two notes have one id"
  }
}

/// A tab in which a person types.
struct DraftTab: SimulatedTab {
  private let tab = OpenedTab()

  var values: [SimulatedValue] { [SimulatedValue("draft", tab.app.$draft)] }

  static let actions: [SimulatedAction<DraftTab>] = [
    SimulatedAction("type") { $0.tab.perform("draft", "draft \($1)", $1) },
    SimulatedAction("add") { $0.tab.perform("add", "note \($1)", $1) },
  ]
}

/// The program with a page, at a fixed time, and with ids from the numbers of its actions: a
/// simulation must be repeatable.
private struct OpenedTab {
  let recorder = PageRecorder()
  let app: NotesApp
  private let number = Shared(value: 0)

  init() {
    var app = NotesApp()
    app.now = { Timestamp(millisecondsSince1970: 0) }
    app.newID = { [number] in note(number.wrappedValue) }
    app.start(on: recorder.page)
    self.app = app
  }

  func perform(_ name: UTF8Text, _ text: UTF8Text, _ number: Int) {
    self.number.withLock { $0 = number }
    try? recorder.page.perform(name, with: text)
  }
}

/// The id of the note that an action adds.
private func note(_ number: Int) -> UniqueID { id(UInt64(number)) }
