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

  private func program(following: FileStore.Following = .always) -> Program {
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
