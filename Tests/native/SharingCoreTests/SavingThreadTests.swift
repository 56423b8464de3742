import Dispatch
import SharingCore
import Testing

/// A change stays visible during its save, regardless of other threads.
@Suite struct SavingThreadTests {
  @Test func whatOthersChangeDuringASaveIsSavedByIt() {
    // More changes than a key may make to its own value in its save.
    let saves = 150
    let (saving, changed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let key = SlowKey(stored: Guarded(0)) { value in
      guard value < saves else { return }
      saving.signal()
      changed.wait()
    }
    let count = Shared(wrappedValue: 0, key)
    onThreads(2) { number in
      guard number == 1 else { return count.withLock { $0 += 1 } }
      for _ in 1..<saves {
        saving.wait()
        count.withLock { $0 += 1 }
        changed.signal()
      }
    }
    #expect(count.wrappedValue == saves)
    #expect(key.stored.withLock { $0 } == saves)
    #expect(count.saveError == nil)
  }

  @Test func aLoadOnAnotherThreadDuringASaveLosesNoChange() {
    let (saving, loaded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let key = SlowKey(stored: Guarded(1)) { _ in
      saving.signal()
      loaded.wait()
    }
    let count = Shared(wrappedValue: 0, key)
    onThreads(2) { number in
      guard number == 1 else { return count.withLock { $0 = 2 } }
      saving.wait()
      count.load()
      loaded.signal()
    }
    #expect(count.wrappedValue == 2)
    #expect(key.stored.withLock { $0 } == 2)
  }

  @Test func whoAsksFirstWhileASaveEndsIsToldThatItHasEnded() {
    for _ in 0..<100_000 {
      let key = LateKey()
      let count = Shared(wrappedValue: 0, key)
      count.withLock { $0 = 1 }
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 { _ = count.isSaving } else { key.save.withLock { $0 }?.resume() }
      }
      #expect(!count.isSaving, "It is being saved for ever.")
    }
  }
}

/// A key whose store answers on demand.
private struct LateKey: SharedKey {
  let save = Guarded<SaveContinuation?>(nil)

  var id: ObjectIdentifier { ObjectIdentifier(save) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resumeReturningInitialValue()
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    save.withLock { $0 = continuation }
  }
}

/// A key with a slow store. It signals the begin of a save.
private struct SlowKey: SharedKey {
  let stored: Guarded<Int>
  let willSave: @Sendable (Int) -> Void

  var id: ObjectIdentifier { ObjectIdentifier(stored) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    continuation.resume(returning: stored.withLock { $0 })
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    willSave(value)
    stored.withLock { $0 = value }
    continuation.resume()
  }
}
