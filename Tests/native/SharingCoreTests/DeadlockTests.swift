import Foundation
import SharingCore
import Testing

/// Threads that nest the `withLock` of several values in different orders.
@Suite struct DeadlockTests {
  @Test func twoValuesThatAreNestedInOppositeOrdersStopAndNameBothPlaces() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Shared(value: 0), Shared(value: 0))
      let meeting = Meeting(of: 2)
      onThreadsForAWhile(2) { number in
        let (outer, inner) = number == 0 ? (first, second) : (second, first)
        outer.withLock(
          { outer in
            meeting.wait()
            inner.withLock({ inner in outer = inner }, fileID: "Inner.swift", line: 22)
          }, fileID: "Outer.swift", line: 11)
      }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      words.contains(
        "A withLock at Inner.swift:22, inside that of another value at Outer.swift:11,"))
    #expect(words.contains("the withLock at Outer.swift:11 on another thread"))
    #expect(words.contains("in the same order"))
  }

  @Test func aReadInsideTheWithLockOfAnotherValueIsANesting() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Shared(value: 0), Shared(value: 0))
      let meeting = Meeting(of: 2)
      onThreadsForAWhile(2) { number in
        let (outer, inner) = number == 0 ? (first, second) : (second, first)
        outer.withLock(
          {
            meeting.wait()
            $0 = inner.wrappedValue
          }, fileID: "Outer.swift", line: 11)
      }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("A use of a value inside the withLock of another one at Outer.swift:11"))
    #expect(words.contains("the withLock at Outer.swift:11 on another thread"))
  }

  @Test func aRingOfThreeThreadsStops() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let values = (0..<3).map { Shared(value: $0) }
      let meeting = Meeting(of: 3)
      onThreadsForAWhile(3) { number in
        values[number].withLock(
          { outer in
            meeting.wait()
            values[(number + 1) % 3].withLock { outer += $0 }
          }, fileID: "Outer.swift", line: 11)
      }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("the withLock at Outer.swift:11 on another thread"))
  }

  @Test func partsOfTwoValuesStopAsWell() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (first, second) = (Shared(value: [1, 2]), Shared(value: [3, 4]))
      let meeting = Meeting(of: 2)
      onThreadsForAWhile(2) { number in
        let (outer, inner) = number == 0 ? (first, second) : (second, first)
        outer[0].withLock(
          { element in
            meeting.wait()
            inner[1].withLock { element += $0 }
          }, fileID: "Outer.swift", line: 11)
      }
    }
    let words = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(words.contains("the withLock at Outer.swift:11 on another thread"))
  }

  /// Threads that wait for each other in sequence, never in a cycle.
  @Test func valuesThatAreNestedInOneOrderAreNeverTakenForARing() {
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
}

/// Calls a closure on several threads at once. If they do not end, the process exits with success,
/// so that a test that expects its failure fails.
private func onThreadsForAWhile(
  _ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void
) {
  let end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    onThreads(count, body)
    end.signal()
  }
  _ = end.wait(timeout: .now() + 10)
  exit(EXIT_SUCCESS)
}

/// A barrier: threads wait until all have arrived.
private final class Meeting: Sendable {
  private let count: Int
  private let present = Guarded(0)
  private let isComplete = DispatchSemaphore(value: 0)

  init(of count: Int) {
    self.count = count
  }

  func wait() {
    let isLast = present.withLock {
      $0 += 1
      return $0 == count
    }
    if isLast { for _ in 1..<count { isComplete.signal() } } else { isComplete.wait() }
  }
}
