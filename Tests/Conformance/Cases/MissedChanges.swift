import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// Changes by other programs that arrive during a turn show after the turn.
let missedChanges: [Case] = [
  Case("R13", "another program's write shows after a turn that has left the same bytes") { trial in
    trial.store["count"] = "1"
    @Shared(.localStorage("count")) var count = 0
    let seen = Log()
    let token = observe { seen.append(count) }
    batch {
      $count.withLock { _ in }
      trial.store["count"] = "2"
      trial.store.notify("count")
      trial.expect(count, equals: 1)
    }
    trial.expect(count, equals: 2)
    trial.expect(seen.numbers, equals: [1, 1, 2])
    trial.expect($count.loadError == nil && $count.saveError == nil, "there is an error")
    trial.expect(trial.store.writeCount, equals: 0)
    token.cancel()
  },
  Case("R13", "so it does after a change that the turn has undone") { trial in
    trial.store["count"] = "1"
    @Shared(.localStorage("count")) var count = 0
    batch {
      $count.withLock { $0 += 1 }
      trial.store["count"] = "2"
      trial.store.notify("count")
      $count.withLock { $0 -= 1 }
    }
    trial.expect(count, equals: 2)
    trial.expect(trial.store["count"], equals: "2")
  },
  Case("R13", "so it does after a closure that has thrown, and in an observer") { trial in
    trial.store["count"] = "1"
    @Shared(.localStorage("count")) var count = 0
    let trigger = Shared(value: 0)
    let token = observe {
      guard trigger.wrappedValue > 0 else { return }
      try? $count.withLock { _ throws(StorageError) in
        throw StorageError(.other, key: nil, "as the case wants it")
      }
      trial.store["count"] = "\(trigger.wrappedValue)"
      trial.store.notify("count")
    }
    for number in [5, 6] {
      trigger.withLock { $0 = number }
      trial.expect(count, equals: number)
    }
    token.cancel()
  },
  Case("R13", "so it does if the turn has loaded the value, or asked for it to be saved") { trial in
    for isLoading in [true, false] {
      trial.store["count"] = "1"
      @Shared(.localStorage("count")) var count = 0
      batch {
        $count.withLock { _ in }
        trial.store["count"] = "2"
        if isLoading { $count.load() } else { trial.store.notify("count") }
        if !isLoading { $count.save() }
      }
      trial.expect(count, equals: 2)
      trial.expect(trial.store["count"], equals: "2")
    }
  },
  Case("R14", "the default shows if another program removes the item in such a turn") { trial in
    trial.store["count"] = "1"
    @Shared(.localStorage("count")) var count = 0
    batch {
      $count.withLock { _ in }
      trial.store["count"] = nil
      trial.store.notify(nil)
    }
    trial.expect(count, equals: 0)
    trial.expect(trial.store["count"], equals: nil)
  },
  Case("R13", "a change during the look at the store does not hide what the store holds") { trial in
    trial.store["count"] = "1"
    @Shared(.localStorage("count")) var count = 0
    trial.store["count"] = "2"
    trial.store.onRead = { [$count, store = trial.store] in
      store.onRead = {}
      // Simulates another thread: the value is the same and saved before the read ends.
      store["count"] = "1"
      $count.withLock { _ in }
      $count.save()
      store["count"] = "2"
    }
    trial.store.notify("count")
    trial.expect(count, equals: 2)
  },
  Case("R13", "a debounced value shows it, and says what of its own is lost") { trial in
    let clock = ManualClock()
    trial.environment.stores.clock = clock
    for isChanged in [false, true] {
      trial.store["draft"] = "1"
      let draft = Shared(
        wrappedValue: 0, .localStorage("draft", saving: .debounced(milliseconds: 100)))
      batch {
        draft.withLock { $0 += isChanged ? 4 : 0 }
        trial.store["draft"] = "2"
        trial.store.notify("draft")
      }
      trial.expect(draft.wrappedValue, equals: 2)
      trial.expect(draft.loadError.map(reason) == (isChanged ? .replaced : nil), "another error")
      trial.expect(trial.store.replaced("draft"), equals: isChanged ? "5" : nil)
      clock.advance(by: 1000)
      trial.expect(trial.store["draft"], equals: "2")
    }
  },
  Case("R30", "a committed value shows it, and nothing is committed") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.count())
    programs.deliverAll()
    one.run { mine.withLock { $0 = 1 } }
    programs.deliverAll()
    other.run { theirs.withLock { $0 = 2 } }
    one.run {
      batch {
        mine.withLock { _ in }
        programs.deliverAll()
        trial.expect(mine.wrappedValue, equals: 1)
      }
    }
    trial.expect(mine.wrappedValue, equals: 2)
    trial.expect(mine.isSaving, equals: false)
    let revision = programs.database.store.stored(KeyName("count")).revision
    trial.expect(Int(revision), equals: 2)
  },
  Case("R12", "a debounced change that changes nothing is not lost, and not kept") { trial in
    let clock = ManualClock()
    trial.environment.stores.clock = clock
    trial.store["draft"] = "1"
    @Shared(.localStorage("draft", saving: .debounced(milliseconds: 100))) var draft = 0
    for number in 2...4 {
      $draft.withLock { $0 += 1 }
      $draft.withLock { $0 -= 1 }
      trial.store["draft"] = "\(number)"
      if number > 2 { trial.store.notify("draft") } else { clock.advance(by: 100) }
      trial.expect(draft, equals: number)
      trial.expect($draft.loadError == nil && $draft.saveError == nil, "there is an error")
    }
    $draft.withLock { _ in }
    trial.store["draft"] = nil
    trial.store.notify("draft")
    trial.expect($draft.loadError == nil, "a loss is said")
    trial.expect(trial.store["draft.replaced"], equals: nil)
  },
]
