import Foundation
import SharingCore
import Testing
import WasiStorage

/// Pending changes of a program that a signal ends, in processes of their own.
@Suite(.timeLimit(.minutes(1))) struct TerminationTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aProgramThatASignalEndsStoresPendingChangesFirst(number: Int32) async throws {
    defer { cleanUp() }
    await #expect(processExitsWith: .signal(number)) {
      [folder = folder as String, number = number as Int32] in
      changeCount(in: folder, flushes: true)
      endBy(number)
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "1")
  }

  @Test func byDefaultASignalEndsTheProgramAtOnce() async {
    defer { cleanUp() }
    await #expect(processExitsWith: .signal(SIGTERM)) { [folder = folder as String] in
      changeCount(in: folder, flushes: false)
      endBy(SIGTERM)
    }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func aHandlerOfTheProgramIsKept() async throws {
    defer { cleanUp() }
    await #expect(processExitsWith: .exitCode(7)) { [folder = folder as String] in
      signal(SIGTERM) { _ in _exit(7) }
      changeCount(in: folder, flushes: true)
      endBy(SIGTERM)
    }
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func aSecondSignalEndsAProgramWhoseStoreIsStuck() async {
    defer { cleanUp() }
    await #expect(processExitsWith: .signal(SIGINT)) {
      let environment = SharingEnvironment.current
      environment.stores.clock = StuckClock()
      environment.stores.flushOnTermination()
      kill(getpid(), SIGTERM)
      StuckClock.isStuck.wait()
      endBy(SIGINT)
    }
  }

  private var file: String { folder + "/count.json" }

  private func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }
}

/// Changes a value, which is to be saved in ten minutes.
private func changeCount(in folder: String, flushes: Bool) {
  prepareSharing {
    $0.stores.local = FileStore(folder: UTF8Text(folder))
    if flushes { $0.stores.flushOnTermination() }
  }
  @Shared(.localStorage("count", saving: .debounced(milliseconds: 600_000))) var count = 0
  $count.withLock { $0 = 1 }
}

private func endBy(_ signal: Int32) -> Never {
  kill(getpid(), signal)
  while true { pause() }
}

/// A clock whose actions never end.
private final class StuckClock: SaveClock {
  static let isStuck = DispatchSemaphore(value: 0)

  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool { true }

  func callAll() {
    Self.isStuck.signal()
    DispatchSemaphore(value: 0).wait()
  }
}
