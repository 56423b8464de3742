import SharingCore
import SharingTestDoubles
import WasiStorage

/// `load` and `init(require:)` do not hide an unsaved change.
let requiring: [Case] = [
  Case("R15", "to require a value writes what was put off, and shows it") { trial in
    trial.environment.stores.clock = ManualClock()
    trial.store["draft"] = "1"
    var key: LocalStorageKey<Int> {
      .localStorage("draft", saving: .debounced(milliseconds: 100))
    }
    @Shared(key) var draft = 0
    $draft.withLock { $0 = 2 }
    let values = Log()
    Shared<Int>.require(key) { values.append((try? $0.get())?.wrappedValue ?? -1) }
    SharedReader<Int>.require(key) { values.append((try? $0.get())?.wrappedValue ?? -1) }
    trial.expect(values.numbers, equals: [2, 2])
    trial.expect(draft, equals: 2)
    trial.expect(trial.store["draft"], equals: "2")
    trial.expect($draft.loadError == nil && $draft.saveError == nil, "there is an error")
  },
  Case("R15", "a required value that follows no changes can be changed, saved and reset") { trial in
    trial.store["search"] = "5"
    let search = Handed<Int>()
    Shared<Int>.require(.localStorage("search", following: .never)) {
      search.element = try? $0.get()
      search.element?.withLock { $0 += 1 }
    }
    trial.expect(search.element?.wrappedValue ?? 0, equals: 6)
    trial.expect(trial.store["search"], equals: "6")
    search.element?.reset()
    trial.expect(trial.store["search"], equals: nil)
    trial.expect(search.element?.saveError == nil, "there is an error")
  },
  Case("R15", "a value that follows no changes is loaded when the store can be read again") {
    trial in
    trial.store["search"] = "5"
    trial.store.readFailure = .denied
    @Shared(.localStorage("search", following: .never)) var search = 0
    trial.expect($search.loadError.map(reason) == .denied, "it is not said")
    trial.store.readFailure = nil
    $search.withLock { $0 += 1 }
    trial.expect(search, equals: 6)
    trial.expect(trial.store["search"], equals: "6")
    trial.store["search"] = "9"
    $search.withLock { $0 += 1 }
    trial.expect(search, equals: 7)
  },
  Case("R15", "a wrapper that is made while a required value is loaded shows it, too") { trial in
    let store = LateStore(7)
    Shared<Int>.require(LateKey(store: store)) { (try? $0.get())?.withLock { $0 += 1 } }
    @Shared(LateKey(store: store)) var count = 0
    for _ in 1...2 { store.answerLoads() }
    trial.expect(count, equals: 8)
    store.answerSaves()
    trial.expect(store.stored ?? 0, equals: 8)
    trial.expect($count.loadError == nil && $count.saveError == nil, "there is an error")
  },
  Case("R15", "neither load nor to require a value hides a change that could not be saved") {
    trial in
    trial.store["count"] = "1"
    @Shared(.localStorage("count")) var count = 0
    trial.store.failure = .quotaExceeded
    $count.withLock { $0 = 2 }
    let values = Log()
    Shared<Int>.require(.localStorage("count")) {
      values.append((try? $0.get())?.wrappedValue ?? -1)
    }
    trial.store["count"] = "3"
    $count.load()
    trial.expect(values.numbers, equals: [2])
    trial.expect(count, equals: 2)
    trial.expect($count.loadError == nil, "a loss is said")
    trial.expect($count.saveError.map(reason) == .quotaExceeded, "it is said to be saved")
    trial.store["count"] = "1"
    trial.store.failure = nil
    $count.save()
    trial.expect(trial.store["count"], equals: "2")
    trial.expect($count.saveError == nil, "the error stays")
  },
  Case("R15", "nor does load where nothing is stored, and nobody is said to have replaced it") {
    trial in
    @Shared(.localStorage("count")) var count = 0
    trial.store.failure = .quotaExceeded
    $count.withLock { $0 = 2 }
    $count.load()
    trial.expect(count, equals: 2)
    trial.expect($count.loadError == nil, "a loss is said")
    trial.expect($count.saveError.map(reason) == .quotaExceeded, "it is said to be saved")
  },
  Case("R16", "that a change could not be saved and the item was removed is said as it is") {
    trial in
    for text in ["3", nil] {
      trial.store["count"] = "1"
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 2 }
      trial.store.failure = nil
      trial.store["count"] = text
      trial.store.notify("count")
      trial.expect($count.loadError.map(reason) == .replaced, "the loss is not said")
      trial.expect(
        $count.loadError.map(details),
        contains: text == nil ? "has removed the value" : "Your change is replaced")
    }
  },
  Case("R15", "a value that is being saved is there for whoever requires it") { trial in
    let store = LateStore(nil)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.withLock { $0 = 2 }
    let values = Log()
    Shared<Int>.require(LateKey(store: store)) {
      values.append((try? $0.get())?.wrappedValue ?? -1)
    }
    store.answerLoads()
    trial.expect(values.numbers, equals: [2])
    store.answerSaves()
    trial.expect(count, equals: 2)
  },
  Case("R11", "a value in memory can be required where a wrapper has it, and only there") { trial in
    let values = Log()
    let require = {
      Shared<Int>.require(.inMemory("count")) {
        values.append((try? $0.get())?.wrappedValue ?? -1)
      }
    }
    require()
    @Shared(.inMemory("count")) var count = 3
    require()
    $count.withLock { $0 = 4 }
    require()
    trial.expect(values.numbers, equals: [-1, 3, 4])
  },
  Case("R10", "of two loads the later one's answer counts, and both are waited for") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.load()
    $count.load()
    store.answerFirstLoad(2)
    trial.expect($count.isLoading, equals: true)
    trial.expect(count, equals: 2)
    store.answerFirstLoad(3)
    trial.expect($count.isLoading, equals: false)
    trial.expect(count, equals: 3)
  },
  Case("R10", "an older load's answer, or its error, that comes last counts for nothing") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    for older in [nil, 2] {
      $count.load()
      $count.load()
      store.answerLastLoad(3)
      trial.expect(count, equals: 3)
      store.answerFirstLoad(older)
      trial.expect(count, equals: 3)
      trial.expect($count.loadError == nil, "there is an error")
      store.answerLoads()
      trial.expect($count.isLoading, equals: false)
    }
  },
  Case("R13", "a later load does not undo a change that came between two answers") { trial in
    let store = LateStore(1)
    @Shared(LateKey(store: store)) var count = 0
    store.answerLoads()
    $count.load()
    $count.load()
    store.answerFirstLoad(2)
    $count.withLock { $0 = 7 }
    store.answerSaves()
    store.answerFirstLoad(2)
    trial.expect(count, equals: 7)
  },
  Case("R8", "an observer may load another key, or require one, and depends on neither") { trial in
    let text = Shared(value: 1)
    let asked = Log()
    @SharedReader(value: 0) var hits
    @Shared(value: 0) var edited
    let observations = [
      observe { $hits.load(EchoKey(number: text.wrappedValue, asked: asked)) },
      observe { $edited.load(EchoKey(number: 10 * text.wrappedValue, asked: asked)) },
      observe {
        Shared<Int>.require(EchoKey(number: 100 * text.wrappedValue, asked: asked)) { _ in }
      },
    ]
    trial.expect(asked.numbers.sorted(), equals: [1, 10, 100])
    text.withLock { $0 = 2 }
    trial.expect(hits, equals: 2)
    trial.expect(edited, equals: 20)
    trial.expect(asked.numbers.sorted(), equals: [1, 2, 10, 20, 100, 200])
    withExtendedLifetime(observations) {}
  },
  Case("R8", "so it may where the key answers later") { trial in
    let feeds = [Feed(), Feed(), Feed()]
    let index = Shared(value: 0)
    let runs = Log()
    @SharedReader(value: 0) var hits
    let token = observe {
      runs.append(index.wrappedValue)
      $hits.load(FeedKey(feed: feeds[index.wrappedValue]))
    }
    feeds[0].finish(with: 5)
    trial.expect(hits, equals: 5)
    index.withLock { $0 = 1 }
    feeds[1].finish(with: 6)
    feeds[1].subscriber?.yield(7)
    trial.expect(hits, equals: 7)
    trial.expect(runs.numbers, equals: [0, 1])
    token.cancel()
  },
]

/// A key that immediately returns its number.
private struct EchoKey: EmptyKey {
  let number: Int
  let asked: Log

  var id: Int { number }

  func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
    if case .userInitiated = context { asked.append(number) }
    continuation.resume(returning: number)
  }
}
