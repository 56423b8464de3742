import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

/// The underlying error of a ``StorageError`` is the thrown error.
@Suite(.sharing) struct UnderlyingErrorTests {
  @Test func aDecoders() throws {
    try store("{}", "user")
    @Shared(.localStorage("user")) var user = User()
    let error = try #require($user.loadError as? StorageError)
    guard case .keyNotFound(let key, _)? = error.underlying as? DecodingError else {
      return #expect(Bool(false), "\(error.underlying as Any)")
    }
    #expect(key.stringValue == "height")
    #expect(error.reason == .unreadable(offset: 0))
  }

  @Test func aDecodersOfAVersion() throws {
    try store(#"{"$version":2,"value":{}}"#, "user")
    @Shared(.localStorage("user", version: 2)) var user = User()
    #expect(underlying($user.loadError) is DecodingError)
  }

  @Test func anEncoders() {
    @Shared(.localStorage("user")) var user = User()
    $user.withLock { $0.height = .infinity }
    #expect(underlying($user.saveError) is EncodingError)
    @Shared(.localStorage("late", saving: .debounced(milliseconds: 60_000))) var late = User()
    $late.withLock { $0.height = .infinity }
    SharingEnvironment.current.stores.flush()
    #expect(underlying($late.saveError) is EncodingError)
    $user.withLock { $0.height = 1 }
    #expect($user.saveError == nil)
  }

  @Test func theJSONCodecs() throws {
    try store("[1,", "numbers")
    @Shared(.localStorage("numbers")) var numbers: [Int] = []
    #expect((underlying($numbers.loadError) as? JSONError)?.offset == 3)
    @Shared(.localStorage("double")) var double = 0.0
    $double.withLock { $0 = .nan }
    #expect(underlying($double.saveError) is JSONError)
  }

  @Test func thatOfACodingOfOnesOwn() throws {
    try store("x", "own")
    let coding = StorageCoding<Int>(
      encode: { throw Refusal(what: $0) }, decode: { _ in throw Refusal(what: -1) })
    @Shared(.localStorage("own", coding: coding)) var own = 0
    #expect(underlying($own.loadError) as? Refusal == Refusal(what: -1))
    $own.withLock { $0 = 3 }
    #expect(underlying($own.saveError) as? Refusal == Refusal(what: 3))
  }

  @Test(arguments: [Words.described, .localized, .both])
  func theMessageIsWhatAnErrorSaysOfItself(_ words: Words) throws {
    try store("x", "own")
    let coding = StorageCoding<Int>(
      encode: { _ in throw words.error }, decode: { _ in throw words.error })
    @Shared(.localStorage("own", coding: coding)) var own = 0
    let loaded = try #require($own.loadError)
    #expect("\(loaded)".contains("boom") && !"\(loaded)".contains("Failure"), "\(loaded)")
    #expect(message(of: words.error) == "boom")
    $own.withLock { $0 = 3 }
    let saved = try #require($own.saveError)
    #expect("\(saved)".contains("boom") && !"\(saved)".contains("Failure"), "\(saved)")
  }

  @Test func thatOfAMigration() throws {
    try store("1", "old")
    let migration = StorageMigration(from: 1) { (old: Int) -> Int in throw Refusal(what: old) }
    @Shared(.localStorage("old", version: 2, migrations: [migration])) var old = 0
    #expect(($old.loadError as? StorageError)?.reason == .notMigrated)
    #expect(underlying($old.loadError) as? Refusal == Refusal(what: 1))
  }

  @Test func thereIsNoneWhereNothingWasThrown() throws {
    try store(#"{"$version":9,"value":1}"#, "new")
    @Shared(.localStorage("new", version: 2)) var new = 0
    #expect(($new.loadError as? StorageError)?.reason == .newerVersion(9))
    #expect(underlying($new.loadError) == nil)
  }

  @Test func theLocalizedDescriptionIsTheMessage() throws {
    try store("[", "numbers")
    @Shared(.localStorage("numbers")) var numbers: [Int] = []
    let error = try #require($numbers.loadError)
    #expect(error.localizedDescription == (error as? StorageError)?.message.description)
    #expect(error.localizedDescription.hasPrefix("A stored value is damaged. "))
    let beneath = try #require(underlying(error) as? JSONError)
    #expect(beneath.localizedDescription == beneath.description)
  }

  private func underlying(_ error: (any Error)?) -> (any Error)? {
    (error as? StorageError)?.underlying
  }

  private func store(_ text: String, _ name: String) throws {
    try SharingEnvironment.current.stores.local.set(Array(text.utf8), for: KeyName(name))
  }
}

private struct Refusal: Error, Equatable {
  let what: Int
}

private struct User: Codable {
  var height = 0.0
}

/// Errors with their own descriptions.
enum Words: CaseIterable {
  case described, localized, both

  var error: any Error {
    switch self {
    case .described: DescribedFailure(text: "boom")
    case .localized: LocalizedFailure(text: "boom")
    case .both: WordyFailure(text: "boom")
    }
  }
}

private struct DescribedFailure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}

private struct LocalizedFailure: LocalizedError {
  let text: String
  var errorDescription: String? { text }
}

private struct WordyFailure: LocalizedError, CustomStringConvertible {
  let text: String
  var description: String { "a Failure with \(text)" }
  var errorDescription: String? { text }
}
