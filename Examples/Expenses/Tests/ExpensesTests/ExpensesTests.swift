import Foundation
import SharingPage
import SharingTesting
import Testing

@testable import Expenses

/// User actions in the page. Each test must assert everything that it changes.
@Suite(.sharing(exhaustivity: .on))
struct ExpensesTests {
  let recorder = PageRecorder()
  let app: ExpensesApp
  var page: Page { recorder.page }

  init() {
    var app = ExpensesApp()
    app.newID = { id(7) }
    app.$month.withLock { $0 = november }
    app.$month.skipChanges()
    app.start(on: recorder.page)
    self.app = app
  }

  @Test func anExpenseIsAddedAndItsMonthIsShown() throws {
    try add(title: "Bread", amount: "9,8", day: "2025-10-31")
    app.$expenses.assert { $0 = [expense(7, "Bread", 980, "2025-10-31")] }
    app.$month.assert { $0 = LocalDate("2025-10-31")! }
    #expect(recorder["total"] == "9.80")
    #expect(recorder["left"] == "990.20")
    #expect(recorder["categories"] == #"[{"id":"food","amount":"9.80","share":100}]"#)
  }

  @Test(arguments: ["", "abc", "-5", "0", "0.00", "1.234", "1,2.3", "1e3", "1000000", "12 €"])
  func whatIsNoAmountIsRefused(amount: String) {
    #expect(throws: ActionError("Enter an amount above 0, such as 12.50.")) {
      try add(title: "Bread", amount: UTF8Text(amount), day: "2025-11-01")
    }
    #expect(recorder["refused-field"] == "amount")
  }

  @Test(arguments: [
    ("12", 1200), ("12.5", 1250), (",5", 50), ("007", 700), ("999999.99", 99_999_999),
  ])
  func anAmountIsReadAsPeopleTypeIt(text: String, cents: Int64) {
    #expect(Amount(rawValue: UTF8Text(text)) == Amount(cents: cents))
  }

  @Test func aBlankTitleAndNoDayAreRefused() {
    #expect(throws: ActionError("Enter a title.")) {
      try add(title: " ", amount: "1", day: "2025-11-01")
    }
    #expect(throws: ActionError("Choose a day.")) {
      try add(title: "Bread", amount: "1", day: "2026-02-30")
    }
  }

  @Test func expensesOfTheMonthThatMatchAreShownAndCounted() throws {
    begin(with: [
      expense(1, "Bread", 100, "2025-11-01"), expense(2, "Lamp", 250, "2025-11-28", .home),
      expense(3, "Rye bread", 300, "2025-11-28"), expense(4, "Bread", 900, "2024-11-28"),
    ])
    #expect(recorder["total"] == "6.50")
    try page.perform("search", with: "BREAD")
    app.$search.assert { $0 = "BREAD" }
    #expect(recorder["total"] == "4.00")
    try page.perform("next")
    app.$month.assert { $0 = LocalDate("2025-12-01")! }
    #expect(recorder["total"] == "0.00")
    try page.perform("next")
    app.$month.assert { $0 = LocalDate("2026-01-01")! }
    try page.perform("previous")
    app.$month.assert { $0 = LocalDate("2025-12-01")! }
  }

  @Test func anExpenseIsChangedInPlace() throws {
    begin(with: [expense(1, "Bread", 100, "2025-11-01")])
    try page.perform("expenses", with: "\(id(1)) amount=2,5")
    app.$expenses.assert { $0 = [expense(1, "Bread", 250, "2025-11-01")] }
    for text in ["amount=abc", "amount=-1", "title= ", "category=pets"] as [UTF8Text] {
      #expect(throws: ActionError.self) { try page.perform("expenses", with: "\(id(1)) \(text)") }
    }
  }

  @Test func aRemovedExpenseComesBack() throws {
    begin(with: [expense(1, "Bread", 100, "2025-11-01")])
    try page.perform("remove", with: id(1).text)
    app.$expenses.assert { $0 = [] }
    let bread = expense(7, "Bread", 100, "2025-11-01")
    app.$removed.assert { $0 = bread }
    #expect(recorder["removed"] == "Bread")
    try page.perform("undo")
    app.$expenses.assert { $0 = [bread] }
    app.$removed.assert { $0 = nil }
    #expect(recorder["removed"] == "")
  }

  @Test func anExportIsImportedAndKnownExpensesStayAsTheyAre() throws {
    let all = [expense(1, "Bread", 100, "2025-11-01"), expense(2, "Lamp", 250, "2025-11-28")]
    begin(with: all)
    try page.perform("export")
    let words = try #require(recorder["sharing-download"]).description.split(separator: " ")
    #expect(words[0] == "expenses.json")
    begin(with: [expense(2, "Blue lamp", 300, "2025-11-28")])
    try give("expenses.json", try #require(Data(base64Encoded: String(words[1]))))
    app.$expenses.assert { $0 = [expense(2, "Blue lamp", 300, "2025-11-28"), all[0]] }
    #expect(recorder["imported"] == "1 of 2 expenses are new.")
  }

  @Test(arguments: [
    "", "Bread 9.80", "{}", "[1]", "[{}]", #"[{"title":"Bread","amount":"9.80"}]"#,
    #"[{"title":"","amount":"1","day":"2025-11-01","category":"food"}]"#,
    #"[{"title":"Bread","amount":"-1","day":"2025-11-01","category":"food"}]"#,
    #"[{"title":"Bread","amount":"1","day":"2026-02-30","category":"food"}]"#,
  ])
  func aFileOfAnotherShapeIsRefusedAsAWhole(text: String) {
    #expect(throws: ActionError("a.json is no list of expenses. Nothing was added.")) {
      try give("a.json", Data(text.utf8))
    }
    #expect(recorder["imported"] == "")
  }

  @Test func settingsAreChosen() throws {
    try page.perform("settings")
    app.$showsSettings.assert { $0 = true }
    try page.perform("budget", with: "20")
    try page.perform("theme", with: "dark")
    app.$settings.assert { $0 = Settings(theme: .dark, budget: 20) }
    #expect(recorder["left"] == "20.00")
    begin(with: [expense(1, "Lamp", 2150, "2025-11-01")])
    #expect(recorder["left"] == "-1.50")
    #expect(throws: ActionError.self) { try page.perform("theme", with: "pink") }
  }

  private func begin(with expenses: [Expense]) {
    app.$expenses.withLock { $0 = expenses }
    app.$expenses.skipChanges()
  }

  private func add(title: UTF8Text, amount: UTF8Text, day: UTF8Text) throws {
    try page.perform(
      "add", fields: ["title", title, "amount", amount, "day", day, "category", "food"])
  }

  private func give(_ name: UTF8Text, _ data: Data) throws {
    let text = UTF8Text(data.base64EncodedString())
    try page.perform("import", fields: ["name", name, "problem", "", "base64", text])
  }
}

let november = LocalDate("2025-11-28")!

/// The id of a test with a number.
func id(_ number: UInt64) -> UniqueID {
  UniqueID(time: Timestamp(millisecondsSince1970: 0), randomBits: number)
}

private func expense(
  _ number: UInt64, _ title: UTF8Text, _ cents: Int64, _ day: UTF8Text,
  _ category: Expenses.Category = .food
) -> Expense {
  Expense(
    id: id(number), title: Title(rawValue: title)!, amount: Amount(cents: cents),
    day: LocalDate(day)!, category: category)
}
