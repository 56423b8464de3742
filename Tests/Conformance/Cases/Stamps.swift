import SharingCore
import SharingTestDoubles
import WasiStorage

extension Case {
  /// A store with stamps, which detect without a read that nothing has changed, as in a page.
  static let stamps: [Case] = [
    Case("R13", "what has not changed since is not read again") { trial in
      trial.store.hasStamps = true
      trial.store["count"] = "5"
      @Shared(.localStorage("count")) var count = 0
      trial.expect(trial.store.readCount, equals: 1)
      for _ in 1...10 { $count.withLock { $0 += 1 } }
      trial.expect(trial.store["count"], equals: "15")
      trial.expect(trial.store.readCount, equals: 1)
    },
    Case("R13", "nor is what has come and gone between two mutations of another value") { trial in
      trial.store.hasStamps = true
      @Shared(.localStorage("count")) var count = 0
      @Shared(.localStorage("other")) var other = 0
      $count.withLock { $0 = 1 }
      trial.store["other"] = "7"
      let reads = trial.store.readCount
      $count.withLock { $0 += 1 }
      trial.expect(trial.store.readCount, equals: reads)
      $other.withLock { $0 += 1 }
      trial.expect(trial.store.readCount, equals: reads + 1)
      trial.expect(trial.store["other"], equals: "8")
    },
    Case("R13", "what another program has stored, the same or not, is not missed") { trial in
      trial.store.hasStamps = true
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 1 }
      trial.store["count"] = "10"
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "11")
      trial.store["count"] = "5"
      trial.store["count"] = "11"
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "12")
      trial.store["count"] = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "1")
    },
    Case("R13", "two programs over one store with stamps lose no increment") { trial in
      trial.store.hasStamps = true
      let other = SharingEnvironment()
      other.stores.local = trial.store  // the same store, like two environments in a page
      @Shared(.localStorage("count")) var mine = 0
      let theirs = other.run { Shared(wrappedValue: 0, .localStorage("count")) }
      for _ in 1...100 {
        $mine.withLock { $0 += 1 }
        theirs.withLock { $0 += 1 }
      }
      trial.expect(trial.store["count"], equals: "200")
    },
    Case("R13", "what is stored in the very moment of a write is not taken for what was written") {
      trial in
      trial.store.hasStamps = true
      @Shared(.localStorage("count")) var count = 0
      trial.store.onWrite = { trial.store["count"] = "50" }
      $count.withLock { $0 += 1 }
      trial.store.onWrite = {}
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "51")
    },
    Case("R13", "a key of one's own is asked before each change, behind a default of its own, too")
    {
      trial in
      let key = LookingKey()
      @Shared(key) var count = 0
      $count.withLock { $0 += 1 }
      trial.expect(key.looks.count, equals: 1)
      @Shared(LookingKey.Default[LookingKey(looks: key.looks), default: 7]) var same
      $same.withLock { $0 += 1 }
      trial.expect(key.looks.count, equals: 2)
      let other = LookingKey()
      @Shared(LookingKey.Default[other, default: 7]) var seven
      $seven.withLock { $0 += 1 }
      trial.expect(other.looks.count, equals: 1)
    },
    Case("R14", "an item hears what is stored through others of its key, and tells what it holds") {
      trial in
      let (mine, theirs) = (item("text", in: trial), item("text", in: trial))
      let heard = Log()
      let subscription = mine.subscribe { heard.append(1) }
      _ = try? theirs.replace(by: Array("one".utf8))
      trial.expect(heard.count, equals: 1)
      _ = try? item("other", in: trial).replace(by: [])
      trial.expect(heard.count, equals: 1)
      trial.expect(trial.hostStore, "text", equals: "one")
      let stamp = (try? mine.replace(by: nil)) ?? -1
      trial.expect(mine.stamp() == stamp, "the stamp is another one than was told")
      let held = try? theirs.read()
      trial.expect(held != nil && held?.bytes == nil, "there is an item still")
      subscription.cancel()
      let count = heard.count
      _ = try? theirs.replace(by: Array("two".utf8))
      trial.expect(heard.count, equals: count)
      trial.expect(stamp == 0 || mine.stamp() != stamp, "another text has the same stamp")
    },
    Case("R21", "a text that is read again is the one that is stored") { trial in
      let (mine, theirs) = (item("text", in: trial), item("text", in: trial))
      for text in ["one", "one two", "🔐🔑", "🔑", "", "é鍵🔑", String(repeating: "鍵", count: 200)] {
        _ = try? theirs.replace(by: Array(text.utf8))
        let read = try? mine.read()
        trial.expect(read?.bytes == Array(text.utf8), "another text is read")
        trial.expect(read?.stamp == mine.stamp(), "another stamp is read")
      }
      _ = try? theirs.replace(by: nil)
      trial.expect((try? mine.read()).map { $0.bytes == nil } ?? false, "there is a text still")
    },
    Case("R13", "a store that records what is written has the stamps of the other one") { trial in
      trial.store.hasStamps = true
      let store = RecordingStore(over: trial.store)
      let item = store.slot(for: KeyName("count"))
      let stamp = (try? item.replace(by: Array("1".utf8))) ?? 0
      trial.expect(stamp > 0 && item.stamp() == stamp, "there is none")
      trial.store["count"] = "2"
      trial.expect(item.stamp() != stamp, "another text has the same stamp")
      trial.expect(store.writes == ["count = 1"], "it is not recorded")
    },
    Case("R15", "damage is found again by its bytes, stamps or not") { trial in
      trial.store.hasStamps = true
      trial.store["count"] = "{"
      trial.store.failure = .quotaExceeded
      @Shared(.localStorage("count")) var count = 1
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "{")
      trial.store.failure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count.corrupt"], equals: "{")
      trial.expect(trial.store["count"], equals: "3")
    },
    Case("R16", "after a failed read or write the store is read again") { trial in
      trial.store.hasStamps = true
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 1 }
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 2 }
      trial.store.failure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "3")
      trial.store["count"] = "8"
      trial.store.readFailure = .denied
      trial.store.notify("count")
      trial.store.readFailure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "9")
    },
    Case("R16", "a read that fails first says nothing of what is stored") { trial in
      trial.store.hasStamps = true
      trial.store["count"] = "8"
      trial.store.readFailure = .denied
      @Shared(.localStorage("count")) var count = 0
      trial.expect(count, equals: 0)
      trial.store.readFailure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "9")
    },
    Case("R19", "a newer version is not overwritten, stamps or not") { trial in
      trial.store.hasStamps = true
      trial.store["count"] = #"{"$version":2,"value":7}"#
      @Shared(.localStorage("count", version: 1)) var count = 0
      $count.withLock { $0 = 1 }
      $count.withLock { $0 = 2 }
      trial.expect(trial.store["count"], equals: #"{"$version":2,"value":7}"#)
      trial.expect($count.saveError != nil, "no error")
    },
  ]
}

private func item(_ name: String, in trial: Trial) -> any StoreSlot {
  trial.hostStore.slot(for: KeyName(name))
}

/// A key that counts requests for news.
private struct LookingKey: EmptyKey {
  var looks = Looks()
  var id: ObjectIdentifier { ObjectIdentifier(looks) }

  func refresh(_ subscriber: SharedSubscriber<Int>) {
    looks.count += 1
  }
}

private final class Looks: @unchecked Sendable {
  var count = 0
}
