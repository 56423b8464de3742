import SharingPage
import SharingTesting
import Testing

/// Rows for the elements of a shared list.
@Suite(.sharing)
struct RowTests {
  struct Note: JSONCodable, Identifiable, Equatable {
    var id = 0
    var text: UTF8Text = ""

    mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
      try json.field("id", &id)
      try json.field("text", &text)
    }
  }

  let recorder = PageRecorder()
  @Shared(.localStorage("notes")) var notes = [Note(id: 1, text: "a"), Note(id: 2, text: "b")]

  init() {
    recorder.page.bind("notes", rows: $notes)
  }

  /// What has been sent since the rows were there.
  var sent: [UTF8Text] { recorder.all.dropFirst().map { $0.text } }

  @Test func allRowsAreShownAtFirst() {
    #expect(recorder["notes"] == #"[{"id":1,"text":"a"},{"id":2,"text":"b"}]"#)
  }

  @Test func aChangeOfOneElementSendsItsRow() throws {
    try #require($notes[id: 2]).text.withLock { $0 = "c" }
    #expect(sent == [#"{"id":2,"text":"c"}"#])
  }

  @Test func aNewElementIsOneRow() {
    $notes.append { _ in Note(id: 3, text: "c") }
    #expect(sent == [#"{"id":3,"text":"c"}"#])
  }

  @Test func anElementThatIsRemovedTakesItsRowAway() {
    $notes.remove(id: 1)
    #expect(sent == [#"{"gone":1}"#])
    $notes[id: 2]?.text.withLock { $0 = "c" }
    #expect(sent.last == #"{"id":2,"text":"c"}"#)
  }

  @Test func anotherOrderSendsAllRows() {
    $notes.withLock { $0.reverse() }
    #expect(sent == [#"[{"id":2,"text":"b"},{"id":1,"text":"a"}]"#])
  }

  @Test func anotherElementInThePlaceOfOneSendsAllRows() throws {
    let store = SharingEnvironment.current.stores.local
    $notes.save()
    let others = #"[{"id":1,"text":"a"},{"id":7,"text":"z"}]"#
    try store.set(Array(others.utf8), for: KeyName("notes"))
    #expect(sent == [UTF8Text(others)])
  }
}
