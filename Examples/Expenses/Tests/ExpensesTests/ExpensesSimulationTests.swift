import SharingPage
import SharingSimulation
import SharingTesting
import Testing

@testable import Expenses

// The program in two tabs, with late events, full storage and crashes.

@Test func noTabLosesAnExpense() throws {
  try Simulation(tabs: 2, of: ExpensesTab.self).run(seeds: 0..<60)
}

/// A tab in which a person adds, changes and removes expenses.
struct ExpensesTab: SimulatedTab {
  private let tab = OpenedTab()

  var values: [SimulatedValue] {
    [SimulatedValue("expenses", tab.app.$expenses), SimulatedValue("settings", tab.app.$settings)]
  }

  static let actions: [SimulatedAction<ExpensesTab>] = [
    SimulatedAction("add") { $0.tab.add("expense \($1)", $1) },
    SimulatedAction("edit") { $0.tab.perform("expenses", "\(number($1 / 2)) amount=\($1 + 1)") },
    SimulatedAction("remove") { $0.tab.perform("remove", number($1 / 2).text) },
    SimulatedAction("choose") { $0.tab.perform("theme", $1 % 2 == 0 ? "dark" : "light") },
  ]

  var problem: String? {
    let ids = Set(tab.app.expenses.map(\.id))
    return ids.count == tab.app.expenses.count ? nil : "two expenses have one id"
  }
}

/// The program with a page, and with ids from the numbers of its actions: a simulation must be
/// repeatable.
private struct OpenedTab {
  let recorder = PageRecorder()
  let app: ExpensesApp
  private let last = Shared(value: 0)

  init() {
    var app = ExpensesApp()
    app.newID = { [last] in number(last.wrappedValue) }
    app.$month.withLock { $0 = november }
    app.start(on: recorder.page)
    self.app = app
  }

  func add(_ title: UTF8Text, _ number: Int) {
    last.withLock { $0 = number }
    let fields: [UTF8Text] = [
      "title", title, "amount", "5", "day", "2026-11-28", "category", "fun",
    ]
    try? recorder.page.perform("add", fields: fields)
  }

  func perform(_ name: UTF8Text, _ text: UTF8Text) {
    try? recorder.page.perform(name, with: text)
  }
}

/// The id of the expense that an action adds.
private func number(_ number: Int) -> UniqueID { id(UInt64(number)) }
