import SharingCommits
import SharingCore
import WasiStorage

/// Nil as a committed value of a key whose default is unknown.
let committedNil: [Case] = [
  Case("R17", "a required value shows the nil of a program whose default is another value") {
    trial in
    let store = MemoryRevisionStore()
    set(5, in: store, trial)
    let mine = required(.revisions("limit", in: store))
    trial.expect(mine?.wrappedValue == 5, "it is not loaded")
    set(nil, in: store, trial)
    trial.expect(mine != nil && mine?.wrappedValue == .some(nil), "it shows the former value")
    mine?.load()
    trial.expect(mine?.wrappedValue == .some(nil), "a load shows the former value")
    set(7, in: store, trial)
    mine?.update { $0 = nil }
    trial.expect(mine?.wrappedValue == .some(nil), "the update has no effect")
    trial.expect(limit(in: store, trial) == nil, "the other program shows its default")
  },
  Case("R17", "a required value is nil where nil is stored") { trial in
    let store = MemoryRevisionStore()
    set(nil, in: store, trial)
    let mine = required(.revisions("limit", in: store))
    trial.expect(mine != nil, "it is said to be missing")
    trial.expect(mine?.wrappedValue == .some(nil), "it is not nil")
  },
  Case("R17", "a wrapper that is pointed at a key shows such a nil") { trial in
    let store = MemoryRevisionStore()
    set(nil, in: store, trial)
    let mine = Shared<Int?>(value: 1)
    mine.load(.revisions("limit", in: store))
    trial.expect(mine.wrappedValue == nil, "it shows the value that it had before")
    set(7, in: store, trial)
    mine.update { $0 = nil }
    trial.expect(mine.wrappedValue == nil, "the update has no effect")
    trial.expect(limit(in: store, trial) == nil, "the other program shows its default")
  },
  Case("R17", "so does a key that is built on another one") { trial in
    let store = MemoryRevisionStore()
    set(nil, in: store, trial)
    let mine = Shared(
      wrappedValue: 4, BuiltKey<RevisionKey<Int?>>(base: .revisions("limit", in: store)))
    trial.expect(mine.wrappedValue == nil, "it shows its default")
    set(7, in: store, trial)
    trial.expect(mine.wrappedValue == 7, "it does not follow")
    set(nil, in: store, trial)
    trial.expect(mine.wrappedValue == nil, "it shows its default again")
    set(7, in: store, trial)
    mine.withLock { $0 = nil }
    trial.expect(limit(in: store, trial) == nil, "the other program shows its default")
  },
  Case("R17", "a key that is built on one and required keeps nil") { trial in
    let store = MemoryRevisionStore()
    set(5, in: store, trial)
    trial.store["limit"] = "5"
    for number in 0...1 {
      let mine =
        number == 0
        ? required(BuiltKey<RevisionKey<Int?>>(base: .revisions("limit", in: store)))
        : required(BuiltKey<LocalStorageKey<Int?>>(base: .localStorage("limit")))
      mine?.withLock { $0 = nil }
      mine?.load()
      trial.expect(mine?.wrappedValue == .some(nil), "\(number) shows the former value")
    }
    trial.expect(limit(in: store, trial) == nil, "the other program shows its default")
    trial.expect(trial.store["limit"], equals: "null")
  },
  Case("R17", "a removed value shows the default of the wrapper that is there") { trial in
    let store = MemoryRevisionStore()
    do {
      let mine = Shared<Int?>(wrappedValue: 3, .revisions("limit", in: store))
      mine.withLock { $0 = 4 }
    }
    let mine = Shared<Int?>(wrappedValue: nil, .revisions("limit", in: store))
    mine.withLock { $0 = nil }
    trial.expect(store.stored("limit").bytes == nil, "nil is the default, and is stored")
    trial.expect(mine.wrappedValue == nil, "it shows another wrapper's default")
  },
]

/// Returns the required value of a key; nil if it is missing.
private func required(_ key: some SharedKey<Int?>) -> Shared<Int?>? {
  let result = Required()
  Shared<Int?>.require(key) { result.value = try? $0.get() }
  return result.value
}

private final class Required: @unchecked Sendable {
  var value: Shared<Int?>?
}

/// Sets the value in another program, whose default is 3.
private func set(_ number: Int?, in store: MemoryRevisionStore, _ trial: Trial) {
  trial.inAnotherProgram {
    Shared<Int?>(wrappedValue: 3, .revisions("limit", in: store)).withLock { $0 = number }
  }
}

/// Returns the value that another program shows, whose default is 3.
private func limit(in store: MemoryRevisionStore, _ trial: Trial) -> Int? {
  var shown: Int?
  trial.inAnotherProgram {
    shown = Shared<Int?>(wrappedValue: 3, .revisions("limit", in: store)).wrappedValue
  }
  return shown
}
