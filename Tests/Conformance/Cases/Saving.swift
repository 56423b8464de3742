import SharingCore
import WasiStorage

/// A change stays visible during its save. Neither a load nor another thread's change hides it.
let saving: [Case] = [
  Case("R5", "a load during a save that ends later loses no change") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    $count.load()
    store.answerLoads()
    trial.expect(count, equals: 2)
    store.answerSaves()
    trial.expect(store.stored ?? 0, equals: 2)
    trial.expect(count, equals: 2)
  },
  Case("R5", "nor does one that is answered after the save") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    $count.withLock { $0 = 3 }
    $count.load()
    store.answerSaves()
    store.answerLoads()
    trial.expect(count, equals: 3)
    trial.expect(store.stored ?? 0, equals: 3)
  },
  Case("R5", "nor does the first load when the value has been changed before its answer") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    $count.withLock { $0 = 2 }
    store.answerLoads()
    trial.expect(count, equals: 2)
    store.answerSaves()
    trial.expect(store.stored ?? 0, equals: 2)
  },
  Case("R5", "nor does a load that is answered while a save is under way bring another value") {
    trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.load()
    $count.save()
    store.answerFirstLoad(7)
    store.answerSaves()
    trial.expect(store.stored ?? 0, equals: 1)
    trial.expect(count, equals: 1)
  },
  Case("R5", "once everything is saved, a load shows what is stored") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    store.answerSaves()
    $count.withLock { $0 = 3 }
    store.answerSaves()
    store.subscriber?.yield(7)
    trial.expect(count, equals: 7)
    $count.load()
    store.answerLoads()
    trial.expect(count, equals: 3)
  },
  Case("R15", "a load after a save that was refused does not hide the change") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    store.refuseLastSave()
    $count.load()
    store.answerLoads()
    trial.expect(count, equals: 2)
    trial.expect($count.loadError == nil, "a loss is said")
    trial.expect($count.saveError.map(reason) == .denied, "it is said to be saved")
  },
  Case("R16", "an older save that succeeds late does not unsay that the newer one has failed") {
    trial in
    let store = LateStore(0)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 1 }
    $count.withLock { $0 = 2 }
    store.refuseLastSave()
    trial.expect($count.saveError != nil, "no error")
    store.answerSaves()
    trial.expect($count.saveError.map(reason) == .denied, "the error is gone")
  },
  Case("R12", "two keys that change each other's value in their saves are told, and do not go on") {
    trial in
    let feeds = [Feed(), Feed()]
    @Shared(FeedKey(feed: feeds[0])) var first = 0
    @Shared(FeedKey(feed: feeds[1])) var second = 0
    for feed in feeds { feed.finish(with: 0) }
    feeds[0].onSave = { [$first, $second] in $second.withLock { $0 = $first.wrappedValue + 1 } }
    feeds[1].onSave = { [$first, $second] in $first.withLock { $0 = $second.wrappedValue + 1 } }
    $first.withLock { $0 = 1 }
    trial.expect(trial.lastIssue, contains: "100 times in one turn")
    let errors = ($first.saveError == nil ? 0 : 1) + ($second.saveError == nil ? 0 : 1)
    trial.expect(errors, equals: 1)
    for feed in feeds { feed.onSave = {} }
    $first.withLock { $0 = 5 }
    $second.withLock { $0 = 6 }
    trial.expect(feeds[0].saved.last ?? 0, equals: 5)
    trial.expect(feeds[1].saved.last ?? 0, equals: 6)
    trial.expect($first.saveError == nil && $second.saveError == nil, "an error stays")
  },
  Case("R12", "who waits for a save that never settles is answered") { trial in
    let feed = Feed()
    @Shared(FeedKey(feed: feed)) var count = 0
    feed.finish(with: 0)
    let answers = Log()
    feed.onSave = { [$count] in
      $count.withLock { $0 += 1 }
      $count.save { answers.append((try? $0.get()) == nil ? 0 : 1) }
    }
    $count.withLock { $0 = 1 }
    trial.expect(answers.count, equals: feed.saved.count)
    trial.expect(answers.numbers.last ?? 1, equals: 0)
    trial.expect($count.saveError != nil, "what is not saved is not said")
    trial.expect(trial.issues.count, equals: 1)
    feed.onSave = {}
  },
  Case("R12", "after a reset all of a list is encoded again") { trial in
    for element in 0..<3 {
      @Shared(.localStorage("rows")) var rows = [1, 2, 3]
      $rows.withLock { $0 = [7, 8, 9] }
      $rows.reset()
      $rows[element].withLock { $0 = 5 }
      trial.expect(rows[element], equals: 5)
      trial.expect(trial.store["rows"], equals: ["[5,2,3]", "[1,5,3]", "[1,2,5]"][element])
      $rows.reset()
    }
  },
  Case("R13", "what a store stores instead, or is told of while it writes, is not missed") {
    trial in
    @Shared(.localStorage("count")) var count = 0
    let store = trial.store
    store.onWrite = {
      store.onWrite = {}
      store.notify("count")
      store["count"] = "10"
      store.notify("count")
    }
    $count.withLock { $0 = 50 }
    trial.expect(count, equals: 10)
    trial.expect(trial.store["count"], equals: "10")
  },
  Case("R14", "nor what is stored there at once where a store tells nobody of its own change") {
    trial in
    let store = MemoryStore()
    trial.environment.stores.local = store
    @Shared(.localStorage("count")) var count = 0
    let key = KeyName("count")
    let subscription = store.slot(for: key).subscribe {
      if store.bytes(for: key)?.count == 2 { store.set([UInt8(ascii: "7")], for: key) }
    }
    $count.withLock { $0 = 50 }
    trial.expect(count, equals: 7)
    trial.expect(store, "count", equals: "7")
    subscription.cancel()
  },
]
