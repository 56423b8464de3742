import Foundation
import SharingCore
import Synchronization
import Testing
import WasiStorage

/// Other programs' changes to the files of a ``FileStore``.
@Suite(.timeLimit(.minutes(1))) struct FileFollowingTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let environment = SharingEnvironment()

  init() {
    environment.stores.local = FileStore(folder: UTF8Text(folder.path))
  }

  @Test func whatAnotherProgramStoresShowsUp() async throws {
    defer { cleanUp() }
    try another { $0.withLock { $0 = 1 } }
    try await expectValues(
      [
        (1, { try another { $0.withLock { $0 = 7 } } }),
        (7, { try Data("8".utf8).write(to: file("count")) }),
        (8, { try another { $0.reset() } }),
        (0, { try another { $0.withLock { $0 = 9 } } }),
      ], last: 9)
  }

  /// In a process of its own, since other tests follow files at the same time.
  @Test func thePollEndsWithTheLastSubscription() async {
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      let store = DocumentStore(folder: UTF8Text(folder.path))
      for _ in 0..<2 {
        let subscriptions = [store.subscribe(to: "one") {}, store.subscribe(to: "two") {}]
        #expect(FilePoll.isRunning)
        for subscription in subscriptions { subscription.cancel() }
        while FilePoll.isRunning { await Task.yield() }
      }
    }
  }

  @Test func appStorageFollowsAsWell() async throws {
    defer { cleanUp() }
    let name = environment.run { Shared(wrappedValue: "", .appStorage("name")) }
    let (values, continuation) = AsyncStream.makeStream(of: String.self)
    let token = name.publisher.sink { continuation.yield($0) }
    try makeFolder()
    try Data(#""Ada""#.utf8).write(to: file("name"))
    for await value in values where value == "Ada" { break }
    token.cancel()
  }

  @Test func whatALinkLeadsToIsFollowed() async throws {
    defer { cleanUp() }
    let elsewhere = folder.appending(component: "elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try Data("1".utf8).write(to: elsewhere.appending(component: "number"))
    try FileManager.default.createSymbolicLink(
      atPath: file("count").path, withDestinationPath: "elsewhere/number")
    try await expectValues(
      [
        (1, { try another { $0.withLock { $0 = 7 } } }),
        (7, { try Data("8".utf8).write(to: elsewhere.appending(component: "number")) }),
      ], last: 8)
  }

  @Test func aFolderThatIsMadeLaterOrMadeAgainIsFollowed() async throws {
    defer { cleanUp() }
    try await expectValues(
      [
        (0, { try another { $0.withLock { $0 = 1 } } }),
        (1, { try FileManager.default.removeItem(at: folder) }),
        (0, { try another { $0.withLock { $0 = 2 } } }),
        (2, { try another { $0.withLock { $0 = 3 } } }),
      ], last: 3)
  }

  /// The other value comes last, after the notifications of the program's own writes.
  @Test func ownWritesAreNotTold() async throws {
    defer { cleanUp() }
    let count = environment.run { Shared(wrappedValue: 0, .localStorage("count")) }
    let other = environment.run { Shared(wrappedValue: 0, .localStorage("other")) }
    let seen = Mutex<[Int]>([])
    let token = environment.run {
      observe {
        let count = count.wrappedValue; seen.withLock { $0.append(count) }
      }
    }
    for number in 1...20 { count.withLock { $0 = number } }
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let otherToken = other.publisher.sink { continuation.yield($0) }
    try another("other") { $0.withLock { $0 = 1 } }
    for await value in values where value == 1 { break }
    #expect(seen.withLock { $0 } == Array(0...20))
    token.cancel()
    otherToken.cancel()
  }

  /// Only the changed key is read, out of thousands.
  @Test func amongThousandsOfKeysTheOneThatHasChangedIsTold() async throws {
    defer { cleanUp() }
    let store = FileStore(folder: UTF8Text(folder.path))
    try makeFolder()
    let told = Mutex<[Int]>([])
    let (events, continuation) = AsyncStream.makeStream(of: Int.self)
    let subscriptions = (0..<5000).map { number in
      store.subscribe(to: KeyName("key-\(number)")) {
        told.withLock { $0.append(number) }
        continuation.yield(number)
      }
    }
    let other = FileStore(folder: UTF8Text(folder.path))
    try other.set([0x31], for: KeyName("key-4321"))
    for await _ in events { break }
    try other.set([0x31], for: KeyName("key-17"))
    for await number in events where number == 17 { break }
    #expect(Set(told.withLock { $0 }) == [4321, 17])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func aStoreThatDoesNotFollowTellsOfItsOwnWritesOnly() async throws {
    defer { cleanUp() }
    let quiet = FileStore(folder: UTF8Text(folder.path), following: .never)
    let loud = FileStore(folder: UTF8Text(folder.path))
    let key = KeyName("count")
    try makeFolder()
    let told = Mutex(0)
    let (events, continuation) = AsyncStream.makeStream(of: Void.self)
    let subscriptions = [
      quiet.subscribe(to: key) { told.withLock { $0 += 1 } },
      loud.subscribe(to: key) { continuation.yield() },
    ]
    try FileStore(folder: UTF8Text(folder.path)).set([0x31], for: key)
    for await _ in events { break }
    #expect(told.withLock { $0 } == 0)
    try quiet.set([0x32], for: key)
    #expect(told.withLock { $0 } == 1)
    for subscription in subscriptions { subscription.cancel() }
  }

  // MARK: Helpers

  /// Expects the values of a key, in any order in which each follows from the one before.
  private func expectValues(
    _ steps: [(value: Int, next: () throws -> Void)], last: Int, of key: String = "count"
  ) async throws {
    let count = environment.run { Shared(wrappedValue: 0, .localStorage(key)) }
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

  /// Changes the value as another program over the same folder.
  private func another(_ key: String = "count", _ body: (Shared<Int>) -> Void) throws {
    let other = SharingEnvironment()
    other.stores.local = FileStore(folder: UTF8Text(folder.path), following: .never)
    let count = other.run { Shared(wrappedValue: 0, .localStorage(key)) }
    body(count)
    if let error = count.saveError { throw error }
  }

  private func file(_ name: String) -> URL {
    folder.appending(component: "\(name).json")
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func cleanUp() {
    try? FileManager.default.removeItem(at: folder)
  }
}
