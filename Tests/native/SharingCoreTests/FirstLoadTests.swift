import Foundation
import SharingCore
import Synchronization
import Testing

/// No thread uses the default while another thread still loads the stored value.
@Suite struct FirstLoadTests {
  @Test func whoeverAsksForAKeyThatIsBeingLoadedWaitsForItsValue() {
    for _ in 1...20 { #expect(valueSeenDuringLoad(asksBefore: false) == 7) }
  }

  @Test func soDoesWhoeverHasAskedForItBeforeThat() {
    for _ in 1...20 { #expect(valueSeenDuringLoad(asksBefore: true) == 7) }
  }

  /// - Parameter asksBefore: Whether the second thread has looked up the key, and found no
  ///   reference, before the first one begins to load it.
  /// - Returns: The value that the second thread reads.
  private func valueSeenDuringLoad(asksBefore: Bool) -> Int {
    let (asks, loads) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let key = SlowKey(id: 1, loads: loads)
    let seen = Atomic(0)
    let environment = SharingEnvironment()
    onThreads(2) { number in
      environment.run {
        if number == 0 {
          if asksBefore { asks.wait() }
          @SharedReader(key) var value = 0
          _ = value
        } else {
          if !asksBefore { loads.wait() }
          let value = Shared(wrappedValue: defaultValue(), key)
          seen.store(value.wrappedValue, ordering: .relaxed)
        }
      }
    }

    @Sendable func defaultValue() -> Int {
      guard asksBefore else { return 0 }
      asks.signal()
      loads.wait()
      return 0
    }
    return seen.load(ordering: .relaxed)
  }
}

/// A key with a slow load.
private struct SlowKey: SharedKey {
  let id: Int
  let loads: DispatchSemaphore

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    loads.signal()
    for _ in 1...1000 { sched_yield() }
    continuation.resume(returning: 7)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}
