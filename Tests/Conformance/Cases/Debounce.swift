import SharingCore
import SharingTestDoubles
import WasiStorage

extension Case {
  static let debounce: [Case] = [
    Case("R12", "a debounced value is written once it has rested, once for all changes") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      for _ in 1...5 { $draft.withLock { $0 += 1 } }
      trial.expect(draft, equals: 5)
      clock.advance(by: 99)
      trial.expect(trial.store.writeCount, equals: 0)
      clock.advance(by: 1)
      trial.expect(trial.store["draft"], equals: "5")
      clock.advance(by: 1000)
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R12", "a debounced list is written with the elements that each turn has changed") {
      trial in
      let clock = ManualClock(in: trial)
      @Shared(.localStorage("list", saving: .debounced(milliseconds: 100))) var list = [1, 2, 3, 4]
      $list.withLock { $0.append(5) }
      clock.advance(by: 100)
      trial.expect(trial.store["list"], equals: "[1,2,3,4,5]")
      $list[0].withLock { $0 = 10 }
      $list[2].withLock { $0 = 30 }
      batch {
        $list[4].withLock { $0 = 50 }
        $list[2].withLock { $0 = 31 }
      }
      clock.advance(by: 100)
      trial.expect(trial.store["list"], equals: "[10,2,31,4,50]")
      $list[1].withLock { $0 = 20 }
      clock.advance(by: 100)
      trial.expect(trial.store["list"], equals: "[10,20,31,4,50]")
    },
    Case("R12", "every change lets a debounced value rest anew") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      for _ in 1...5 {
        $draft.withLock { $0 += 1 }
        clock.advance(by: 99)
      }
      trial.expect(trial.store.writeCount, equals: 0)
      clock.advance(by: 1)
      trial.expect(trial.store["draft"], equals: "5")
    },
    Case("R12", "a value that never rests is written ten times its delay after its first change") {
      trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      for _ in 1...20 {
        $draft.withLock { $0 += 1 }
        trial.expect(trial.store.writeCount, equals: 0)
        clock.advance(by: 50)
      }
      trial.expect(trial.store["draft"], equals: "20")
      trial.expect(trial.store.writeCount, equals: 1)
      for _ in 1...19 {
        $draft.withLock { $0 += 1 }
        clock.advance(by: 50)
      }
      trial.expect(trial.store.writeCount, equals: 1)
      clock.advance(by: 50)
      trial.expect(trial.store["draft"], equals: "39")
      trial.expect(trial.store.writeCount, equals: 2)
      clock.advance(by: 10_000)
      trial.expect(trial.store.writeCount, equals: 2)
    },
    Case("R12", "the longest time that a change waits can be chosen, for every key that is saved") {
      trial in
      let clock = ManualClock(in: trial)
      trial.environment.stores.session = trial.store
      trial.environment.stores.files = trial.store
      let saving = SaveTiming.debounced(milliseconds: 100, atMost: 150)
      @Shared(.localStorage("local", saving: saving)) var local = 0
      @Shared(.appStorage("app", saving: saving)) var app = 0
      @Shared(.sessionStorage("session", saving: saving)) var session = 0
      @Shared(.fileStorage("file", saving: saving)) var file = 0
      for _ in 1...3 {
        for value in [$local, $app, $session, $file] { value.withLock { $0 += 1 } }
        clock.advance(by: 50)
      }
      for name in ["local", "app", "session", "file"] {
        trial.expect(trial.store[name], equals: "3")
      }
      trial.expect(trial.store.writeCount, equals: 4)
    },
    Case("R12", "a limit that is shorter than the rest is the delay") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.localStorage("draft", saving: .debounced(milliseconds: 100, atMost: 0)))
      var draft = 0
      $draft.withLock { $0 = 1 }
      trial.expect(trial.store.writeCount, equals: 0)
      clock.advance(by: 0)
      trial.expect(trial.store["draft"], equals: "1")
      clock.advance(by: 1000)
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R12", "the limit of changes that are written is none of later ones") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 1 }
      $draft.save()
      clock.advance(by: 950)
      $draft.withLock { $0 = 2 }
      clock.advance(by: 99)
      trial.expect(trial.store["draft"], equals: "1")
      clock.advance(by: 1)
      trial.expect(trial.store["draft"], equals: "2")
      $draft.withLock { $0 = 3 }
      $draft.reset()
      clock.advance(by: 950)
      $draft.withLock { $0 = 4 }
      clock.advance(by: 99)
      trial.expect(trial.store["draft"], equals: nil)
    },
    Case("R12", "save writes a debounced value now, and tells so; then nothing is left to write") {
      trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 1 }
      let outcomes = Log()
      $draft.save { outcomes.append($0.isSuccess ? 1 : 0) }
      trial.expect(trial.store["draft"], equals: "1")
      trial.expect(outcomes.numbers, equals: [1])
      clock.advance(by: 1000)
      trial.environment.stores.flush()
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R12", "when the page is hidden, debounced values are written; others are not") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      @Shared(.draft("other")) var other = 0
      pageHidden()
      trial.expect(trial.store.writeCount, equals: 0)
      $draft.withLock { $0 = 1 }
      pageHidden()
      trial.expect(trial.store["draft"], equals: "1")
      trial.expect(trial.store.writeCount, equals: 1)
      $other.withLock { $0 = 2 }
      $draft.withLock { $0 = 2 }
      trial.environment.stores.flush()
      trial.expect(trial.store["other"], equals: "2")
      trial.expect(trial.store["draft"], equals: "2")
      clock.advance(by: 1000)
      trial.expect(trial.store.writeCount, equals: 3)
    },
    Case("R12", "a reset drops what has still to be written") { trial in
      let clock = ManualClock(in: trial)
      trial.store["draft"] = "7"
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 8 }
      $draft.reset()
      trial.expect(trial.store["draft"], equals: nil)
      clock.advance(by: 1000)
      pageHidden()
      trial.expect(trial.store["draft"], equals: nil)
      trial.expect(draft, equals: 0)
    },
    Case("R12", "an item that another program removes is not brought back, and it is said") {
      trial in
      let clock = ManualClock(in: trial)
      trial.store["draft"] = "7"
      for isTold in [true, false] {
        @Shared(.draft) var draft = 0
        $draft.withLock { $0 += 1 }
        trial.store["draft"] = nil
        if isTold { trial.store.notify(nil) }
        pageHidden()
        clock.advance(by: 1000)
        trial.expect(trial.store["draft"], equals: nil)
        trial.expect(draft, equals: 0)
        trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
        trial.expect(trial.store["draft.replaced"], equals: nil)
        trial.store["draft"] = "7"
        trial.store.notify("draft")
      }
    },
    Case("R13", "what another program stores before a debounced value wins, and nothing is lost") {
      trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      let seen = Log()
      let token = observe { seen.append(draft) }
      $draft.withLock { $0 = 5 }
      trial.store["draft"] = "9"
      trial.store.notify("draft")
      trial.expect(seen.numbers, equals: [0, 5, 9])
      trial.expect(trial.store.replaced("draft"), equals: "5")
      trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
      trial.expect($draft.loadError.map(details), contains: "kept under \"draft.replaced\"")
      trial.expect($draft.saveError == nil, "what is shown is saved")
      trial.expect(trial.issues.count, equals: 0)
      clock.advance(by: 1000)
      trial.expect(trial.store["draft"], equals: "9")
      token.cancel()
    },
    Case("R13", "so it is when a debounced value is written and nobody has told of the other one") {
      trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      trial.store["draft"] = "9"
      clock.advance(by: 100)
      trial.expect(draft, equals: 9)
      trial.expect(trial.store["draft"], equals: "9")
      trial.expect(trial.store.replaced("draft"), equals: "5")
      trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
    },
    Case("R13", "so it is when a change in an open batch stands in the way of looking") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 2 }
      batch {
        $draft.withLock { $0 = 3 }
        trial.store["draft"] = "9"
        clock.advance(by: 100)
        trial.expect(trial.store["draft"], equals: "9")
        trial.expect(draft, equals: 3)
      }
      clock.advance(by: 100)
      trial.expect(draft, equals: 9)
      trial.expect(trial.store["draft"], equals: "9")
      trial.expect(trial.store.replaced("draft"), equals: "3")
      trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
    },
    Case("R13", "so it is when that batch loads the value") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 2 }
      batch {
        $draft.withLock { $0 = 3 }
        trial.store["draft"] = "9"
        $draft.load()
        trial.expect(draft, equals: 3)
      }
      clock.advance(by: 100)
      trial.expect(draft, equals: 9)
      trial.expect(trial.store["draft"], equals: "9")
      trial.expect(trial.store.replaced("draft"), equals: "3")
      trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
    },
    Case("R13", "the report of a lost change outlives a second value in the same turn") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      trial.store["draft"] = "9"
      batch {
        $draft.withLock { _ in }
        trial.expect(draft, equals: 9)
        trial.store["draft"] = "10"
        trial.store.notify("draft")
      }
      trial.expect(draft, equals: 10)
      trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
      trial.expect(trial.store.replaced("draft"), equals: "5")
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "10")
    },
    Case("R13", "a reset that could not read another program's value does not remove it, and fails")
    {
      trial in
      _ = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      trial.store["draft"] = "9"
      trial.store.failingReads = 1
      let outcomes = Log()
      $draft.reset { outcomes.append($0.isSuccess ? 1 : 0) }
      trial.expect(trial.store["draft"], equals: "9")
      trial.expect(outcomes.numbers, equals: [0])
      trial.expect($draft.saveError.map(details), contains: "is not overwritten")
      $draft.reset()
      trial.expect(trial.store["draft"], equals: nil)
      trial.expect($draft.saveError == nil, "there is still an error")
    },
    Case("R12", "a value that changes again in a batch is written after a pause of the batch") {
      trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 2 }
      batch {
        $draft.withLock { $0 = 3 }
        clock.advance(by: 100)
        trial.expect(trial.store["draft"], equals: nil)
      }
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "3")
      trial.expect($draft.loadError == nil, "there is an error")
    },
    Case("R12", "a value that is saved while an older one is written comes last") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      trial.store.beforeWrite = { [$draft, store = trial.store] in
        store.beforeWrite = {}
        $draft.withLock { $0 += 1 }
        $draft.save()
      }
      $draft.withLock { $0 = 5 }
      clock.advance(by: 100)
      trial.expect(draft, equals: 6)
      trial.expect(trial.store["draft"], equals: "6")
      trial.expect($draft.saveError == nil && $draft.loadError == nil, "there is an error")
    },
    Case("R12", "where nothing waits, a flush does not even look at the store") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      clock.advance(by: 100)
      let reads = trial.store.readCount
      trial.environment.stores.flush()
      clock.callAll()
      trial.expect(trial.store.readCount, equals: reads)
      $draft.load()
      trial.expect(trial.store.readCount, equals: reads + 1)
    },
    Case("R13", "the last 16 replaced changes are kept, each with its time") { trial in
      let clock = ManualClock(in: trial)
      let before = Timestamp.now
      @Shared(.draft) var draft = 0
      for number in 1...18 {
        $draft.withLock { $0 = number }
        trial.store["draft"] = "\(100 + number)"
        clock.advance(by: 100)
        trial.expect(draft, equals: 100 + number)
        trial.expect($draft.loadError.map(reason) == .replaced, "it is not said")
        trial.expect($draft.loadError.map(details), contains: "kept under \"draft.replaced\"")
      }
      @Shared(.replacedValues(of: .draft)) var replaced: [ReplacedValue<Int>] = []
      trial.expect(replaced.map { (try? $0.value) ?? 0 }, equals: Array(3...18))
      let times = replaced.map { $0.time }
      trial.expect(times.allSatisfy { before <= $0 }, "a time is another one")
      trial.expect(Set(replaced.map { $0.id }).count, equals: 16)
    },
    Case("R13", "and a change applies to the other program's value") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      trial.store["draft"] = "9"
      $draft.withLock { $0 += 1 }
      trial.expect(draft, equals: 10)
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "10")
      trial.expect(trial.store.replaced("draft"), equals: "5")
    },
    Case("R13", "two programs that hear of each other lose no debounced change in silence") {
      trial in
      let clock = ManualClock(in: trial)
      let other = SharingEnvironment()
      other.stores.local = trial.store.sibling()
      other.stores.clock = clock
      @Shared(.draft) var mine = 0
      let theirs = other.run { Shared(wrappedValue: 0, .draft) }
      $mine.withLock { $0 = 1 }
      theirs.withLock { $0 = 2 }
      clock.advance(by: 100)
      let error = theirs.loadError.map(reason)
      trial.expect(trial.store["draft"], equals: "1")
      trial.expect(trial.store.replaced("draft"), equals: "2")
      trial.expect(error == .replaced, "it is not said")
      trial.expect(theirs.wrappedValue, equals: 1)
    },
    Case("R13", "the very same change by another program is no loss") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      trial.store["draft"] = "5"
      trial.store.notify("draft")
      clock.advance(by: 100)
      trial.expect($draft.loadError == nil, "it is an error")
      trial.expect(trial.store["draft.replaced"], equals: nil)
      trial.expect(trial.store.writeCount, equals: 0)
    },
    Case("R14", "an event of another item leaves a debounced value alone") { trial in
      let clock = ManualClock(in: trial)
      trial.store["draft"] = "7"
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 8 }
      trial.store["other"] = "1"
      trial.store.notify("other")
      trial.store.notify("draft")
      trial.expect(draft, equals: 8)
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "8")
    },
    Case("R12", "load writes a debounced value before it reads") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      $draft.load()
      trial.expect(draft, equals: 5)
      trial.expect(trial.store["draft"], equals: "5")
      clock.advance(by: 100)
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R16", "a debounced write that fails says so, and the next change tries again") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      trial.store.failure = .quotaExceeded
      $draft.withLock { $0 = 1 }
      trial.expect($draft.saveError == nil, "it is said too early")
      clock.advance(by: 100)
      trial.expect($draft.saveError != nil, "no error")
      trial.store.failure = nil
      $draft.withLock { $0 = 2 }
      trial.expect($draft.saveError != nil, "the error goes too early")
      clock.advance(by: 100)
      trial.expect($draft.saveError == nil, "the error stays")
      trial.expect(trial.store["draft"], equals: "2")
    },
    Case("R16", "a read that fails once takes away no debounced change, and no reset") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      trial.store.failingReads = 1
      $draft.withLock { $0 = 1 }
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "1")
      trial.store.failingReads = 1
      $draft.reset()
      trial.expect(trial.store["draft"], equals: nil)
      trial.expect(draft, equals: 0)
    },
    Case("R15", "damage by another program is kept, and so is the debounced value") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 5 }
      trial.store["draft"] = "{"
      trial.store.notify("draft")
      trial.expect(draft, equals: 5)
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "5")
      trial.expect(trial.store["draft.corrupt"], equals: "{")
    },
    Case("R12", "a debounced value is written although its last wrapper is gone") { trial in
      let clock = ManualClock(in: trial)
      func change() {
        @Shared(.draft) var draft = 0
        $draft.withLock { $0 = 5 }
      }
      change()
      trial.expect(trial.store["draft"], equals: nil)
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "5")
    },
    Case("R13", "so it is not over what another program has stored in between") { trial in
      let clock = ManualClock(in: trial)
      do {
        @Shared(.draft) var draft = 0
        $draft.withLock { $0 = 5 }
      }
      trial.store["draft"] = "70"
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "70")
      trial.expect(trial.store.replaced("draft"), equals: "5")
    },
    Case("R1", "who asks for a debounced value that is not written yet finds it") { trial in
      let clock = ManualClock(in: trial)
      do {
        @Shared(.draft) var draft = 0
        $draft.withLock { $0 = 5 }
      }
      @Shared(.draft) var draft = 0
      trial.expect(draft, equals: 5)
      clock.advance(by: 50)
      $draft.withLock { $0 += 1 }
      clock.advance(by: 50)
      trial.expect(draft, equals: 6)
      clock.advance(by: 50)
      trial.expect(trial.store["draft"], equals: "6")
      trial.expect($draft.loadError == nil, "there is an error")
    },
    Case("R14", "a removal that another program has made first is no loss") { trial in
      let clock = ManualClock(in: trial)
      trial.store["note"] = "5"
      @Shared(.localStorage("note", saving: .debounced(milliseconds: 100))) var note: Int?
      $note.withLock { $0 = nil }
      trial.store["note"] = nil
      clock.advance(by: 100)
      trial.expect(note == nil, "it is back")
      trial.expect($note.loadError == nil, "a loss is told")
    },
    Case("R12", "a value that rests for longer than a clock can count is written by a flush") {
      trial in
      let clock = ManualClock(in: trial)
      clock.advance(by: 1)
      @Shared(.localStorage("slow", saving: .debounced(milliseconds: .max))) var slow = 0
      $slow.withLock { $0 = 1 }
      clock.advance(by: .max)
      trial.environment.stores.flush()
      trial.expect(trial.store["slow"], equals: "1")
    },
    Case("R12", "without timers a debounced value is written at the end of the turn") { trial in
      trial.environment.stores.clock = NoClock()
      @Shared(.draft) var draft = 0
      batch { for _ in 1...5 { $draft.withLock { $0 += 1 } } }
      trial.expect(trial.store["draft"], equals: "5")
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R12", "observers may change a debounced value while it is written") { trial in
      let clock = ManualClock(in: trial)
      @Shared(.draft) var draft = 0
      $draft.withLock { $0 = 1 }
      trial.store.failure = .denied
      let token = observe { if $draft.saveError != nil, draft == 1 { $draft.withLock { $0 = 2 } } }
      clock.advance(by: 100)
      trial.store.failure = nil
      clock.advance(by: 100)
      trial.expect(trial.store["draft"], equals: "2")
      token.cancel()
    },
  ]
}

extension SharedReaderKey where Self == LocalStorageKey<Int> {
  fileprivate static var draft: Self { .draft("draft") }

  fileprivate static func draft(_ name: String) -> Self {
    .localStorage(name, saving: .debounced(milliseconds: 100))
  }
}

extension ManualClock {
  /// Sets the clock of a case's environment.
  convenience init(in trial: Trial) {
    self.init()
    trial.environment.stores.clock = self
  }
}

/// The clock of a host without timers.
private final class NoClock: SaveClock {
  func call(after milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Bool { false }
  func callAll() {}
}
