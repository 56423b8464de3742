import SharingPage
import SharingTesting
import Testing

/// Fields that edit shared values.
@Suite(.sharing)
struct FieldTests {
  let recorder = PageRecorder()
  var page: Page { recorder.page }

  @Test func aTextIsShownAndEntered() throws {
    @Shared(.localStorage("draft")) var draft = "Hello"
    page.bind("draft", to: $draft)
    #expect(recorder["draft"] == "Hello")
    try page.perform("draft", with: "Hello \u{1F600}")
    #expect(draft == "Hello \u{1F600}")
    #expect(recorder["draft"] == "Hello \u{1F600}")
  }

  @Test func aPropertyIsEnteredAlone() throws {
    struct Settings: Equatable {
      var name: UTF8Text = "Ada"
      var size = 12
    }
    @Shared(.inMemory("settings")) var settings = Settings()
    page.bind("size", to: $settings.size)
    try page.perform("size", with: "14")
    #expect(settings == Settings(name: "Ada", size: 14))
  }

  @Test(arguments: ["", "twelve", "1.5", "9223372036854775808", "1e-3", "0x1", "--1"])
  func whatIsNoWholeNumberIsRefusedAndTheValueStays(text: String) {
    @Shared(.inMemory("size")) var size = 12
    page.bind("size", to: $size)
    #expect(throws: ActionError("\"\(UTF8Text(text))\" is not valid here.")) {
      try page.perform("size", with: UTF8Text(text))
    }
    #expect(size == 12)
    #expect(recorder["size"] == "12")
  }

  @Test(arguments: ["1000", "1000.0", "1e3"])
  func aWholeNumberIsEnteredInEveryForm(text: String) throws {
    @Shared(.inMemory("size")) var size = 12
    page.bind("size", to: $size)
    try page.perform("size", with: UTF8Text(text))
    #expect(size == 1000)
    #expect(recorder["size"] == "1000")
  }

  @Test(arguments: [("0.5", 0.5), ("-3", -3), ("1e3", 1000)])
  func numbersWithAPointAreEntered(text: String, number: Double) throws {
    @Shared(.inMemory("factor")) var factor = 1.0
    page.bind("factor", to: $factor)
    try page.perform("factor", with: UTF8Text(text))
    #expect(factor == number)
  }

  @Test func aDayIsChosen() throws {
    @Shared(.inMemory("day")) var day = LocalDate("2026-11-28")!
    page.bind("day", to: $day)
    try page.perform("day", with: "2028-02-29")
    #expect(recorder["day"] == "2028-02-29")
    for text in ["", "2026-02-30", "2026-2-3"] as [UTF8Text] {
      #expect(throws: ActionError.self) { try page.perform("day", with: text) }
    }
    #expect(day == LocalDate("2028-02-29"))
  }

  @Test func anEnumIsChosenByItsRawValue() throws {
    @Shared(.localStorage("theme")) var theme = Theme.light
    page.bind("theme", to: $theme)
    #expect(recorder["theme"] == "light")
    try page.perform("theme", with: "dark")
    #expect(theme == .dark)
    #expect(throws: ActionError("\"pink\" is not valid here.")) {
      try page.perform("theme", with: "pink")
    }
    #expect(theme == .dark)
  }

  @Test func aListIsShownAndEnteredAsTexts() throws {
    @Shared(.localStorage("sizes")) var sizes = [1, 2]
    @Shared(.localStorage("themes")) var themes: [Theme] = []
    page.bind("sizes", to: $sizes)
    page.bind("themes", to: $themes)
    #expect(recorder["sizes"] == #"["1","2"]"#)
    try page.perform("sizes", with: #"["2","30"]"#)
    try page.perform("themes", with: #"["dark"]"#)
    #expect(sizes == [2, 30])
    #expect(themes == [.dark])
    #expect(recorder["themes"] == #"["dark"]"#)
  }

  @Test(arguments: [#"["pink"]"#, "dark", "", #"[1]"#])
  func aListWithSomethingElseIsRefusedAndTheValueStays(text: String) {
    @Shared(.localStorage("themes")) var themes = [Theme.light]
    page.bind("themes", to: $themes)
    #expect(throws: ActionError.self) { try page.perform("themes", with: UTF8Text(text)) }
    #expect(themes == [.light])
  }

  @Test func aFlagIsTrueOrNothing() throws {
    @Shared(.inMemory("isDark")) var isDark = false
    page.bind("dark", to: $isDark)
    #expect(recorder["dark"] == "")
    try page.perform("dark", with: "true")
    #expect(isDark)
    #expect(recorder["dark"] == "true")
    try page.perform("dark", with: "")
    #expect(!isDark)
    #expect(throws: ActionError.self) { try page.perform("dark", with: "maybe") }
  }
}

private enum Theme: String, CaseIterable, JSONValue, FieldValue {
  case light, dark
}
