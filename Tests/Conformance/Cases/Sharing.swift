import SharingCommits
import SharingCore
import WasiStorage

extension Case {
  static let sharing: [Case] = [
    Case("R1", "wrappers with equal keys share one value") { trial in
      @Shared(.inMemory("count")) var first = 0
      @Shared(.inMemory("count")) var second = 0
      $first.withLock { $0 = 7 }
      trial.expect(second, equals: 7)
    },
    Case("R1", "wrappers with different keys do not share") { trial in
      @Shared(.inMemory("first")) var first = 0
      @Shared(.inMemory("second")) var second = 0
      $first.withLock { $0 = 7 }
      trial.expect(second, equals: 0)
    },
    Case("R1", "the first default wins") { trial in
      @Shared(.inMemory("count")) var first = 1
      @Shared(.inMemory("count")) var second = 2
      trial.expect(first, equals: 1)
      trial.expect(second, equals: 1)
    },
    Case("R1", "a stored value beats any default") { trial in
      trial.store["count"] = "42"
      @Shared(.localStorage("count")) var count = 1
      trial.expect(count, equals: 42)
    },
    Case("R1", "a value in memory outlives its wrappers") { trial in
      do {
        @Shared(.inMemory("count")) var count = 0
        $count.withLock { $0 = 7 }
      }
      @Shared(.inMemory("count")) var count = 0
      trial.expect(count, equals: 7)
    },
    Case("R1", "one id with two types of value is reported and not shared") { trial in
      @Shared(.inMemory("value")) var number = 1
      @Shared(.inMemory("value")) var text = "a"
      $text.withLock { $0 = "b" }
      trial.expect(number, equals: 1)
      trial.expect(text, equals: "b")
      trial.expect(trial.issues.count, equals: 1)
    },
    Case("R1", "keys of one item with two versions are as those of two programs") { trial in
      @Shared(.localStorage("name")) var name = ""
      @Shared(.localStorage("name", version: 2, migrations: [.same])) var versioned = ""
      $name.withLock { $0 = "Ada" }
      trial.store.notify("name")
      trial.expect(versioned, equals: "Ada")
      $versioned.withLock { $0 = "Bob" }
      let text = #"{"$version":2,"value":"Bob"}"#
      trial.expect(trial.store["name"], equals: text)
      trial.store.notify("name")
      trial.expect(name, equals: "Ada")
      trial.expect($name.loadError.map(reason) == .newerVersion(2), "it is not said")
      $name.withLock { $0 = "Cyd" }
      trial.expect($name.saveError.map(reason) == .newerVersion(2), "it is not said")
      trial.expect(trial.store["name"], equals: text)
      @Shared(.localStorage("name", version: 1)) var same = ""
      @SharedReader(.localStorage("name", coding: .json)) var reader = ""
      trial.expect(same, equals: "Cyd")
      trial.expect(reader, equals: "Cyd")
      @Shared(.localStorage("name", coding: .json(version: 2))) var sameVersion = ""
      trial.expect(sameVersion, equals: "Bob")
    },
    Case("R1", "so it is with committed values") { trial in
      let store = MemoryRevisionStore()
      @Shared(.revisions("name", in: store)) var name = ""
      @Shared(.revisions("name", in: store, coding: .json(version: 2, migrations: [.same])))
      var versioned = ""
      $name.withLock { $0 = "Ada" }
      trial.expect(versioned, equals: "Ada")
      $versioned.withLock { $0 = "Bob" }
      trial.expect(name, equals: "Ada")
      trial.expect($name.loadError.map(reason) == .newerVersion(2), "it is not said")
      $name.withLock { $0 = "Cyd" }
      trial.expect($name.saveError.map(reason) == .newerVersion(2), "it is not said")
      trial.expect(versioned, equals: "Bob")
    },
    Case("R2", "copies and projections share a value without a key") { trial in
      @Shared(value: 1) var count
      let copy = $count
      copy.withLock { $0 += 1 }
      trial.expect(count, equals: 2)
    },
    Case("R2", "a wrapper can be pointed at another key") { trial in
      @Shared(.inMemory("first")) var count = 1
      @Shared(.inMemory("second")) var other = 2
      $count = Shared(wrappedValue: 0, .inMemory("second"))
      trial.expect(count, equals: 2)
      $count.withLock { $0 = 3 }
      trial.expect(other, equals: 3)
    },
    Case("R2", "what was derived before keeps following the old value") { trial in
      @Shared(value: User()) var user
      let age = $user.age
      $user = Shared(value: User())
      $user.age.withLock { $0 = 9 }
      trial.expect(age.wrappedValue, equals: 1)
    },
    Case("R4", "a reader reads what others write, and a constant stays") { trial in
      @Shared(.inMemory("count")) var count = 0
      @SharedReader(.inMemory("count")) var sameKey = 0
      let derived = SharedReader($count)
      let constant = SharedReader.constant(5)
      $count.withLock { $0 = 3 }
      trial.expect(sameKey, equals: 3)
      trial.expect(derived.wrappedValue, equals: 3)
      trial.expect(constant.wrappedValue, equals: 5)
    },
    Case("R4", "pointing a reader elsewhere leaves the wrapper it came from alone") { trial in
      @Shared(value: 1) var count
      let reader = $count.reader
      reader.projectedValue = .constant(5)
      $count.withLock { $0 = 2 }
      trial.expect(reader.wrappedValue, equals: 5)
      trial.expect(count, equals: 2)
    },
    Case("R4", "the reader of a wrapper follows when that is pointed elsewhere") { trial in
      @Shared(value: 1) var count
      let reader = $count.reader
      let former = SharedReader($count)
      $count = Shared(value: 2)
      trial.expect(reader.wrappedValue, equals: 2)
      trial.expect(former.wrappedValue, equals: 1)
    },
    Case("R4", "a key first used by a reader can be written by a later wrapper") { trial in
      @SharedReader(.localStorage("count")) var reader = 0
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 4 }
      trial.expect(reader, equals: 4)
      trial.expect(trial.store["count"], equals: "4")
    },
    Case("R1", "a key with a default of its own shares with the key itself") { trial in
      @Shared(.level) var level
      @Shared(.inMemory("level")) var same = 9
      trial.expect(same, equals: 3)
      $level.withLock { $0 = 4 }
      trial.expect(same, equals: 4)
      @Shared(.level) var other = 8
      trial.expect(other, equals: 4)
    },
    Case("R22", "an observer runs in the environment that it began in") { trial in
      @Shared(value: 0) var trigger
      let inner = SharingEnvironment()
      let seen = Log()
      let token = inner.run {
        @Shared(.inMemory("count")) var count = 7
        return observe {
          @Shared(.inMemory("count")) var count = 0
          seen.append(count + trigger)
        }
      }
      $trigger.withLock { $0 = 1 }
      trial.expect(seen.numbers, equals: [7, 8])
      token.cancel()
    },
    Case("R22", "a derived environment has the same stores, and values of its own") { trial in
      let environment = SharingEnvironment.current
      environment.stores.revisions = MemoryRevisionStore()
      @Shared(.localStorage("count")) var count = 0
      @Shared(.indexedDB("tally")) var tally = 0
      @Shared(.inMemory("draft")) var draft = 0
      $count.withLock { $0 = 1 }
      $tally.update { $0 += 1 }
      $draft.withLock { $0 = 1 }
      environment.derived().run {
        @Shared(.localStorage("count")) var other = 0
        @Shared(.indexedDB("tally")) var otherTally = 0
        @Shared(.inMemory("draft")) var otherDraft = 0
        trial.expect(other == 1 && otherTally == 1, "a store is another one")
        trial.expect(otherDraft == 0, "a value is shared")
        $other.withLock { $0 = 2 }
      }
      trial.expect(trial.store["count"] == "2", "it is not stored")
      $count.load()
      trial.expect(count == 2, "it is not read")
    },
    Case("R22", "environments do not share") { trial in
      @Shared(.inMemory("count")) var count = 0
      SharingEnvironment().run {
        @Shared(.inMemory("count")) var count = 0
        $count.withLock { $0 = 7 }
      }
      trial.expect(count, equals: 0)
    },
  ]
}

extension SharedKey where Self == InMemoryKey<Int>.Default {
  fileprivate static var level: Self { Self[.inMemory("level"), default: 3] }
}

extension StorageMigration {
  /// Version 2 has the same text.
  fileprivate static var same: StorageMigration {
    StorageMigration(from: 1) { (old: String) in old }
  }
}
