import Foundation
import SharingPage
import SharingTesting
import Testing

@testable import MyApp

/// SharingTesting gives each test its own stores in memory.
@Suite struct MyAppTests {
  @Test func aClickAddsOne() throws {
    let recorder = PageRecorder()
    App().start(on: recorder.page)
    #expect(recorder["count"] == "0")
    try recorder.page.perform("increment")
    #expect(recorder["count"] == "1")
  }

  @Test func everyNameOfThePageIsKnown() throws {
    let recorder = PageRecorder()
    App().start(on: recorder.page)
    let html = try String(contentsOfFile: "web/index.html", encoding: .utf8)
    #expect(recorder.unknownNames(in: html) == [])
  }
}
