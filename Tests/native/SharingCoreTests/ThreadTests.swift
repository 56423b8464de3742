import Dispatch
import SharingCore
import Testing

@Suite struct ThreadTests {
  @Test func noIncrementIsLost() async {
    let count = Shared(value: 0)
    await inParallel(1000) { for _ in 1...10 { count.withLock { $0 += 1 } } }
    #expect(count.wrappedValue == 10_000)
  }

  @Test func anObserverSeesTheLastOfManyThreadsChanges() async {
    let count = Shared(value: 0)
    let last = Shared(value: 0)
    let token = observe {
      let seen = count.wrappedValue
      last.withLock { $0 = max($0, seen) }
    }
    await inParallel(200) { count.withLock { $0 += 1 } }
    #expect(last.wrappedValue == 200)
    token.cancel()
  }

  @Test func anObserverRunsInTheTurnOfEachThreadThatChangesItsValue() {
    let count = Shared(value: 0)
    let seen = Guarded([Int]())
    let token = observe {
      let value = count.wrappedValue
      seen.withLock { $0.append(value) }
    }
    let (isChanged, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    onThreads(2) { number in
      if number == 0 {
        batch {
          count.withLock { $0 += 1 }
          isChanged.signal()
          mayEnd.wait()
        }
      } else {
        isChanged.wait()
        count.withLock { $0 += 1 }
        #expect(seen.withLock { $0 } == [0, 2])
        mayEnd.signal()
      }
    }
    #expect(seen.withLock { $0 } == [0, 2])
    token.cancel()
  }

  @Test func valuesMayBeNestedInOneOrder() {
    let values = (0..<4).map { Shared(value: $0) }
    let start = values.map(\.wrappedValue)
    let rounds = 3_000
    onThreads(4) { number in
      for round in 0..<rounds {
        let (low, high) = (round % 3, round % 3 + 1)
        values[low].withLock { outer in
          values[high].withLock { inner in
            if number == 0, high < 3 { values[3].withLock { $0 += 1 } }
            inner += 1
          }
          outer += values[high].wrappedValue > 0 ? 1 : 0
        }
      }
    }
    let changes = zip(values, start).map { $0.wrappedValue - $1 }
    #expect(
      changes == [4 * rounds / 3, 8 * rounds / 3, 8 * rounds / 3, 4 * rounds / 3 + 2 * rounds / 3])
  }

  @Test func tokensMayBeDroppedWhileOthersChangeTheValue() async {
    let count = Shared(value: 0)
    await inParallel(200) {
      let token = observe { _ = count.wrappedValue }
      count.withLock { $0 += 1 }
      token.cancel()
    }
    #expect(count.wrappedValue == 200)
  }

  @Test func wrappersOfOneKeyMayBeMadeAndDroppedByManyThreads() async {
    await inParallel(500) {
      @Shared(.inMemory("count")) var count = 0
      $count.withLock { $0 += 1 }
    }
    @Shared(.inMemory("count")) var count = 0
    #expect(count == 500)
  }

  private func inParallel(_ count: Int, _ body: @escaping @Sendable () -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...count { group.addTask { body() } }
    }
  }
}
