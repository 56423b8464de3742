import Foundation
import SharingPage
import Testing

@Suite(.timeLimit(.minutes(1))) struct CommandTerminationTests {
  @Test func aCommandThatASignalEndsStoresPendingChangesFirst() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .signal(SIGTERM)) { [folder = folder as String] in
      setenv("SHARING_DIR", folder, 1)
      LongCommand.main()
    }
    #expect(try String(contentsOfFile: folder + "/count.json", encoding: .utf8) == "1")
  }
}

/// A command that changes a value and waits for the end of the program.
private struct LongCommand: CommandApp {
  @Shared(.localStorage("count", saving: .debounced(milliseconds: 600_000))) private var count = 0

  func start(on page: Page) {}

  static func command(_ words: [[UInt8]]) -> Int32 {
    let command = LongCommand()
    command.$count.withLock { $0 = 1 }
    kill(getpid(), SIGTERM)
    while true { pause() }
  }
}
