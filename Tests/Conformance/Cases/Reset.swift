import SharingCommits
import SharingCore
import WasiStorage

extension Case {
  static let reset: [Case] = [
    Case("R17", "a reset removes what is stored and shows the default") { trial in
      trial.store["count"] = "7"
      @Shared(.localStorage("count")) var count = 1
      let seen = Log()
      let token = observe { seen.append(count) }
      let outcomes = Log()
      $count.reset { outcomes.append($0.isSuccess ? 1 : 0) }
      trial.expect(trial.store["count"], equals: nil)
      trial.expect(seen.numbers, equals: [7, 1])
      trial.expect(outcomes.numbers, equals: [1])
      token.cancel()
    },
    Case("R7", "what a reset replaces goes when the value may be read again") { trial in
      let seen = Log()
      let value = Shared(wrappedValue: Parting(), .inMemory("parting"))
      value.withLock { $0 = Parting { seen.append(value.wrappedValue.isLast ? 1 : 0) } }
      value.reset()
      trial.expect(seen.numbers, equals: [1])
    },
    Case("R12", "a reset of what is not stored writes nothing") { trial in
      @Shared(.localStorage("count")) var count = 1
      $count.reset()
      trial.expect(trial.store.writeCount, equals: 0)
    },
    Case("R14", "a reset brings other programs back to their default") { trial in
      trial.store["count"] = "7"
      @Shared(.localStorage("count")) var count = 1
      let other = SharingEnvironment()
      let sibling = trial.store.sibling()
      other.stores.local = sibling
      let theirs = other.run { Shared(wrappedValue: 2, .localStorage("count")) }
      $count.reset()
      sibling.notify("count")
      trial.expect(theirs.wrappedValue, equals: 2)
    },
    Case("R17", "a reset removes what another program has stored meanwhile") { trial in
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = "9"
      $count.reset()
      trial.expect(trial.store["count"], equals: nil)
      trial.expect(count, equals: 1)
    },
    Case("R12", "what is changed after a reset is stored") { trial in
      trial.store["count"] = "7"
      @Shared(.localStorage("count")) var count = 1
      batch {
        $count.reset()
        $count.withLock { $0 += 1 }
      }
      trial.expect(trial.store["count"], equals: "2")
    },
    Case("R12", "what was changed before a reset is not stored") { trial in
      @Shared(.localStorage("count")) var count = 1
      batch {
        $count.withLock { $0 = 5 }
        $count.reset()
      }
      trial.expect(count, equals: 1)
      trial.expect(trial.store["count"], equals: nil)
      $count.save()
      trial.expect(trial.store["count"], equals: nil)
    },
    Case("R15", "a reset of damaged text keeps its copy and clears the error") { trial in
      trial.store["count"] = "{"
      @Shared(.localStorage("count")) var count = 1
      $count.reset()
      trial.expect(trial.store["count"], equals: nil)
      trial.expect(trial.store["count.corrupt"], equals: "{")
      trial.expect($count.loadError == nil, "the error stays")
    },
    Case("R16", "a reset that fails keeps the stored bytes, and the next save tries again") {
      trial in
      trial.store["count"] = "7"
      @Shared(.localStorage("count")) var count = 1
      trial.store.failure = .denied
      $count.reset()
      trial.expect(count, equals: 1)
      trial.expect(trial.store["count"], equals: "7")
      trial.expect($count.saveError != nil, "no error")
      trial.store.failure = nil
      $count.save()
      trial.expect(trial.store["count"], equals: nil)
      trial.expect($count.saveError == nil, "the error stays")
    },
    Case("R1", "a reset of a value in memory shows the default again") { trial in
      @Shared(.inMemory("count")) var count = 1
      $count.withLock { $0 = 5 }
      $count.reset()
      trial.expect(count, equals: 1)
    },
    Case("R3", "a reset of a part does nothing and is reported") { trial in
      @Shared(.localStorage("user")) var user = User()
      $user.name.withLock { $0 = "Ada" }
      $user.name.reset()
      trial.expect(user.name, equals: "Ada")
      trial.expect(trial.issues.count, equals: 1)
    },
    Case("R12", "a key that cannot remove stores the default") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var count = 1
      feed.finish(with: 5)
      $count.reset()
      trial.expect(count, equals: 1)
      trial.expect(feed.saved, equals: [1])
    },
    Case("R17", "a reset through a key that is built on another one removes what is stored") {
      trial in
      @Shared(BuiltKey(base: .localStorage("count"))) var count = 1
      $count.withLock { $0 = 5 }
      trial.expect(trial.store["count"], equals: "5")
      $count.reset()
      trial.expect(trial.store["count"], equals: nil)
      let store = MemoryRevisionStore()
      @Shared(BuiltKey(base: .revisions("tally", in: store))) var tally = 1
      $tally.withLock { $0 = 5 }
      trial.expect(store.stored("tally").bytes == [UInt8(ascii: "5")], "it is not stored")
      $tally.reset()
      trial.expect(store.stored("tally").bytes == nil, "it is still stored")
      trial.expect(tally, equals: 1)
    },
  ]
}

/// A key of a program, made of another key.
struct BuiltKey<Base: SharedKey>: SharedKey {
  let base: Base

  var id: Base.ID { base.id }
  var label: UTF8Text { "built on \(base.label)" }

  func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }

  func save(_ value: Base.Value, context: SaveContext, continuation: SaveContinuation) {
    base.save(value, context: context, continuation: continuation)
  }

  func reset(to initialValue: Base.Value, continuation: SaveContinuation) {
    base.reset(to: initialValue, continuation: continuation)
  }
}

/// Calls a closure when it is released.
private final class Parting: Sendable {
  private let onEnd: (@Sendable () -> Void)?

  /// Whether it has no closure to call.
  var isLast: Bool { onEnd == nil }

  init(_ onEnd: (@Sendable () -> Void)? = nil) {
    self.onEnd = onEnd
  }

  deinit { onEnd?() }
}
