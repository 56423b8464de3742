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

  @Test func aGenericKeyThatIsReadFirstIsSavedByALaterWrapper() {
    let saved = Atomic(0)
    @SharedReader(ForwardingKey(base: SavedKey(saved: { saved.store($0, ordering: .relaxed) })))
    var reader = 0
    @Shared(ForwardingKey(base: SavedKey(saved: { saved.store($0, ordering: .relaxed) })))
    var count = 0
    $count.withLock { $0 = 5 }
    #expect(reader == 5)
    #expect(saved.load(ordering: .relaxed) == 5)
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

/// A key that passes saved values on to a closure.
private struct SavedKey: SharedKey {
  let id = "saved"
  let saved: @Sendable (Int) -> Void

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    saved(value)
    continuation.resume()
  }
}

/// A key that saves only where the key that it forwards to does.
private struct ForwardingKey<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  var id: Base.ID { base.id }

  func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }
}

extension ForwardingKey: SharedKey where Base: SharedKey {
  func save(_ value: Base.Value, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }
}
