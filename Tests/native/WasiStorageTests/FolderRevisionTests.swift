import Foundation
import SharingCore
import Testing
import WasiStorage

/// What other programs commit in the folder of a ``FolderRevisionStore``.
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

  private func program() -> Program {
    Program(store: FolderRevisionStore(folder: UTF8Text(folder.path)))
  }
}

private struct Program {
  let environment = SharingEnvironment()
  let store: FolderRevisionStore

  func count(_ key: String) -> Shared<Int> {
    environment.run { Shared(wrappedValue: 0, .revisions(key, in: store)) }
  }
}
