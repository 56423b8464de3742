import Dispatch
import SharingCore
import Testing

/// Keys that use each other's values while they load.
@Suite struct MutualLoadTests {
  @Test func twoKeysThatReadEachOtherWhileTheyLoadAreLoaded() {
    expectsEnd {
      let keys = MutualKeys()
      let first = Shared(wrappedValue: 1, keys.first)
      #expect(first.wrappedValue == 21)  // the second one has read its default
    }
  }

  @Test func soAreTwoKeysThatTwoThreadsLoadInOppositeOrders() {
    for _ in 0..<100 {
      expectsEnd {
        let keys = MutualKeys(meeting: 2)
        let environment = SharingEnvironment()
        onThreads(2) { number in
          environment.run {
            let key = number == 0 ? keys.first : keys.second
            #expect(Shared(wrappedValue: 1, key).wrappedValue > 10)
          }
        }
      }
    }
  }
}

/// Runs a closure on another thread, which must not wait for ever.
private func expectsEnd(_ body: @escaping @Sendable () -> Void) {
  let ended = DispatchSemaphore(value: 0)
  DispatchQueue(label: "other").async {
    SharingEnvironment().run(body)
    ended.signal()
  }
  #expect(ended.wait(timeout: .now() + 10) == .success, "The thread waits.")
}

/// Two keys; each loads 10 more than the value of the other.
private final class MutualKeys: Sendable {
  let meeting: Guarded<Int>

  init(meeting count: Int = 0) {
    meeting = Guarded(count)
  }

  var first: MutualKey { MutualKey(id: 1, other: 2, keys: self) }
  var second: MutualKey { MutualKey(id: 2, other: 1, keys: self) }
}

private struct MutualKey: SharedKey {
  let id: Int
  let other: Int
  let keys: MutualKeys

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    // Both threads are in a load before either reads the other's value.
    keys.meeting.withLock { $0 -= 1 }
    while keys.meeting.withLock({ $0 > 0 }) {}
    let other = Shared(wrappedValue: 1, MutualKey(id: other, other: id, keys: keys))
    continuation.resume(returning: other.wrappedValue + 10)
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
