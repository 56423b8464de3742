import SharingPage
import SharingTesting
import Testing

@testable import Notes

/// User actions in the page. Each test must assert everything that it changes.
@Suite(.sharing(exhaustivity: .on))
struct NotesTests {
  let recorder = PageRecorder()
  let app: NotesApp
  var page: Page { recorder.page }

  init() {
    var app = NotesApp()
    app.now = { Timestamp(millisecondsSince1970: 1000) }
    app.newID = { id(7) }
    app.start(on: recorder.page)
    self.app = app
  }

  @Test func theDraftBecomesANote() throws {
    try page.perform("draft", with: "Buy milk")
    #expect(recorder["draft-words"] == "2")
    #expect(recorder["has-notes"] == "")
    try page.perform("add", with: "Buy milk")
    app.$notes.assert { $0 = [note(7, "Buy milk")] }
    #expect(app.draft == "")
    #expect(
      recorder["notes"]
        == #"{"id":"00000000000000000000000007","text":"Buy milk","changed":1000}"#)
    #expect(recorder["lengths"] == "2 ")
    #expect(recorder["has-notes"] == "true")
  }

  @Test func nothingIsNoNote() throws {
    #expect(throws: ActionError("Write something first.")) { try page.perform("add", with: " ") }
    #expect(app.notes == [])
  }

  @Test func aNoteIsChanged() throws {
    app.$notes.withLock { $0 = [note(1, "one"), note(2, "two")] }
    try page.perform("edit", with: "\(id(2)) second note")
    app.$notes.assert { $0 = [note(1, "one"), note(2, "second note")] }
    #expect(recorder["lengths"] == "1 2 ")
  }

  @Test func whatWasTypedForANoteThatIsGoneBecomesANewOne() throws {
    app.$notes.withLock { $0 = [note(1, "one")] }
    try page.perform("edit", with: "\(id(2)) two")
    app.$notes.assert { $0 = [note(1, "one"), note(7, "two")] }
  }

  @Test func aNoteIsRemoved() throws {
    app.$notes.withLock { $0 = [note(1, "one"), note(2, "two")] }
    try page.perform("remove", with: id(1).text)
    app.$notes.assert { $0 = [note(2, "two")] }
    #expect(throws: ActionError(#""one" is no id."#)) { try page.perform("remove", with: "one") }
  }

  @Test func aThemeIsChosen() throws {
    #expect(recorder["theme"] == "system")
    try page.perform("theme", with: "dark")
    try page.perform("times", with: "")
    app.$settings.assert { $0 = Settings(theme: .dark, showsTimes: false) }
    #expect(recorder["theme"] == "dark")
    #expect(throws: ActionError.self) { try page.perform("theme", with: "pink") }
  }
}

/// The contents of the store.
@Suite struct StoredNotesTests {
  let store = MemoryStore()

  @Test func notesOfVersion1AreShownAndKept() throws {
    store.set(Array(#"["one","two"]"#.utf8), for: KeyName("notes"))
    try run { app, page in
      #expect(app.notes == [Note(id: id(0), text: "one"), Note(id: id(1), text: "two")])
      try page.perform("remove", with: id(0).text)
      let note = #"{"id":"00000000000000000000000001","text":"two","changed":null}"#
      let stored = #"{"$version":2,"value":["# + note + "]}"
      #expect(store.bytes(for: KeyName("notes")) == Array(stored.utf8))
    }
  }

  @Test func theDraftIsStoredWhenNobodyTypes() throws {
    let clock = ManualClock()
    try run(clock) { _, page in
      try page.perform("draft", with: "Buy")
      clock.advance(by: 499)
      try page.perform("draft", with: "Buy milk")
      clock.advance(by: 499)
      #expect(store.bytes(for: KeyName("draft")) == nil)
      clock.advance(by: 1)
      #expect(store.bytes(for: KeyName("draft")) == Array(#""Buy milk""#.utf8))
    }
  }

  /// Opens the program over the store.
  private func run(
    _ clock: ManualClock = ManualClock(), _ test: (NotesApp, Page) throws -> Void
  ) throws {
    let environment = SharingEnvironment()
    environment.stores.local = store
    environment.stores.clock = clock
    try environment.run {
      let recorder = PageRecorder()
      let app = NotesApp()
      app.start(on: recorder.page)
      try test(app, recorder.page)
    }
  }
}

/// The id of a test with a number.
func id(_ number: UInt64) -> UniqueID {
  UniqueID(time: Timestamp(millisecondsSince1970: 0), randomBits: number)
}

private func note(_ number: UInt64, _ text: UTF8Text) -> Note {
  Note(id: id(number), text: text, changed: Timestamp(millisecondsSince1970: 1000))
}
