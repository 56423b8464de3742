import Foundation
import SharingCore
import SharingTesting
import SimulatedRevisions
import Testing
import WasiStorage

@Suite struct SaveClockTests {
  @Test func theMachinesTimeWritesADebouncedValue() async {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    let count = environment.run {
      Shared(wrappedValue: 0, .localStorage("count", saving: .debounced(milliseconds: 1)))
    }
    let (writes, continuation) = AsyncStream.makeStream(of: Void.self)
    let subscription = store.subscribe(to: KeyName("count")) { continuation.yield() }
    count.withLock { $0 = 7 }
    for await _ in writes { break }
    #expect(store.bytes(for: KeyName("count")) == Array("7".utf8))
    subscription.cancel()
  }

  @Test func aFlushWritesTheValuesOfItsEnvironmentOnly() {
    let (one, other) = (DebouncingProgram(), DebouncingProgram())
    for program in [one, other] { program.count.withLock { $0 = 7 } }
    one.environment.run { one.environment.stores.flush() }
    #expect(one.store.bytes(for: KeyName("count")) == Array("7".utf8))
    #expect(other.store.bytes(for: KeyName("count")) == nil)
    other.environment.run { other.environment.stores.flush() }
    #expect(other.store.bytes(for: KeyName("count")) == Array("7".utf8))
  }

  @Test func manyThreadsLoseNoDebouncedIncrement() async throws {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    let count = environment.run {
      Shared(wrappedValue: 0, .localStorage("count", saving: .debounced(milliseconds: 1)))
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          for _ in 1...200 {
            count.withLock { $0 += 1 }
            if number == 1 { count.save { _ in } }
          }
        }
      }
    }
    #expect(count.wrappedValue == 800)
    try await count.save()
    #expect(store.bytes(for: KeyName("count")) == Array("800".utf8))
    #expect(count.saveError == nil)
    #expect(count.loadError == nil)
  }

  @Test func aManualClockCallsInTheOrderOfTime() {
    let clock = ManualClock()
    nonisolated(unsafe) var called: [Int] = []
    for delay in [30, 10, 20] { _ = clock.call(after: delay) { called.append(delay) } }
    _ = clock.call(after: 10) { _ = clock.call(after: 5) { called.append(15) } }
    clock.advance(by: 9)
    #expect(called == [])
    clock.advance(by: 11)
    #expect(called == [10, 15, 20])
    clock.advance(by: 10)
    #expect(called == [10, 15, 20, 30])
  }
}

/// An environment with a value in memory that its timer would write in ten minutes.
private struct DebouncingProgram {
  let environment = SharingEnvironment()
  let store = MemoryStore()
  let count: Shared<Int>

  init() {
    environment.stores.local = store
    count = environment.run {
      Shared(wrappedValue: 0, .localStorage("count", saving: .debounced(milliseconds: 600_000)))
    }
  }
}

/// The value is being written by its timer, which has taken the pending action already.
@Suite struct WritingTimerTests {
  @Test func aProgramEndsWhenTheValueIsWritten() async throws {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      let program = SlowProgram(folder)
      program.startWriting()
      // The last action is called first.
      atexit { SlowStore.mayWrite.signal() }
      exit(EXIT_SUCCESS)
    }
    let store = FileStore(folder: UTF8Text(folder))
    #expect(try store.bytes(for: KeyName("count")) == Array("7".utf8))
  }

  @Test func aFlushReturnsWhenTheValueIsWritten() async {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      let program = SlowProgram(folder)
      program.startWriting()
      program.environment.run {
        let stores = SharingEnvironment.current.stores
        // The flush calls it.
        _ = stores.clock.call(after: 600_000) { SlowStore.mayWrite.signal() }
        stores.flush()
      }
      let bytes = try program.files.bytes(for: KeyName("count"))
      exit(bytes == Array("7".utf8) ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  @Test(arguments: [true, false])
  func aProgramMayHoldALockThatAnObserverOfTheWriteNeeds(exits: Bool) async throws {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .success) {
      [folder = folder as String, exits = exits as Bool] in
      let program = SlowProgram(folder)
      let used = NSLock()
      let token = program.observeSaving { used.withLock {} }
      program.startWriting()
      DispatchQueue.global().asyncAfter(deadline: .now() + 20) { _exit(EXIT_FAILURE) }
      used.withLock {
        SlowStore.mayWrite.signal()
        if !exits { program.environment.run { SharingEnvironment.current.stores.flush() } }
        withExtendedLifetime(token) { exit(EXIT_SUCCESS) }
      }
    }
    let store = FileStore(folder: UTF8Text(folder))
    #expect(try store.bytes(for: KeyName("count")) == Array("7".utf8))
  }

  @Test func aProgramEndsWhenTheValuesOfAllEnvironmentsAreWritten() async throws {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      for name in ["one", "two"] {
        let environment = SharingEnvironment()
        environment.stores.local = FileStore(folder: UTF8Text(folder), following: .never)
        environment.run {
          let key = LocalStorageKey<Int>.localStorage(
            name, saving: .debounced(milliseconds: 600_000))
          Shared(wrappedValue: 0, key).withLock { $0 = 7 }
        }
      }
      exit(EXIT_SUCCESS)
    }
    let store = FileStore(folder: UTF8Text(folder))
    for name in ["one", "two"] {
      #expect(try store.bytes(for: KeyName(name)) == Array("7".utf8))
    }
  }

  @Test func anActionOfATimerMayFlush() async {
    await #expect(processExitsWith: .success) {
      let stores = SharingEnvironment.current.stores
      let called = DispatchSemaphore(value: 0)
      _ = stores.clock.call(after: 1) {
        stores.flush()
        called.signal()
      }
      called.wait()
      exit(EXIT_SUCCESS)
    }
  }

  private func temporaryFolder() -> String {
    FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  }
}

/// A program with a debounced value in a ``SlowStore``.
private struct SlowProgram {
  let environment = SharingEnvironment()
  let files: FileStore
  private let count: Shared<Int>

  init(_ folder: String) {
    let files = FileStore(folder: UTF8Text(folder), following: .never)
    self.files = files
    environment.stores.local = SlowStore(files)
    count = environment.run {
      Shared(wrappedValue: 0, .localStorage("count", saving: .debounced(milliseconds: 1)))
    }
  }

  /// Calls a function now, and whenever the value begins or ends to be saved.
  func observeSaving(_ body: @escaping @Sendable () -> Void) -> ObservationToken {
    observe {
      _ = count.isSaving
      body()
    }
  }

  /// Changes the value, and returns when the timer is writing it.
  func startWriting() {
    count.withLock { $0 = 7 }
    SlowStore.isWriting.wait()
  }
}

/// A store of files that writes when it may.
private final class SlowStore: SlotlessStore {
  static let isWriting = DispatchSemaphore(value: 0)
  static let mayWrite = DispatchSemaphore(value: 0)
  private let files: FileStore

  init(_ files: FileStore) { self.files = files }

  func stamp(of key: KeyName) -> Int32 { 0 }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? { try files.bytes(for: key) }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    Self.isWriting.signal()
    Self.mayWrite.wait()
    return try files.slot(for: key).replace(by: bytes)
  }

  func follow(_ key: KeyName, _ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    files.subscribe(to: key, onChange)
  }
}
