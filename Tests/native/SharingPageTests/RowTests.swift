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

  /// The texts that were sent after the rows.
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

  @Test func ofTwoElementsWithOneIDTheFirstIsShownAndAnIssueNamesTheID() throws {
    var issues: [UTF8Text] = []
    let told = Shared(value: issues)
    SharingEnvironment.current.onIssue = { issue in told.withLock { $0.append(issue.message) } }
    $notes.append(Note(id: 2, text: "hidden"))
    #expect(sent.last == #"[{"id":1,"text":"a"},{"id":2,"text":"b"}]"#)
    issues = told.wrappedValue
    #expect(issues.count == 1)
    #expect(try #require(issues.first).description.contains("\"notes\" have the id 2"))

    $notes[2].text.withLock { $0 = "still hidden" }
    #expect(sent.last == #"[{"id":1,"text":"a"},{"id":2,"text":"b"}]"#)
    $notes.remove(id: 2)
    #expect(sent.last == #"[{"id":1,"text":"a"},{"id":2,"text":"still hidden"}]"#)
    #expect(told.wrappedValue.count == 1)
    $notes.remove(id: 1)
    #expect(sent.last == #"{"gone":1}"#)
  }

  @Test func keysThatJavaScriptWouldRoundCrossAsText() {
    struct Large: JSONCodable, Identifiable, Equatable {
      var id: Int64 = 0

      mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
        try json.field("id", &id)
      }
    }
    let ids: [Int64] = [9_007_199_254_740_991, 9_007_199_254_740_992, -9_007_199_254_740_993]
    let large = Shared(value: ids.map { Large(id: $0) })
    recorder.page.bind("large", rows: large)
    #expect(
      recorder["large"]
        == #"[{"id":9007199254740991},{"id":"9007199254740992"},{"id":"-9007199254740993"}]"#)
    large.remove(id: ids[2])
    #expect(recorder["large"] == #"{"gone":"-9007199254740993"}"#)
  }
}
