import SharingCore
import SharingTestDoubles
import WasiStorage

extension Case {
  static let trackingOfStores: [Case] = [
    Case("R23", "a stored value is asserted like any other") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.track {
        $count.withLock { $0 += 1 }
        $count.assert { $0 = 1 }
      }
      trial.expect(trial.issues.count, equals: 0)
      trial.expect(trial.store["count"], equals: "1")
    },
    Case("R23", "what the store brings is no change") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.track {
        trial.store["count"] = "5"
        trial.store.notify("count")
        trial.expect(count, equals: 5)
        $count.withLock { $0 += 1 }
        $count.assert { $0 += 1 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "what loading and saving say of themselves is no change") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.track {
        trial.store.failure = .quotaExceeded
        $count.withLock { $0 = 1 }
        trial.expect($count.saveError != nil, "the save has not failed")
        $count.assert { $0 = 1 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "one value's changes are skipped, and the others remain") { trial in
      @Shared(value: 0) var count
      @Shared(value: User()) var user
      trial.track {
        $count.withLock { $0 = 1 }
        $user.name.withLock { $0 = "Ada" }
        $user.age.withLock({ $0 = 36 }, fileID: "Change.swift", line: 12)
        $count.skipChanges()
        $user.name.skipChanges()
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Change.swift:12")
    },
    Case("R23", "all changes until now are skipped") { trial in
      @Shared(value: 0) var count
      @Shared(value: User()) var user
      trial.track {
        $count.withLock { $0 = 1 }
        $user.withLock { $0.age = 36 }
        SharedChangeTracker.current?.reset()
        $count.withLock { $0 = 2 }
        $count.assert { $0 += 1 }
      }
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R23", "skipping where nothing has changed is a failure") { trial in
      @Shared(value: 0) var count
      trial.track { $count.skipChanges(fileID: "Assertion.swift", line: 22) }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Assertion.swift:22")
    },
    Case("R23", "the bytes that a turn has written are asserted") { trial in
      let store = trial.record()
      @Shared(.localStorage("count")) var count = 0
      @Shared(.localStorage("note")) var note: String? = "old"
      trial.track {
        batch {
          $count.withLock { $0 += 1 }
          $note.withLock { $0 = "new" }
          $count.withLock { $0 += 1 }
        }
        $note.withLock { $0 = nil }
        $count.assert { $0 = 2 }
        $note.assert { $0 = nil }
        store.assert("count = 2", #"note = "new""#, "note = null")
      }
      trial.expect(trial.issues.count, equals: 0)
      trial.expect(trial.store["count"], equals: "2")
      trial.expect(trial.store["note"], equals: "null")
    },
    Case("R23", "so they are of each store that was written to") { trial in
      let stores = (0..<2).map { _ in RecordingStore(over: MemoryStore()) }
      let counts = stores.map { Shared(wrappedValue: 0, .appStorage("count", store: $0)) }
      trial.track {
        for count in counts {
          count.withLock { $0 = 1 }
          count.assert { $0 = 1 }
        }
      }
      trial.expect(trial.issues.count, equals: 2)
    },
    Case("R23", "writes that were not asserted are a failure that shows them") { trial in
      let store = trial.record()
      @Shared(.localStorage("count")) var count = 0
      trial.track {
        $count.withLock { $0 += 1 }
        $count.assert { $0 = 1 }
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "were not asserted:\n    count = 1\n")
      trial.expect(store.writes.count, equals: 0)
    },
    Case("R23", "other writes than were asserted are one failure, with both") { trial in
      let store = trial.record()
      @Shared(.localStorage("count")) var count = 0
      trial.track {
        $count.withLock { $0 += 1 }
        $count.withLock { $0 += 1 }
        $count.assert { $0 = 2 }
        store.assert("count = 2", fileID: "Assertion.swift", line: 22)
      }
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Assertion.swift:22: Sharing: The writes differ")
      trial.expect(
        trial.lastIssue,
        contains: "expected:\n    count = 2\n\nactual:\n    count = 1\n    count = 2")
    },
    Case("R23", "that nothing was written is asserted too") { trial in
      let store = trial.record()
      @Shared(.localStorage("count")) var count = 0
      trial.track {
        store.assert()
        trial.store.failure = .quotaExceeded
        $count.withLock { $0 = 1 }
        store.assert()
        $count.assert { $0 = 1 }
        trial.store.failure = nil
        $count.save()
        store.assert("count = 1")
      }
      trial.expect(trial.issues.count, equals: 0)
      trial.expect(trial.store["count"], equals: "1")
    },
    Case("R22", "an environment is set up before its use") { trial in
      SharingEnvironment().run {
        prepareSharing { $0.stores.local = trial.store }
        prepareSharing { $0.onIssue = { _ in } }
        @Shared(.localStorage("count")) var count = 0
        $count.withLock { $0 = 1 }
      }
      trial.expect(trial.store["count"], equals: "1")
      trial.expect(trial.issues.count, equals: 0)
    },
    Case("R22", "an environment that is in use is not set up, and that is reported") { trial in
      @Shared(.localStorage("count")) var count = 0
      prepareSharing(fileID: "Entry.swift", line: 3) { $0.stores.local = MemoryStore() }
      trial.expect(SharingEnvironment.current.stores.local === trial.store, "it was set up")
      trial.expect(trial.issues.count, equals: 1)
      trial.expect(trial.lastIssue, contains: "Entry.swift:3: Sharing: The environment is in use")
    },
    Case("R22", "a store or a clock that is set after a key has used another one is reported") {
      trial in
      let stores = trial.environment.stores
      let setters: [(name: UTF8Text, set: () -> Void)] = [
        ("local", { stores.local = MemoryStore() }),
        ("session", { stores.session = MemoryStore() }),
        ("location", { stores.location = MemoryStore() }),
        ("files", { stores.files = MemoryStore() }),
        ("clock", { stores.clock = ManualClock() }),
      ]
      // Setting is allowed repeatedly, and reading a store does not count as use.
      for _ in 1...2 { for setter in setters { setter.set() } }
      _ = (stores.local, stores.session, stores.location, stores.files, stores.clock)
      for setter in setters { setter.set() }
      @Shared(.inMemory("count")) var memory = 0
      @Shared(.localStorage("count", saving: .debounced(milliseconds: 100))) var local = 0
      trial.expect(trial.issues.count, equals: 0)
      stores.session = MemoryStore()
      trial.expect(trial.issues.count, equals: 0)
      @Shared(.sessionStorage("count")) var session = 0
      @Shared(.locationHash) var hash: UTF8Text = ""
      @Shared(.fileStorage("count")) var file = 0
      for (index, setter) in setters.enumerated() {
        setter.set()
        trial.expect(trial.issues.count, equals: index + 1)
        trial.expect(
          trial.lastIssue, contains: "'stores.\(setter.name)' is set after a key has used")
      }
    },
  ]
}

extension Trial {
  /// Records the writes to the environment's local store.
  fileprivate func record() -> RecordingStore {
    let store = RecordingStore(over: store)
    environment.stores.local = store
    return store
  }
}
