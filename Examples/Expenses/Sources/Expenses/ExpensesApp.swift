import SharingPage

/// The expenses of a month, in every tab. Each tab has a month and a search of its own.
@main
struct ExpensesApp: PageApp {
  @Shared(.localStorage("expenses")) var expenses: [Expense] = []
  @Shared(.localStorage("settings")) var settings = Settings()
  @Shared(.sessionStorage("month")) var month = LocalDate.today
  @Shared(.sessionStorage("search")) var search: UTF8Text = ""
  @Shared(.inMemory("day")) var day = LocalDate.today
  @Shared(.inMemory("settings-open")) var showsSettings = false
  @Shared(.inMemory("removed")) var removed: Expense? = nil
  var newID: @Sendable () -> UniqueID = { UniqueID() }  // tests replace it

  func start(on page: Page) {
    page.bind("expenses", rows: $expenses, where: isShown) { ($0.day, $0.id) > ($1.day, $1.id) }
    page.set("imported", "")
    page.bind("categories") { categories }
    page.bind("month") { month.text }
    page.bind("total") { total().rawValue }
    page.bind("left") { Amount(cents: 100 * Int64(settings.budget) - total().cents).rawValue }
    page.bind("removed") { removed?.title.rawValue ?? "" }
    page.bind("search", to: $search)
    page.bind("day", to: $day)
    page.bind("settings-open", to: $showsSettings)
    page.bind("theme", to: $settings.theme)
    page.bind("budget", to: $settings.budget)
    page.on("settings") { $showsSettings.withLock { $0 = true } }
    page.on("previous") { turn(by: -1) }
    page.on("next") { turn(by: 1) }
    page.on("add", words: ["TITLE", "AMOUNT", "DAY", "CATEGORY"]) { add($0, on: page) }
    page.on("remove", "ID") { id in
      guard let id = UniqueID(id), var expense = $expenses.remove(id: id) else { return }
      expense.id = newID()  // that of a removed element is never used again
      $removed.withLock { $0 = expense }
    }
    page.on("undo") {
      if let expense = removed { $expenses.append(expense) }
      $removed.reset()
    }
    page.on("export") { page.download("expenses.json", (try? JSON.encode(expenses)) ?? []) }
    page.onFile("import") { name, bytes in add(bytes, of: name, on: page) }
    page.bindErrors(of: $expenses)
    page.bindErrors(of: $settings)
  }

  private func isShown(_ expense: Expense) -> Bool {
    (expense.day.year, expense.day.month) == (month.year, month.month)
      && expense.title.contains(search)
  }

  private func turn(by months: Int) {
    let number = 12 * month.year + month.month - 1 + months
    $month.withLock { $0 = LocalDate(year: number / 12, month: number % 12 + 1, day: 1) ?? $0 }
  }

  private func add(_ texts: [UTF8Text], on page: Page) {
    guard let title = Title(rawValue: texts[0]) else {
      return page.refuse("Enter a title.", field: "title")
    }
    guard let amount = Amount(rawValue: texts[1]) else {
      return page.refuse("Enter an amount above 0, such as 12.50.", field: "amount")
    }
    guard let day = LocalDate(texts[2]) else { return page.refuse("Choose a day.", field: "day") }
    let category = Category(fieldText: texts[3]) ?? .other
    let id = newID()
    $expenses.append(Expense(id: id, title: title, amount: amount, day: day, category: category))
    $month.withLock { $0 = day }
  }

  /// Adds the expenses of an exported file. Those that are here stay as they are.
  private func add(_ bytes: [UInt8], of file: UTF8Text, on page: Page) {
    page.set("imported", "")
    guard let imported = try? JSON.decode([Expense].self, from: bytes) else {
      return page.refuse("\(file) is no list of expenses. Nothing was added.")
    }
    let before = expenses.count
    $expenses.withLock { expenses in
      var known = Set(expenses.map { $0.id })
      expenses += imported.filter { known.insert($0.id).inserted }
    }
    page.set("imported", "\(expenses.count - before) of \(imported.count) expenses are new.")
  }

  private func total(of category: Category? = nil) -> Amount {
    let counted = expenses.filter { isShown($0) && $0.category == category ?? $0.category }
    return Amount(cents: counted.reduce(0) { $0 + $1.amount.cents })
  }

  private var categories: [CategoryTotal] {
    let all = max(1, total().cents)
    return Category.allCases.map { category in
      let amount = total(of: category)
      return CategoryTotal(id: category, amount: amount, share: Int(100 * amount.cents / all))
    }.filter { $0.amount.cents > 0 }
  }
}

/// A row of the sums. The share is in percent.
@Stored struct CategoryTotal: Identifiable {
  @Required var id: Category
  @Required var amount: Amount
  @Required var share: Int
}
