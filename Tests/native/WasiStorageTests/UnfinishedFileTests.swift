import Foundation
import SharingCore
import SharingTesting
import Testing
import WasiStorage

/// Files that another program is about to write.
@Suite(.timeLimit(.minutes(1)), .sharing { $0.stores.files = DocumentStore(folder: "/") })
struct UnfinishedFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private var file: URL { folder.appending(component: "numbers.json") }
  private var elsewhere: URL { folder.appending(component: "elsewhere.json") }

  @Test func aChangeWaitsForAProgramThatEmptiesTheFileBeforeItWrites() throws {
    try expectWait { try Data().write(to: file) }
  }

  @Test func aChangeWaitsForAnEditorThatMovesTheFileAwayBeforeItWrites() throws {
    try expectWait { try FileManager.default.moveItem(at: file, to: elsewhere) }
  }

  @Test func aFileThatStaysEmptyCountsAsSuch() throws {
    defer { cleanUp() }
    try start()
    @Shared(.fileStorage(file)) var numbers: [Int] = []
    try Data().write(to: file)
    $numbers.withLock { $0.append(2) }
    #expect(numbers == [2])
    #expect(try Data(contentsOf: file) == Data("[2]".utf8))
  }

  // MARK: Helpers

  /// Expects that a change which begins while the file has no contents is made to the contents that
  /// another thread writes afterwards.
  private func expectWait(_ empty: () throws -> Void) throws {
    defer { cleanUp() }
    var writesInTime = 0
    for _ in 0..<20 where writesInTime < 3 {
      try start()
      @Shared(.fileStorage(file)) var numbers: [Int] = []
      #expect(numbers == [1])
      try empty()
      let start = ContinuousClock.now
      let writer = Writer(of: Data("[2]".utf8), to: file)
      $numbers.withLock { $0.append(9) }
      // On a busy machine the other thread may be late.
      guard writer.awaitEnd() - start < .milliseconds(250) else { continue }
      writesInTime += 1
      #expect(numbers == [2, 9])
      #expect(try Data(contentsOf: file) == Data("[2,9]".utf8))
    }
    #expect(writesInTime == 3)
  }

  private func start() throws {
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("[1]".utf8).write(to: file)
  }

  private func cleanUp() {
    try? FileManager.default.removeItem(at: folder)
  }
}

/// A thread that writes a file, as another program might.
private final class Writer: @unchecked Sendable {
  private let ended = DispatchSemaphore(value: 0)
  private var end = ContinuousClock.now

  init(of data: Data, to file: URL) {
    Thread.detachNewThread {
      try? data.write(to: file)
      self.end = .now
      self.ended.signal()
    }
  }

  /// Returns the time at which the file was written.
  func awaitEnd() -> ContinuousClock.Instant {
    ended.wait()
    return end
  }
}
