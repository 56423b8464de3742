import Dispatch
import SharingCore
import Synchronization
import Testing

/// Races between two threads; each test makes many attempts.
@Suite struct RaceTests {
  /// An element that calls a closure when it is released.
  private struct Parting: Identifiable, @unchecked Sendable {
    final class End {
      var body: () -> Void = {}
      deinit { body() }
    }

    let id: Int
    let onEnd = End()
  }

  /// An element that cannot be compared.
  private struct Element: Identifiable {
    let id: Int
  }

  @Test func anObserverThatStartsWhileItsWrapperIsPointedElsewhereFollows() {
    for _ in 1...1000 {
      let count = Shared(value: 1)
      let last = Atomic(0)
      let token = Guarded<ObservationToken?>(nil)
      onThreads(2) { number in
        if number == 0 {
          let made = observe { last.store(count.wrappedValue, ordering: .relaxed) }
          token.withLock { $0 = made }
        } else {
          count.projectedValue = Shared(value: 2)
        }
      }
      #expect(last.load(ordering: .relaxed) == 2)
      count.withLock { $0 = 3 }
      #expect(last.load(ordering: .relaxed) == 3)
      token.withLock { $0?.cancel() }
    }
  }

  @Test func anObserverOfAResultSeesTheLastOfTwoThreadsChanges() {
    for _ in 1...1000 {
      let count = Shared(value: 0)
      let double = count.read { $0 * 2 }
      let last = Atomic(0)
      let token = observe { last.store(double.wrappedValue, ordering: .relaxed) }
      onThreads(2) { _ in for _ in 1...20 { count.withLock { $0 += 1 } } }
      #expect(last.load(ordering: .relaxed) == 80)
      token.cancel()
    }
  }

  @Test func anObserverOfComputedElementsIsNotToldThatNoneHasChanged() {
    let items = Shared(value: [Element(id: 1), Element(id: 2)])
    let (computes, changed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Guarded(true)
    let all = items.read { items in
      let waits = isFirst.withLock { isFirst in
        defer { if items.count == 1 { isFirst = false } }
        return isFirst && items.count == 1
      }
      if waits {
        computes.signal()
        changed.wait()
      }
      return items
    }
    let shown = Guarded([Int]())
    let token = all.observeElements { items, changes in
      if changes == .anything { shown.withLock { $0 = items.map(\.id) } }
    }
    onThreads(2) { number in
      guard number == 1 else { return items.withLock { _ = $0.removeLast() } }
      computes.wait()
      items.withLock { $0 = [Element(id: 9)] }
      changed.signal()
    }
    #expect(shown.withLock { $0 } == [9])
    token.cancel()
  }

  @Test func elementsMayBeRemovedWhileAnotherThreadGoesThroughThem() {
    let items = Shared(value: (0..<50).map { Element(id: $0) })
    onThreads(2) { number in
      for round in 0..<2000 {
        if number == 1 {
          _ = Array(items).count + items.map { $0.id.wrappedValue }.count
        } else if round % 2 == 0 {
          items.remove(id: 7)
        } else {
          items.append(Element(id: 7))
        }
      }
    }
    #expect(items.wrappedValue.count == 50)
  }

  @Test func theFirstElementMayBeRemovedWhileAnotherThreadAsksForIt() {
    let items = Shared(value: [Element(id: 7)])
    let numbers = Shared(value: [7])
    onThreads(2) { number in
      for round in 0..<4000 {
        if number == 1 {
          let ends = [items.first, items.last, items.reader.first, items.reader.last].count
          _ = ends + [numbers.elements.first, numbers.elements.last].count
          _ = numbers.elements.map { $0.wrappedValue }
        } else if round % 2 == 0 {
          items.remove(id: 7)
          numbers.withLock { $0 = [] }
        } else {
          items.append(Element(id: 7))
          numbers.withLock { $0 = [7] }
        }
      }
    }
    #expect(items.first?.id.wrappedValue == 7)
    #expect(numbers.elements.last?.wrappedValue == 7)
  }

  @Test func aFormerElementMayReadItsListAsItGoes() {
    let items = Shared(value: [Parting(id: 1)])
    let held = items[id: 1]!
    let count = Guarded(-1)
    held.wrappedValue.onEnd.body = { count.withLock { $0 = items.wrappedValue.count } }
    items.withLock { $0 = [Parting(id: 1), Parting(id: 2)] }
    _ = held.wrappedValue
    #expect(count.withLock { $0 } == 2)
  }

  @Test func anObserverMayBeEndedByOthersWhileItRuns() {
    let values = (0..<20).map { Shared(value: $0) }
    for _ in 1...1000 {
      let token = Guarded<ObservationToken?>(nil)
      let made = observe { for value in values { _ = value.read { $0 % 2 == 0 }.wrappedValue } }
      token.withLock { $0 = made }
      onThreads(3) { number in
        if number == 0 { values[3].withLock { $0 += 1 } } else { token.withLock { $0 }?.cancel() }
      }
      values[5].withLock { $0 += 1 }
    }
    #expect(values[5].wrappedValue == 1005)
  }

  @Test func anObserverFollowsAWrapperThatTwoThreadsPointElsewhere() {
    for _ in 1...1000 {
      let count = Shared(value: 1)
      let last = Atomic(0)
      let token = observe { last.store(count.wrappedValue, ordering: .relaxed) }
      onThreads(2) { count.projectedValue = Shared(value: 10 + $0) }
      #expect(last.load(ordering: .relaxed) == count.wrappedValue)
      count.withLock { $0 = 3 }
      #expect(last.load(ordering: .relaxed) == 3)
      token.cancel()
    }
  }

  @Test func keysThatAskForEachOtherWhileTwoThreadsLoadThemDoNotWaitForEver() {
    for _ in 1...100 {
      let doors = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
      let values = Guarded([0, 0])
      SharingEnvironment().run {
        let environment = SharingEnvironment.current
        onThreads(2) { number in
          environment.run {
            @SharedReader(MutualKey(id: number, doors: doors)) var value = 0
            values.withLock { $0[number] = value }
          }
        }
      }
      // One uses the other's default, and is then loaded.
      #expect(values.withLock { $0.sorted() } == [1, 2])
    }
  }

  @Test func anObserverMayReadLessWhileAnotherThreadWakesIt() {
    let values = (0..<4).map { Shared(value: $0) }
    let switching = Shared(value: 0)
    let seen = Atomic(0)
    let token = observe {
      var sum = switching.wrappedValue
      if sum % 2 == 0 { for value in values { sum += value.wrappedValue } }
      seen.store(sum, ordering: .relaxed)
    }
    onThreads(6) { number in
      for _ in 1...5000 {
        if number == 0 { values[2].withLock { $0 += 1 } } else { switching.withLock { $0 += 1 } }
      }
    }
    #expect(seen.load(ordering: .relaxed) == 25_000 + 6 + 5000)
    token.cancel()
  }

  @Test func anElementOfAComputedValueMayBeReadByManyThreads() {
    let rows = Shared(value: (0..<4).map { Row(id: $0) })
    let computed = rows.read { $0.map { Row(id: $0.id, title: "\($0.title) of the rows") } }
    let row = computed[id: 3]!
    onThreads(3) { number in
      for _ in 1...2000 {
        if number == 0 { rows[id: 3]?.title.withLock { $0 += "x" } }
        #expect(row.wrappedValue.id == 3)
        _ = computed[id: number]
      }
    }
    #expect(row.wrappedValue.title.utf8.count == "row of the rows".utf8.count + 2000)
  }
}

private struct Line: Identifiable, Sendable {
  var id: Int
  var title = "row"
}

/// A key that requests another one while it loads, after that one's load has begun, too.
private struct MutualKey: SharedReaderKey {
  let id: Int
  let doors: [DispatchSemaphore]

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    doors[id].signal()
    doors[1 - id].wait()
    @SharedReader(MutualKey(id: 1 - id, doors: doors)) var other = 0
    continuation.resume(returning: other + 1)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }
}

private struct Row: Identifiable, Sendable {
  var id: Int
  var title = "row"
}
