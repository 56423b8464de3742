import Foundation
import SharingCommits
import SharingCore
import SharingTesting
import Synchronization
import Testing
import WasiStorage

@Suite struct LocalStorageThreadTests {
  @Test func manyThreadsLoseNoStoredIncrementInMemory() async {
    await expectNoLoss(in: MemoryStore(), threads: 8, increments: 200)
  }

  /// With `swift test --sanitize=thread`, shows that there is no data race.
  @Test func aStoreInMemoryIsListedWhileOtherThreadsWrite() {
    let store = MemoryStore()
    let isOver = runThreads(4) { thread in
      for number in 0..<200 {
        let key = KeyName("\(number % 8)")
        switch (thread + number) % 4 {
        case 0: store.set([48], for: key)
        case 1: store.remove(key)
        case 2: #expect(store.keys().count <= 8)
        default: for key in store.keys() { store.remove(key) }
        }
      }
    }
    #expect(isOver)
  }

  @Test func theNoticeOfTheStoresIsReadWhileAnotherThreadMakesThem() {
    let stores = SharingEnvironment().stores
    let isOver = runThreads(4) { thread in
      if thread == 0 { _ = stores.revisions } else { _ = stores.notice }
    }
    #expect(isOver)
  }

  @Test func manyThreadsLoseNoStoredIncrementInFiles() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    await expectNoLoss(in: FileStore(folder: UTF8Text(folder.path)), threads: 4, increments: 25)
  }

  @Test func wrappersThatComeAndGoOnManyThreadsLoseNothing() async {
    let store = MemoryStore()
    let environment = SharingEnvironment()
    environment.stores.local = store
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...4 {
        group.addTask {
          environment.run {
            for _ in 1...500 {
              @Shared(.localStorage("count")) var count = 0
              _ = count
            }
          }
        }
      }
    }
    #expect(store.bytes(for: KeyName("count")) == nil)
  }

  @Test func whoeverComesFirstSeesTheStoredValue() async {
    let store = MemoryStore()
    store.set(Array("42".utf8), for: KeyName("count"))
    for _ in 1...50 {
      let environment = SharingEnvironment()
      environment.stores.local = store
      let seen = await withTaskGroup(of: Int.self) { group in
        for _ in 1...4 {
          group.addTask {
            environment.run { Shared(wrappedValue: 0, .localStorage("count")).wrappedValue }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(seen == [42, 42, 42, 42])
    }
  }

  @Test func whatAnotherProgramStoresIsNotLostToAChangeWhileItIsRead() {
    let (isReading, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = MemoryStore()
    let isListener = Atomic(true)
    let coding = StorageCoding<Int>(
      encode: { Array("\($0)".utf8) },
      decode: { bytes in
        let number = Int(String(decoding: bytes, as: UTF8.self))!
        // The first reader receives the notification; the second one reads before its change.
        if number == 101, isListener.exchange(false, ordering: .relaxed) {
          isReading.signal()
          goesOn.wait()
        }
        return number
      })
    let environment = SharingEnvironment()
    environment.stores.local = store
    let count = environment.run { Shared(wrappedValue: 0, .localStorage("count", coding: coding)) }
    count.withLock { $0 = 1 }
    let end = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      store.set(Array("101".utf8), for: KeyName("count"))
      end.signal()
    }
    isReading.wait()
    count.withLock { $0 += 1 }
    goesOn.signal()
    end.wait()
    #expect(count.wrappedValue == 102)
    #expect(store.bytes(for: KeyName("count")) == Array("102".utf8))
  }

  @Test func twoProgramsOfOneProcessShowWhatIsStoredInTheEnd() {
    for _ in 1...100 {
      let store = MemoryStore()
      let counts = (0..<2).map { _ in
        let environment = SharingEnvironment()
        environment.stores.local = store
        return environment.run { Shared(wrappedValue: 0, .localStorage("count")) }
      }
      DispatchQueue.concurrentPerform(iterations: 2) { program in
        for number in 0..<100 { counts[program].withLock { $0 = 1000 * program + number } }
      }
      let stored = store.bytes(for: KeyName("count")).map { String(decoding: $0, as: UTF8.self) }
      for count in counts { #expect("\(count.wrappedValue)" == stored) }
    }
  }

  @Test func elementsThatChangeWhileOlderOnesAreWrittenAreWrittenToo() {
    for _ in 1...50 {
      let (store, environment) = (MemoryStore(), SharingEnvironment())
      let clock = ManualClock()
      (environment.stores.local, environment.stores.clock) = (store, clock)
      let rows = environment.run {
        Shared(
          wrappedValue: [Int](repeating: 0, count: 50),
          .localStorage("rows", saving: .debounced(milliseconds: 1)))
      }
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        for number in 1...300 {
          if thread == 0 { rows[number % 50].withLock { $0 = number } } else { clock.callAll() }
        }
      }
      clock.callAll()
      let stored = store.bytes(for: KeyName("rows")) ?? []
      #expect((try? JSON.decode([Int].self, from: stored)) == rows.wrappedValue)
    }
  }

  @Test func aThreadThatLoadsTakesNoIncrementAway() async {
    for _ in 1...20 { await expectNoLoss(in: MemoryStore(), threads: 4, increments: 50, loads: 50) }
  }

  private func expectNoLoss(
    in store: any KeyValueStore, threads: Int, increments: Int, loads: Int = 0
  ) async {
    let environment = SharingEnvironment()
    environment.stores.local = store
    let count = environment.run { Shared(wrappedValue: 0, .localStorage("count")) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...threads {
        group.addTask { for _ in 1...increments { count.withLock { $0 += 1 } } }
      }
      group.addTask { for _ in 0..<loads { count.load() } }
    }
    #expect(count.wrappedValue == threads * increments)
    let bytes = try? store.bytes(for: KeyName("count"))
    #expect(bytes.map { String(decoding: $0, as: UTF8.self) } == "\(threads * increments)")
    #expect(count.saveError == nil)
  }
}
