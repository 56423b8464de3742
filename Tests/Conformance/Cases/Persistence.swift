import SharingCore
import WasiStorage

extension Case {
  static let persistence: [Case] = [
    Case("R11", "a default is not written") { trial in
      @Shared(.localStorage("count")) var count = 1
      trial.expect(count, equals: 1)
      trial.expect(trial.store.writeCount, equals: 0)
      trial.expect(trial.store["count"], equals: nil)
    },
    Case("R11", "a change is written, and read by the next program") { trial in
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 3 }
      trial.inAnotherProgram {
        @Shared(.localStorage("count")) var count = 0
        trial.expect(count, equals: 3)
      }
    },
    Case("R12", "one batch is one write") { trial in
      @Shared(.localStorage("count")) var count = 0
      batch { for _ in 1...5 { $count.withLock { $0 += 1 } } }
      trial.expect(trial.store.writeCount, equals: 1)
      trial.expect(trial.store["count"], equals: "5")
    },
    Case("R12", "what observers change is in the same write") { trial in
      @Shared(.localStorage("count")) var count = 0
      let token = observe { if count == 1 { $count.withLock { $0 = 2 } } }
      $count.withLock { $0 = 1 }
      trial.expect(trial.store.writeCount, equals: 1)
      trial.expect(trial.store["count"], equals: "2")
      token.cancel()
    },
    Case("R12", "the same bytes are not written again") { trial in
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 3 }
      $count.withLock { $0 = 3 }
      $count.save()
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R12", "a save that is asked for tells when it is done") { trial in
      @Shared(.localStorage("count")) var count = 4
      let outcomes = Log()
      $count.save { outcomes.append($0.isSuccess ? 1 : 0) }
      trial.expect(outcomes.numbers, equals: [1])
      trial.expect(trial.store["count"], equals: "4")
    },
    Case("R14", "what is removed elsewhere goes back to the default") { trial in
      trial.store["count"] = "7"
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = nil
      trial.store.notify("count")
      trial.expect(count, equals: 1)
    },
    Case("R14", "a cleared store brings every value back to its default") { trial in
      @Shared(.localStorage("first")) var first = 1
      @Shared(.localStorage("second")) var second = 2
      $first.withLock { $0 = 10 }
      $second.withLock { $0 = 20 }
      trial.store["first"] = nil
      trial.store["second"] = nil
      trial.store.notify(nil)
      trial.expect(first, equals: 1)
      trial.expect(second, equals: 2)
      trial.expect(trial.store["first"], equals: nil)
    },
    Case("R14", "what is set elsewhere is taken over and observed, and not written back") { trial in
      @Shared(.localStorage("count")) var count = 1
      let seen = Log()
      let token = observe { seen.append(count) }
      trial.store["count"] = "5"
      trial.store.notify("count")
      trial.expect(seen.numbers, equals: [1, 5])
      trial.expect(trial.store.writeCount, equals: 0)
      token.cancel()
    },
    Case("R14", "an event of another key, and one with the same bytes, wake nobody") { trial in
      trial.store["count"] = "5"
      @Shared(.localStorage("count")) var count = 1
      let seen = Log()
      let token = observe { seen.append(count) }
      trial.store["other"] = "1"
      trial.store.notify("other")
      trial.store.notify("count")
      trial.expect(seen.numbers, equals: [5])
      token.cancel()
    },
    Case("R14", "load asks the store again") { trial in
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = "6"
      $count.load()
      trial.expect(count, equals: 6)
    },
    Case("R14", "what this program writes does not come back as news") { trial in
      @SharedReader(.localStorage("count")) var reader = 0
      @Shared(.localStorage("count")) var count = 0
      let seen = Log()
      let token = observe { seen.append(count) }
      $count.withLock { $0 = 1 }
      trial.store.notify("count")
      $count.withLock { $0 = 2 }
      trial.expect(seen.numbers, equals: [0, 1, 2])
      token.cancel()
    },
    Case("R11", "a value that arrives late does not undo a mutation") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var count = 0
      trial.expect($count.isLoading, equals: true)
      $count.withLock { $0 = 7 }
      feed.finish(with: 3)
      trial.expect(count, equals: 7)
      trial.expect(feed.saved, equals: [7])
      trial.expect($count.isLoading, equals: true)  // the stored value is loaded again
      feed.finish(with: 7)
      trial.expect($count.isLoading, equals: false)
    },
    Case("R11", "nor does one that was asked for while a mutation was not saved yet") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var count = 0
      feed.finish(with: 1)
      batch {
        $count.withLock { $0 = 7 }
        $count.load()
      }
      feed.finish(with: 3)
      trial.expect(count, equals: 7)
      trial.expect(feed.saved, equals: [7])
    },
    Case("R13", "news from outside does not replace a change that has still to be saved") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var count = 0
      feed.finish(with: 1)
      feed.subscriber?.yield(2)
      trial.expect(count, equals: 2)
      batch {
        $count.withLock { $0 += 10 }
        feed.subscriber?.yield(50)
      }
      trial.expect(count, equals: 12)
      trial.expect(feed.saved, equals: [12])
    },
    Case("R12", "a key that changes its value in every save is reported") { trial in
      let feed = Feed()
      @Shared(FeedKey(feed: feed)) var count = 0
      feed.onSave = { [$count] in $count.withLock { $0 += 1 } }
      $count.withLock { $0 = 1 }
      feed.onSave = {}
      trial.expect(trial.issues.count, equals: 1)
      feed.finish(with: 0)
    },
    Case("R11", "load with another key shows the old value until the new one is there") { trial in
      trial.store["second"] = "2"
      @Shared(.localStorage("first")) var count = 1
      let outcomes = Log()
      $count.load(.localStorage("second")) { outcomes.append($0.isSuccess ? 1 : 0) }
      trial.expect(count, equals: 2)
      trial.expect(outcomes.numbers, equals: [1])
      let feed = Feed()
      $count.load(FeedKey(feed: feed))
      trial.expect(count, equals: 2)
      feed.finish(with: 5)
      trial.expect(count, equals: 5)
    },
    Case("R11", "a required value that is missing is an error, and one that is there is not") {
      trial in
      trial.store["there"] = "4"
      let values = Log()
      Shared<Int>.require(.localStorage("there")) {
        values.append((try? $0.get())?.wrappedValue ?? -1)
      }
      Shared<Int>.require(.localStorage("gone")) {
        values.append((try? $0.get())?.wrappedValue ?? -1)
      }
      SharedReader<Int>.require(.localStorage("there")) {
        values.append((try? $0.get())?.wrappedValue ?? -1)
      }
      trial.expect(values.numbers, equals: [4, -1, 4])
    },
    Case("R7", "a key may follow another shared value, and be dropped by an observer") { trial in
      let base = Shared(value: 2)
      let token = observe {
        @SharedReader(DoubledKey(base: base)) var doubled = 0
        trial.expect(doubled, equals: 2 * base.wrappedValue)
      }
      base.withLock { $0 = 3 }
      token.cancel()
    },
    Case("R17", "nil removes the key") { trial in
      @Shared(.localStorage("name")) var name: String?
      $name.withLock { $0 = "Ada" }
      trial.expect(trial.store["name"], equals: #""Ada""#)
      $name.withLock { $0 = nil }
      trial.expect(trial.store["name"], equals: nil)
    },
  ]
}

extension Result {
  var isSuccess: Bool {
    guard case .success = self else { return false }
    return true
  }
}
