import SharingCommits
import SharingCore
import WasiStorage

/// Keys of a program that are built on one key of the library. Each is like another program.
let composedKeys: [Case] = [
  Case("R13", "a change through one of two keys over one item reaches the other") { trial in
    for store in [MemoryStore(), trial.hostStore] as [any KeyValueStore] {
      let (one, two) = twoPassing(item(in: store))
      let seen = Log()
      let token = observe { seen.append(two.wrappedValue) }
      one.withLock { $0 = 5 }
      trial.expect(two.wrappedValue, equals: 5)
      two.withLock { $0 += 1 }
      trial.expect(one.wrappedValue, equals: 6)
      one.withLock { $0 += 1 }
      trial.expect(seen.numbers, equals: [0, 5, 6, 7])
      trial.expect(store, "count", equals: "7")
      token.cancel()
    }
  },
  Case("R13", "so it does for keys that receive the values through closures") { trial in
    let store = MemoryStore()
    let (one, two) = twoDoubled(item(in: store))
    one.withLock { $0 = 10 }
    trial.expect(two.wrappedValue, equals: 10)
    two.withLock { $0 += 2 }
    trial.expect(one.wrappedValue, equals: 12)
    trial.expect(store, "count", equals: "6")
  },
  Case("R13", "a key over an item goes on when another one over the same item ends") { trial in
    let store = MemoryStore()
    let one = Shared(wrappedValue: 0, PassingKey(item(in: store), 1))
    do {
      let two = Shared(wrappedValue: 0, PassingKey(item(in: store), 2))
      two.withLock { $0 = 5 }
    }
    store.set(UTF8Text("8").bytes, for: "count")
    trial.expect(one.wrappedValue, equals: 8)
    let two = Shared(wrappedValue: 0, PassingKey(item(in: store), 2))
    one.withLock { $0 += 1 }
    trial.expect(two.wrappedValue, equals: 9)
  },
  Case("R13", "a change of an item reaches the keys over it, and theirs reach it") { trial in
    let store = MemoryStore()
    let count = Shared(wrappedValue: 0, item(in: store))
    let (one, two) = twoPassing(item(in: store))
    count.withLock { $0 = 5 }
    trial.expect([one.wrappedValue, two.wrappedValue], equals: [5, 5])
    two.withLock { $0 += 1 }
    trial.expect([one.wrappedValue, count.wrappedValue], equals: [6, 6])
  },
  Case("R13", "a change that one of two keys puts off is not lost by the other's") { trial in
    let (store, clock) = (MemoryStore(), ManualClock())
    trial.environment.stores.clock = clock
    let base = StoredKey<Int>(
      KeyName("count"), in: store, coding: .json, saving: .debounced(milliseconds: 10))
    let (one, two) = twoPassing(base)
    one.withLock { $0 = 5 }
    clock.advance(by: 10)
    trial.expect(two.wrappedValue, equals: 5)
    two.withLock { $0 += 1 }
    clock.advance(by: 10)
    trial.expect(one.wrappedValue, equals: 6)
    trial.expect(store, "count", equals: "6")
  },
  Case("R30", "a commit through one of two keys over one value reaches the other") { trial in
    let store = MemoryRevisionStore()
    let (one, two) = twoPassing(.revisions("count", in: store))
    one.withLock { $0 = 5 }
    trial.expect(two.wrappedValue, equals: 5)
    two.withLock { $0 += 1 }
    trial.expect(one.wrappedValue, equals: 6)
    let (four, six) = twoDoubled(.revisions("count", in: store))
    four.withLock { $0 = 20 }
    trial.expect([one.wrappedValue, two.wrappedValue, six.wrappedValue], equals: [10, 10, 20])
  },
  Case("R30", "a commit of a value reaches a key over it, and that key's reaches it") { trial in
    let store = MemoryRevisionStore()
    let count = Shared(wrappedValue: 0, .revisions("count", in: store))
    let one = Shared(wrappedValue: 0, PassingKey(.revisions("count", in: store), 1))
    count.withLock { $0 = 5 }
    trial.expect(one.wrappedValue, equals: 5)
    one.withLock { $0 += 1 }
    trial.expect(count.wrappedValue, equals: 6)
  },
  Case("R27", "a key over a value and another key are one commit") { trial in
    let store = MemoryRevisionStore()
    let one = Shared(wrappedValue: 0, PassingKey(.revisions("count", in: store), 1))
    let other = Shared(wrappedValue: 0, .revisions("other", in: store))
    let commits = Log()
    let subscription = store.watch {
      if case .success(let stored) = $0 { commits.append(stored.count) }
    }
    batch {
      one.withLock { $0 = 1 }
      other.withLock { $0 = 2 }
    }
    trial.expect(commits.numbers, equals: [2])
    subscription.cancel()
  },
]

private func item(in store: any KeyValueStore) -> StoredKey<Int> {
  StoredKey(KeyName("count"), in: store, coding: .json)
}

/// Returns the values of two keys that are built on one.
private func twoPassing(_ base: some SharedKey<Int>) -> (Shared<Int>, Shared<Int>) {
  (Shared(wrappedValue: 0, PassingKey(base, 1)), Shared(wrappedValue: 0, PassingKey(base, 2)))
}

private func twoDoubled(_ base: some SharedKey<Int>) -> (Shared<Int>, Shared<Int>) {
  (Shared(wrappedValue: 0, ScaledKey(base, 3)), Shared(wrappedValue: 0, ScaledKey(base, 4)))
}

/// A key that passes everything on.
private struct PassingKey<Base: SharedKey<Int>>: SharedKey {
  let base: Base
  let id: Int

  init(_ base: Base, _ number: Int) { (self.base, id) = (base, number) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }

  func refresh(_ subscriber: SharedSubscriber<Int>) { base.refresh(subscriber) }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }
}

/// A key for the double of a number, which receives each value through a closure.
private struct ScaledKey<Base: SharedKey<Int>>: SharedKey {
  let base: Base
  let id: Int

  init(_ base: Base, _ number: Int) { (self.base, id) = (base, number) }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    base.load(
      context: .userInitiated,
      continuation: LoadContinuation { continuation.resume(with: $0.map { $0.map { 2 * $0 } }) })
  }

  func subscribe(
    context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
  ) -> SharedSubscription {
    base.subscribe(
      context: .userInitiated,
      subscriber: SharedSubscriber { subscriber.yield(with: $0.map { $0.map { 2 * $0 } }) })
  }

  func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
    base.save(value / 2, context: context, continuation: continuation)
  }
}
