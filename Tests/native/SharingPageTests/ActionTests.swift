import SharingPage
import SharingTesting
import Testing

/// User actions, as run by the page and the command line.
@Suite(.sharing)
struct ActionTests {
  let recorder = PageRecorder()
  var page: Page { recorder.page }
  @Shared(.inMemory("heard")) var heard: [UTF8Text] = []

  @Test func anActionIsDoneByItsName() throws {
    page.on("increment") { $heard.withLock { $0.append("increment") } }
    try page.perform("increment")
    #expect(heard == ["increment"])
  }

  @Test func ofTwoActionsWithOneNameTheFirstRunsAndAnIssueNamesIt() throws {
    let issues = Shared<[UTF8Text]>(value: [])
    SharingEnvironment.current.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    page.bind("draft", to: Shared<UTF8Text>(value: ""))
    page.on("send") { $heard.withLock { $0.append("first") } }
    #expect(issues.wrappedValue == [])
    page.on("send") { $heard.withLock { $0.append("second") } }
    try page.perform("send")
    #expect(heard == ["first"])
    #expect(issues.wrappedValue.count == 1)
    #expect(try #require(issues.wrappedValue.first).description.contains("called \"send\""))
  }

  @Test func anUnknownActionDoesNothingAndAnIssueNamesTheOthers() throws {
    let issues = Shared<[UTF8Text]>(value: [])
    SharingEnvironment.current.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    page.on("increment") { $heard.withLock { $0.append("increment") } }
    page.on("edit", "ID", "TITLE") { _, _ in }
    try page.perform("decrement", with: "1")
    #expect(heard == [])
    #expect(
      issues.wrappedValue
        == [#"There is no action "decrement". There are: increment, edit ID TITLE."#])
  }

  @Test(arguments: ["", " ", "Buy milk", "3 Buy milk"])
  func anActionWithAWordGetsAllTheText(text: String) throws {
    page.on("add", "TITLE") { title in $heard.withLock { $0.append(title) } }
    try page.perform("add", with: UTF8Text(text))
    #expect(heard == [UTF8Text(text)])
  }

  @Test(arguments: [
    ("3 Buy milk", ["3", "Buy milk"]), ("3 ", ["3", ""]), (" milk", ["", "milk"]),
  ])
  func anActionWithTwoWordsGetsTheKeyAndTheRest(text: String, words: [String]) throws {
    page.on("edit", "ID", "TITLE") { id, title in
      $heard.withLock { $0 = [id, title] }
    }
    try page.perform("edit", with: UTF8Text(text))
    #expect(heard == words.map { UTF8Text($0) })
  }

  @Test func anActionGetsTheFieldsOfAFormThatItsWordsName() throws {
    page.on("add", "TITLE", "AMOUNT") { title, amount in $heard.withLock { $0 = [title, amount] } }
    try page.perform("add", fields: ["amount", "3", "other", "x", "Title", "Buy milk"])
    #expect(heard == ["Buy milk", "3"])
  }

  @Test func aFormInARowPassesItsKey() throws {
    page.on("rate", words: ["ID", "STARS", "NOTE"]) { texts in $heard.withLock { $0 = texts } }
    try page.perform("rate", fields: ["", "7", "note", "", "stars", "5"])
    #expect(heard == ["7", "5", ""])
  }

  @Test func aFormInARowOfARowPassesTheKeysOfBoth() throws {
    page.on("place", words: ["ROOM", "ITEM", "X"]) { texts in $heard.withLock { $0 = texts } }
    try page.perform("place", fields: ["", "attic", "", "lamp", "x", "3"])
    #expect(heard == ["attic", "lamp", "3"])
    SharingEnvironment.current.onIssue = { _ in }
    #expect(throws: ActionError.self) { try page.perform("place", fields: ["", "lamp", "x", "3"]) }
  }

  @Test func aFormWithoutAFieldOfTheActionIsRefused() {
    let issues = Shared<[UTF8Text]>(value: [])
    SharingEnvironment.current.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    page.on("add", "TITLE", "AMOUNT") { title, amount in $heard.withLock { $0 = [title, amount] } }
    #expect(throws: ActionError.self) { try page.perform("add", fields: ["title", "Milk"]) }
    #expect(heard == [])
    #expect(issues.wrappedValue.first?.description.contains("add TITLE AMOUNT") == true)
  }

  @Test func aRefusalNamesTheFieldToMend() {
    page.on("add", "AMOUNT") { amount in page.refuse("Enter an amount.", field: "amount") }
    #expect(throws: ActionError("Enter an amount.")) {
      try page.perform("add", fields: ["amount", "x"])
    }
    #expect(recorder["refused-field"] == "amount")
    page.refuse("Enter a date.", field: "day")
    #expect(recorder["refused-field"] == "day")
    #expect(recorder["refused"] == "Enter a date.")
  }

  @Test func whyAnActionCannotBeDoneIsThrown() {
    page.on("add", "TITLE") { title throws(ActionError) in
      if title.isEmpty { throw ActionError("A todo needs a title.") }
    }
    #expect(throws: ActionError("A todo needs a title.")) { try page.perform("add", with: "") }
  }

  @Test(
    arguments: [("add", nil), ("edit", nil), ("edit", "3"), ("edit", "")] as [(String, String?)])
  func anActionWithoutTheTextThatItNeedsIsRefused(name: String, text: String?) {
    let issues = Shared<[UTF8Text]>(value: [])
    SharingEnvironment.current.onIssue = { issue in issues.withLock { $0.append(issue.message) } }
    page.on("add", "TITLE") { title in $heard.withLock { $0.append(title) } }
    page.on("edit", "ID", "TITLE") { id, title in $heard.withLock { $0 = [id, title] } }
    #expect(
      throws: ActionError("Nothing was done: there is no text here.")
    ) {
      try page.perform(UTF8Text(name), with: text.map { UTF8Text($0) })
    }
    #expect(heard == [])
    #expect(issues.wrappedValue.count == 1)
    #expect(issues.wrappedValue.first?.description.contains("needs a text") == true)
  }

  @Test func anActionOfSeveralStatementsIsRefusedWithoutAnAnnotation() throws {
    page.on("remove", "ID") { word in
      guard let id = Int(fieldText: word) else { return page.refuse("There is no \(word).") }
      $heard.withLock { $0.append("\(id)") }
    }
    #expect(throws: ActionError("There is no x.")) { try page.perform("remove", with: "x") }
    #expect(heard == [])
    try page.perform("remove", with: "3")
    #expect(heard == ["3"])
  }

  @Test func anActionThatDoesAnotherOneIsNotRefusedByItsReason() throws {
    page.on("inner") { page.refuse("No.") }
    page.on("outer") {
      #expect(throws: ActionError("No.")) { try page.perform("inner") }
    }
    try page.perform("outer")
  }

  @Test func aReasonOutsideOfAnActionIsShownAtOnce() {
    let name = "Bo"
    page.refuse("There is no \(name).")
    #expect(recorder["refused"] == "There is no Bo.")
  }

  @Test func whatAnActionChangesIsOneTurn() throws {
    page.bind("count") { "\(heard.count)" }
    page.on("twice") {
      $heard.withLock { $0.append("one") }
      $heard.withLock { $0.append("two") }
    }
    try page.perform("twice")
    #expect(recorder.all.map { $0.text } == ["0", "2"])
  }
}
