import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

@Suite(.timeLimit(.minutes(1)), .sharing { $0.stores.files = DocumentStore(folder: "/") })
struct FileStorageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private var file: URL { folder.appending(component: "numbers.json") }

  @Test func aChangeIsWrittenToTheFileAndItsFolderIsMade() throws {
    defer { cleanUp() }
    @Shared(.fileStorage(file)) var numbers: [Int] = []
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    $numbers.withLock { $0 = [1, 2] }
    #expect($numbers.saveError == nil)
    #expect(try text() == "[1,2]")
    $numbers.reset()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aPathAndAURLOfOneFileShareItsValue() throws {
    defer { cleanUp() }
    @Shared(.fileStorage(file)) var first: [Int] = []
    @Shared(.fileStorage(file.path)) var second: [Int] = []
    @Shared(.fileStorage(folder.appending(path: "other/../numbers.json"))) var third: [Int] = []
    $first.withLock { $0 = [1] }
    #expect(second == [1])
    #expect(third == [1])
  }

  @Test func whatAnotherProgramDoesToTheFileIsFollowed() async throws {
    defer { cleanUp() }
    try makeFolder()
    try write("[1]")
    @Shared(.fileStorage(file)) var numbers: [Int] = []
    try await expectValues(
      of: $numbers,
      [
        [1]: { try Data("[2]".utf8).write(to: file) },
        [2]: { try Data("[3]".utf8).write(to: file, options: .atomic) },
        [3]: { try FileManager.default.removeItem(at: file) },
        []: { try write("[4]") },
      ], last: [4])
  }

  @Test func aFileThatIsMovedAwayAndBackIsFollowed() async throws {
    defer { cleanUp() }
    try makeFolder()
    try write("[1]")
    let elsewhere = folder.appending(component: "elsewhere")
    @Shared(.fileStorage(file)) var numbers: [Int] = [0]
    try await expectValues(
      of: $numbers,
      [
        [1]: { try FileManager.default.moveItem(at: file, to: elsewhere) },
        [0]: {
          try Data("[2]".utf8).write(to: elsewhere)
          try FileManager.default.moveItem(at: elsewhere, to: file)
        },
      ], last: [2])
  }

  @Test func aFolderThatIsMadeLaterIsFollowed() async throws {
    defer { cleanUp() }
    @Shared(.fileStorage(file)) var numbers: [Int] = [0]
    try await expectValues(
      of: $numbers,
      [
        [0]: {
          try makeFolder()
          try write("[1]")
        },
        [1]: { try write("[2]") },
      ], last: [2])
  }

  @Test func aFolderThatIsReplacedIsFollowed() async throws {
    defer { cleanUp() }
    try makeFolder()
    try write("[1]")
    @Shared(.fileStorage(file)) var numbers: [Int] = [0]
    try await expectValues(
      of: $numbers,
      [
        [1]: { try FileManager.default.removeItem(at: folder) },
        [0]: {
          try makeFolder()
          try write("[2]")
        },
        [2]: { try write("[3]") },
      ], last: [3])
  }

  @Test func theProgramsOwnWritesAreNotTold() throws {
    defer { cleanUp() }
    @Shared(.fileStorage(file)) var numbers: [Int] = []
    nonisolated(unsafe) var seen: [Int] = []
    let token = observe { seen.append(numbers.count) }
    for number in 1...20 { $numbers.withLock { $0.append(number) } }
    #expect(seen == Array(0...20))
    token.cancel()
  }

  @Test func closuresOfOnesOwnWriteAndReadTheFile() throws {
    defer { cleanUp() }
    @Shared(.lines(of: file)) var lines: [String] = []
    $lines.withLock { $0 = ["a", "b"] }
    #expect(try text() == "a\nb")
    try write("c")
    $lines.load { _ in }
    #expect(lines == ["c"])
  }

  @Test func codersOfOnesOwnWriteAndReadTheFile() throws {
    defer { cleanUp() }
    let decoder = JSONDecoder()
    let encoder = JSONEncoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    encoder.keyEncodingStrategy = .convertToSnakeCase
    struct Person: Codable { var firstName = "" }
    @Shared(.fileStorage(file, decoder: decoder, encoder: encoder)) var person = Person()
    $person.withLock { $0.firstName = "Ada" }
    #expect(try text() == #"{"first_name":"Ada"}"#)
  }

  private struct Person: Codable {
    var age = 1
    var name = "Blob"
  }

  private static let prettyEncoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return encoder
  }()

  @Test(arguments: [
    "{\n  \"age\" : 1,\n  \"name\" : \"Blob\"\n}", #"{"name": "Blob", "age": 1}"#,
  ])
  func aFileThatWasReadIsWrittenInTheFormOfItsEncoder(stored: String) throws {
    defer { cleanUp() }
    try makeFolder()
    try write(stored)
    @Shared(.fileStorage(file, encoder: Self.prettyEncoder)) var person = Person()
    $person.age.withLock { $0 = 2 }
    #expect(try text() == "{\n  \"age\" : 2,\n  \"name\" : \"Blob\"\n}")
    $person.name.withLock { $0 = "a  b" }
    #expect(try text() == "{\n  \"age\" : 2,\n  \"name\" : \"a  b\"\n}")
  }

  @Test func aMemberThatTheTypeLacksIsKeptWhateverTheFormOfItsEncoder() throws {
    defer { cleanUp() }
    struct Card: Codable { var person = Person() }
    try makeFolder()
    try write(#"{"person": {"name": "Blob", "nick": "Bo", "age": 1}}"#)
    @Shared(.fileStorage(file, encoder: Self.prettyEncoder)) var card = Card()
    $card.person.age.withLock { $0 = 2 }
    #expect(try text() == #"{"person":{"name":"Blob","nick":"Bo","age":2}}"#)
  }

  // MARK: Helpers

  /// Expects the values, in any order in which each follows from the one before.
  private func expectValues(
    of numbers: Shared<[Int]>, _ steps: KeyValuePairs<[Int], () throws -> Void>, last: [Int]
  ) async throws {
    let (values, continuation) = AsyncStream.makeStream(of: [Int].self)
    let token = numbers.publisher.sink { continuation.yield($0) }
    var iterator = values.makeAsyncIterator()
    for (value, step) in steps {
      while let next = await iterator.next(), next != value {}
      try step()
    }
    while let next = await iterator.next(), next != last {}
    token.cancel()
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: file)
  }

  private func text() throws -> String {
    String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  private func cleanUp() {
    try? FileManager.default.removeItem(at: folder)
  }
}

extension SharedKey where Self == FileStorageKey<[String]> {
  fileprivate static func lines(of file: URL) -> Self {
    .fileStorage(
      file,
      decode: { String(decoding: $0, as: UTF8.self).split(separator: "\n").map { String($0) } },
      encode: { Data($0.joined(separator: "\n").utf8) })
  }
}
