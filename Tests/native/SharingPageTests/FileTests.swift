import Foundation
import SharingPage
import SharingTesting
import Testing

/// Files of a person: `data-file` and `page.download`.
@Suite(.sharing)
struct FileTests {
  let recorder = PageRecorder()
  var page: Page { recorder.page }

  @Test(arguments: [0, 1, 2, 3, 4, 255, 1000])
  func anActionGetsTheNameAndTheBytesOfAFile(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    @Shared(.inMemory("files")) var files: [UTF8Text: [UInt8]] = [:]
    page.onFile("import") { name, bytes in $files.withLock { $0[name] = bytes } }
    try give("a b.bin", Data(bytes).base64EncodedString())
    #expect(files == ["a b.bin": bytes])
  }

  @Test(arguments: ["W10", "W1=0", "W10 ", "W1-_", "====", "é==", "A==="])
  func aTextThatIsNoBase64IsRefused(text: String) {
    @Shared(.inMemory("count")) var count = 0
    page.onFile("import") { _, _ in $count.withLock { $0 += 1 } }
    #expect(throws: ActionError.self) { try give("a.json", text) }
    #expect(count == 0)
  }

  @Test func aFileThatThePageCannotReadIsRefusedWithItsReason() {
    @Shared(.inMemory("count")) var count = 0
    page.onFile("import") { _, _ in $count.withLock { $0 += 1 } }
    let reason: UTF8Text = "big.json is larger than 5 MB."
    #expect(throws: ActionError(reason)) { try give("big.json", "", problem: reason) }
    #expect(count == 0)
  }

  @Test func anActionMayRefuseAFile() {
    page.onFile("import") { [page] name, _ in page.refuse("\(name) has no todos.") }
    #expect(throws: ActionError("a.txt has no todos.")) { try give("a.txt", "W10=") }
  }

  @Test(arguments: 0...7)
  func aDownloadHasTheNameAndAllBytes(count: Int) throws {
    let bytes = (0..<count).map { UInt8(250 + $0 % 6) }
    page.download("my list.json", bytes)
    let text = UTF8Text(Data(bytes).base64EncodedString())
    #expect(recorder["sharing-download"] == "my list.json \(text)")
  }

  private func give(_ name: UTF8Text, _ base64: String, problem: UTF8Text = "") throws {
    try page.perform(
      "import", fields: ["name", name, "problem", problem, "base64", UTF8Text(base64)])
  }
}
