import SharingPage
import SharingTesting
import Testing

@testable import Search

/// The program with a fetcher that answers on demand.
@Suite(.sharing)
struct SearchTests {
  let server = Server()
  let recorder = PageRecorder()
  var page: Page { recorder.page }

  init() {
    Fetcher.current.ask = server.ask
    SearchApp().start(on: recorder.page)
  }

  @Test func nothingIsFetchedForNoText() {
    #expect(server.asked == [])
    #expect(recorder["words"] == "[]")
    #expect(recorder["progress"] == "")
  }

  @Test func whatIsFoundIsShown() throws {
    try page.perform("text", with: "ship")
    #expect(server.asked == ["words.json"])
    #expect(recorder["progress"] == "Searching…")
    server.answer(1, #"[{"word":"bow","meaning":"of a ship"},{"word":"ebb","meaning":"a tide"}]"#)
    #expect(recorder["words"] == #"[{"word":"bow","meaning":"of a ship"}]"#)
    #expect(recorder["progress"] == "1 word")
  }

  @Test func aFailureIsSaidUntilARetrySucceeds() throws {
    try page.perform("text", with: "tide")
    server.answer(1, nil)
    #expect(recorder["storage-error"] == "The words could not be fetched.")
    #expect(recorder["no-failure"] == "")
    #expect(recorder["progress"] == "")

    try page.perform("retry")
    #expect(recorder["no-failure"] == "true")
    #expect(recorder["progress"] == "Searching…")
    server.answer(2, #"[{"word":"tide"}]"#)
    #expect(recorder["storage-error"] == "")
    #expect(recorder["words"] == #"[{"word":"tide","meaning":""}]"#)
  }

  @Test func whatIsNoListIsSaid() throws {
    try page.perform("text", with: "tide")
    server.answer(1, "<!doctype html>")
    #expect(recorder["storage-error"]?.description.hasPrefix("The words cannot be read: ") == true)
  }

  @Test func anAnswerForAnOlderTextIsIgnored() throws {
    try page.perform("text", with: "a")
    try page.perform("text", with: "ab")
    server.answer(2, #"[{"word":"about"}]"#)
    server.answer(1, #"[{"word":"ahoy"}]"#)
    #expect(recorder["words"] == #"[{"word":"about","meaning":""}]"#)
    #expect(recorder["progress"] == "1 word")
  }

  @Test func aFailureForAnOlderTextIsIgnored() throws {
    try page.perform("text", with: "a")
    try page.perform("text", with: "ab")
    server.answer(1, nil)
    #expect(recorder["progress"] == "Searching…")
    #expect(recorder["storage-error"] == nil)
    server.answer(2, #"[{"word":"about"}]"#)
    #expect(recorder["progress"] == "1 word")
  }

  @Test func anOlderAnswerToARetryIsIgnored() throws {
    try page.perform("text", with: "a")
    try page.perform("retry")
    server.answer(2, #"[{"word":"ahoy"}]"#)
    server.answer(1, nil)
    #expect(recorder["storage-error"] == nil)
    #expect(recorder["words"] == #"[{"word":"ahoy","meaning":""}]"#)
  }

  @Test func aTextThatIsTypedAgainIsFetchedAgain() throws {
    try page.perform("text", with: "a")
    server.answer(1, #"[{"word":"ahoy"}]"#)
    try page.perform("text", with: "")
    #expect(recorder["words"] == "[]")
    try page.perform("text", with: "a")
    #expect(server.asked.count == 2)
    server.answer(2, "[]")
  }
}

/// A server that answers on demand.
final class Server {
  private(set) var asked: [UTF8Text] = []

  func ask(_ number: Int32, _ path: UTF8Text) -> Bool {
    asked.append(path)
    return true
  }

  func answer(_ number: Int32, _ text: UTF8Text?) {
    Fetcher.current.answer(number, text?.bytes)
  }
}
