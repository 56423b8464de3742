import SharingCore
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
