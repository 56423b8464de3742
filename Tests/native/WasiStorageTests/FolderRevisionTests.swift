import Foundation
import SharingCommits
import SharingCore
import Testing
import WasiStorage

/// Other programs' commits in the folder of a ``FolderRevisionStore``.
@Suite(.timeLimit(.minutes(1))) struct FolderRevisionTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  @Test func whatAnotherProgramStoresShowsUpWhileThisOneStores() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (one, other) = (program(), program())
    let seen = one.count("theirs")
    let (values, continuation) = AsyncStream.makeStream(of: Int.self)
    let token = seen.publisher.sink { continuation.yield($0) }
    let (mine, theirs) = (one.count("mine"), other.count("theirs"))
    for _ in 0..<20 {
      theirs.update { $0 += 1 }
      mine.update { $0 += 1 }
    }
    for await value in values where value == 20 { break }
    token.cancel()
  }

  @Test func aStateThatCannotBeReadIsToldUntilItIsBack() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (one, other) = (program(following: .never), program(following: .never))
    let (seen, theirs) = (one.count("count"), other.count("count"))
    theirs.update { $0 += 1 }
    one.store.publishChanges()
    #expect(seen.wrappedValue == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let state = folder.appending(path: try #require(names.first { $0.hasPrefix("state@") }))
    let lost = folder.appending(path: "state@9.lost")

    try FileManager.default.moveItem(at: state, to: lost)
    let tellings = Tellings()
    let token = observe { if seen.loadError != nil { tellings.count += 1 } }
    for _ in 0..<3 { one.store.publishChanges() }
    #expect(seen.loadError.map { "\($0)" }?.contains("lacks the data of the state") == true)
    #expect(tellings.count == 1)
    #expect(seen.wrappedValue == 1)
    token.cancel()

    try FileManager.default.moveItem(at: lost, to: state)
    one.store.publishChanges()
    #expect(seen.loadError == nil)
  }

  @Test(arguments: [
    "value 9223372036854775807 5\ncount1\n7", "value -1 5\ncount1\n7", "value 1 -5\ncount1\n7",
    "applied -1 3\nabc", "applied 9223372036854775807 3\nabc",
  ])
  func aRecordWithAnImpossibleNumberIsToldAndStays(_ record: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    countOnce()
    let data = folder.appending(path: try #require(try name(beginning: "data.")))
    try Data(record.utf8).write(to: data)
    try expectDamage(of: data.path)
    #expect(try Data(contentsOf: data) == Data(record.utf8))
  }

  @Test(arguments: ["9223372036854775807", "-1", "99999999999999999999", "one"])
  func aStateWithAnImpossibleNumberIsToldAndStays(_ number: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    countOnce()
    let state = try #require(try name(beginning: "state@1."))
    let damaged = folder.appending(path: "state@\(number).\(state.dropFirst(8))")
    try FileManager.default.moveItem(at: folder.appending(path: state), to: damaged)
    try expectDamage(of: damaged.path)
    #expect(FileManager.default.fileExists(atPath: damaged.path))
  }

  /// Expects that a program reports a damaged file when it loads and when it saves.
  private func expectDamage(of file: String) throws {
    for message in countOnce() {
      #expect(message.contains("\(file) is damaged and is not overwritten"))
    }
  }

  /// Counts in a program of its own.
  /// - Returns: Its messages about loading and about saving.
  @discardableResult
  private func countOnce() -> [String] {
    let program = program(following: .never)
    return program.environment.run {
      let count = program.count("count")
      count.update { $0 += 1 }
      return [count.loadError, count.saveError].map { error in error.map { "\($0)" } ?? "" }
    }
  }

  private func name(beginning start: String) throws -> String? {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return names.first { $0.hasPrefix(start) }
  }

  private func program(following: StoreFollowing = .always) -> Program {
    Program(store: FolderRevisionStore(folder: UTF8Text(folder.path), following: following))
  }
}

private struct Program {
  let environment = SharingEnvironment()
  let store: FolderRevisionStore

  func count(_ key: String) -> Shared<Int> {
    environment.run { Shared(wrappedValue: 0, .revisions(key, in: store)) }
  }
}

private final class Tellings: @unchecked Sendable { var count = 0 }
