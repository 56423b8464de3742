import Foundation
import SharingCommits
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// Other programs replace the folders and symbolic links of a path: the store follows the path.
@Suite(.timeLimit(.minutes(1))) struct ReplacedFolderTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  // MARK: Folders

  @Test(arguments: Kind.allCases)
  func aFolderThatIsReplacedOnTheWayIsFollowed(kind: Kind) async throws {
    defer { cleanUp() }
    try write("1", at: "x/y/count.json")
    try await expectValues(
      of: count(kind, in: "x/y"),
      [
        1: {
          try move("x", to: "old")
          try write("2", at: "x/y/count.json")
        },
        2: { try write("3", at: "x/y/count.json") },
      ], last: 3)
  }

  @Test(arguments: Kind.allCases)
  func aFolderThatAnotherOneIsMovedToIsFollowed(kind: Kind) async throws {
    defer { cleanUp() }
    try write("1", at: "a/b/c/count.json")
    try write("2", at: "new/b/c/count.json")
    try await expectValues(
      of: count(kind, in: "a/b/c"),
      [
        1: {
          try move("a", to: "old")
          try move("new", to: "a")
        },
        2: {
          try write("1", at: "old/b/c/count.json")
          try write("3", at: "a/b/c/count.json")
        },
      ], last: 3)
  }

  @Test func aFolderThatIsRemovedWhileAProgramHasItOpenIsFollowed() async throws {
    defer { cleanUp() }
    try write("1", at: "x/y/count.json")
    let folder = open(path("x/y"), O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    try await expectValues(
      of: count(.key, in: "x/y"),
      [
        1: {
          try FileManager.default.removeItem(atPath: path("x"))
          try write("2", at: "x/y/count.json")
        },
        2: { try write("3", at: "x/y/count.json") },
      ], last: 3)
  }

  @Test func theValueOfAFolderThatIsMovedAwayIsTheDefault() async throws {
    defer { cleanUp() }
    try write("1", at: "x/y/count.json")
    try await expectValues(
      of: count(.key, in: "x/y"),
      [
        1: { try move("x", to: "old") },
        0: { try move("old", to: "x") },
        1: { try write("2", at: "x/y/count.json") },
      ], last: 2)
  }

  @Test func theRevisionsOfAFolderThatIsReplacedOnTheWayAreFollowed() async throws {
    defer { cleanUp() }
    try commit(1, in: "x/y")
    for number in [1, 2] { try commit(number, in: "new/y") }
    let environment = SharingEnvironment()
    environment.stores.revisions = FolderRevisionStore(folder: UTF8Text(path("x/y")))
    let count = environment.run { Shared(wrappedValue: 0, .indexedDB("count")) }
    try await expectValues(
      of: count,
      [
        1: {
          try move("x", to: "old")
          try move("new", to: "x")
        },
        2: { try commit(3, in: "x/y") },
      ], last: 3)
  }

  // MARK: Links

  @Test(arguments: Kind.allCases)
  func aLinkOnTheWayThatIsSwitchedIsFollowed(kind: Kind) async throws {
    defer { cleanUp() }
    try write("1", at: "v1/data/count.json")
    try write("2", at: "v2/data/count.json")
    try link("cur", to: "v1")
    try await expectValues(
      of: count(kind, in: "cur/data"),
      [
        1: { try switchLink("cur", to: "v2") },
        2: {
          try write("1", at: "v1/data/count.json")
          try write("3", at: "v2/data/count.json")
        },
        3: { try switchLink("cur", to: path("v1")) },
        1: { try write("4", at: "v1/data/count.json") },
      ], last: 4)
  }

  @Test func aLinkThatIsTheFolderAndIsMadeAnewIsFollowed() async throws {
    defer { cleanUp() }
    try write("1", at: "releases/v1/count.json")
    try write("2", at: "releases/v2/count.json")
    try link("latest", to: "releases/v1")
    try link("cur", to: "latest")
    try await expectValues(
      of: count(.key, in: "cur"),
      [
        1: {
          try FileManager.default.removeItem(atPath: path("latest"))
          try link("latest", to: "releases/v2")
        },
        2: { try write("3", at: "releases/v2/count.json") },
        3: {
          try move("releases", to: "old")
          try write("4", at: "releases/v2/count.json")
        },
        4: { try write("5", at: "releases/v2/count.json") },
      ], last: 5)
  }

  @Test(arguments: Kind.allCases)
  func aFileThatIsALinkIsFollowedToItsNewTarget(kind: Kind) async throws {
    defer { cleanUp() }
    try write("1", at: "first/number")
    try write("2", at: "second/number")
    try write("9", at: "x/other")
    try link("x/count.json", to: "../first/number")
    try await expectValues(
      of: count(kind, in: "x"),
      [
        1: { try switchLink("x/count.json", to: "../second/number") },
        2: { try write("3", at: "second/number") },
        3: {
          try move("second", to: "old")
          try write("4", at: "second/number")
        },
        4: { try write("5", at: "second/number") },
      ], last: 5)
  }

  @Test func aLinkToWhatIsMadeLaterIsFollowed() async throws {
    defer { cleanUp() }
    try write("9", at: "x/other")
    try link("x/count.json", to: "../later/number")
    try await expectValues(
      of: count(.key, in: "x"),
      [
        0: { try write("1", at: "later/number") },
        1: { try write("2", at: "later/number") },
      ], last: 2)
  }

  @Test(arguments: [true, false])
  func aLinkThatIsMadeWhereNoFileWasIsFollowed(isSymbolic: Bool) async throws {
    defer { cleanUp() }
    try write("1", at: "x/number")
    try await expectValues(
      of: count(.key, in: "x"),
      [
        0: {
          if isSymbolic { return try link("x/count.json", to: "number") }
          try FileManager.default.linkItem(
            atPath: path("x/number"), toPath: path("x/count.json"))
        },
        1: { try write("2", at: "x/count.json") },
      ], last: 2)
  }

  @Test func linksThatLeadNowhereStopNobody() async throws {
    defer { cleanUp() }
    try write("1", at: "x/number")
    try link("a", to: "b")
    try link("b", to: "a")
    try link("self", to: "./self/..")
    try link("x/count.json", to: "../a/number")
    let store = FileStore(folder: UTF8Text(path("self/x")))
    let subscription = store.subscribe(to: "count") {}
    defer { subscription.cancel() }
    try await expectValues(
      of: count(.key, in: "x"),
      [
        0: { try switchLink("x/count.json", to: "number") }
      ], last: 1)
  }

  // MARK: Helpers

  enum Kind: CaseIterable {
    case key
    case document
  }

  /// The number in `count.json` of a folder.
  private func count(_ kind: Kind, in folder: String) -> Shared<Int> {
    let environment = SharingEnvironment()
    environment.stores.local = FileStore(folder: UTF8Text(path(folder)))
    environment.stores.files = DocumentStore(folder: UTF8Text(path(folder)))
    return environment.run {
      switch kind {
      case .key: Shared(wrappedValue: 0, .localStorage("count"))
      case .document: Shared(wrappedValue: 0, .fileStorage("count.json"))
      }
    }
  }

  /// Expects the values, in any order in which each follows from the one before.
  private func expectValues(
    of count: Shared<Int>, _ steps: KeyValuePairs<Int, () throws -> Void>, last: Int
  ) async throws {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let token = count.publisher.sink { continuation.yield($0) }
    var iterator = values.makeAsyncIterator()
    for (value, step) in steps {
      while let next = await iterator.next(), next != value {}
      try step()
    }
    while let next = await iterator.next(), next != last {}
    token.cancel()
  }

  private func path(_ name: String) -> String { root.appending(path: name).path }

  private func write(_ text: String, at name: String) throws {
    let file = root.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: target)
  }

  /// Replaces a link atomically, like `mv -T`.
  private func switchLink(_ name: String, to target: String) throws {
    try link("\(name).new", to: target)
    #expect(rename(path("\(name).new"), path(name)) == 0)
  }

  /// Stores a number, as another program over the same folder.
  private func commit(_ number: Int, in folder: String) throws {
    let other = SharingEnvironment()
    other.stores.revisions = FolderRevisionStore(
      folder: UTF8Text(path(folder)), following: .never)
    let count = other.run { Shared(wrappedValue: 0, .indexedDB("count")) }
    count.withLock { $0 = number }
    if let error = count.saveError { throw error }
  }

  private func cleanUp() {
    try? FileManager.default.removeItem(at: root)
  }
}
