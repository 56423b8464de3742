import SharingCore
import WasiStorage

extension Case {
  static let freshness: [Case] = [
    Case("R13", "a mutation applies to what another program has stored meanwhile") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.inAnotherProgram {
        @Shared(.localStorage("count")) var count = 0
        $count.withLock { $0 = 10 }
      }
      $count.withLock { $0 += 1 }
      trial.expect(count, equals: 11)
      trial.expect(trial.store["count"], equals: "11")
    },
    Case("R13", "two programs that hear nothing of each other lose no increment") { trial in
      let other = SharingEnvironment()
      other.stores.local = trial.store.sibling()
      @Shared(.localStorage("count")) var mine = 0
      let theirs = other.run { Shared(wrappedValue: 0, .localStorage("count")) }
      for _ in 1...100 {
        $mine.withLock { $0 += 1 }
        theirs.withLock { $0 += 1 }
      }
      trial.expect(trial.store["count"], equals: "200")
    },
    Case("R13", "two programs that each add to a list keep both") { trial in
      let other = SharingEnvironment()
      other.stores.local = trial.store.sibling()
      @Shared(.localStorage("numbers")) var mine: [Int] = []
      let theirs = other.run { Shared(wrappedValue: [Int](), .localStorage("numbers")) }
      $mine.withLock { $0.append(1) }
      theirs.withLock { $0.append(2) }
      trial.expect(trial.store["numbers"], equals: "[1,2]")
    },
    Case("R13", "nor does save overwrite what another program has stored meanwhile") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 1 }
      trial.store.failure = nil
      trial.store["count"] = "5"
      $count.save()
      trial.expect(trial.store["count"], equals: "5")
      trial.expect(count, equals: 5)
      trial.expect($count.loadError.map(reason) == .replaced, "the lost change is not said")
      trial.store["count"] = "6"
      $count.save()
      trial.expect(trial.store["count"], equals: "6")
      trial.expect(trial.store.replaced("count"), equals: "1")
      trial.expect(trial.store.writeCount, equals: 1)
    },
    Case("R13", "a value that a batch has still to write is not overwritten by the store's") {
      trial in
      @Shared(.localStorage("count")) var count = 0
      batch {
        $count.withLock { $0 = 1 }
        trial.store["count"] = "50"
        $count.withLock { $0 += 1 }
      }
      trial.expect(count, equals: 2)
    },
  ]

  static let damage: [Case] = [
    Case("R15", "text that does not decode shows the default and is kept aside") { trial in
      trial.store["count"] = "12x"
      @Shared(.localStorage("count")) var count = 1
      trial.expect(count, equals: 1)
      trial.expect(trial.store["count.corrupt"], equals: "12x")
      trial.expect(trial.store["count"], equals: "12x")
    },
    Case("R15", "the error names the key and the byte") { trial in
      trial.store["count"] = "12x"
      @Shared(.localStorage("count")) var count = 1
      let error = $count.loadError.map(details)
      trial.expect(error, contains: "\"count\"")
      trial.expect(error, contains: "byte 2")
    },
    Case("R15", "counting on after damage works, and the old text is still kept") { trial in
      trial.store["count"] = "{"
      @Shared(.localStorage("count")) var count = 1
      $count.withLock { $0 += 1 }
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "3")
      trial.expect(trial.store["count.corrupt"], equals: "{")
    },
    Case("R15", "a second damage does not overwrite the first one's copy") { trial in
      trial.store["count"] = "first"
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = "second"
      trial.store.notify("count")
      trial.expect(trial.store["count.corrupt"], equals: "first")
      trial.expect(trial.store.replaced("count"), equals: "second")
    },
    Case("R15", "damage after a copy is kept in the list of replaced values") { trial in
      trial.store["count"] = "0!"
      @Shared(.localStorage("count")) var count = 1
      for number in [1, 2, 1] {
        trial.store["count"] = "\(number)!"
        trial.store.notify("count")
      }
      $count.withLock { $0 += 1 }
      trial.expect($count.saveError == nil, "it is not saved")
      trial.expect(trial.store["count"], equals: "2")
      trial.expect(trial.store["count.corrupt"], equals: "0!")
      trial.expect(trial.store.replaced("count"), equals: "2!, 1!")
    },
    Case("R15", "damage that cannot be copied is not overwritten") { trial in
      trial.store["count"] = "{"
      trial.store.failure = .quotaExceeded
      @Shared(.localStorage("count")) var count = 1
      $count.withLock { $0 = 2 }
      trial.expect(trial.store["count"], equals: "{")
      trial.store.failure = nil
      $count.withLock { $0 = 3 }
      trial.expect(trial.store["count.corrupt"], equals: "{")
      trial.expect(trial.store["count"], equals: "3")
    },
    Case("R15", "a reader that was first does not let damage be overwritten") { trial in
      trial.store["count"] = "{"
      trial.store.failure = .quotaExceeded
      @SharedReader(.localStorage("count")) var reader = 1
      trial.store.failure = nil
      @Shared(.localStorage("count")) var count = 1
      $count.withLock { $0 = 2 }
      trial.expect(trial.store["count.corrupt"], equals: "{")
      trial.expect(trial.store["count"], equals: "2")
    },
    Case("R15", "damage that somebody else has mended is in nobody's way") { trial in
      trial.store["count"] = "{"
      trial.store.failure = .quotaExceeded
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = "8"
      trial.store.notify("count")
      trial.store.failure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "9")
      trial.expect(trial.store["count.corrupt"], equals: nil)
    },
    Case("R15", "the error says where the copy is, and when there is none") { trial in
      trial.store["kept"] = "{"
      @Shared(.localStorage("kept")) var kept = 1
      trial.expect($kept.loadError.map(details), contains: "kept under \"kept.corrupt\"")
      trial.store["full"] = "{"
      trial.store.failure = .quotaExceeded
      @Shared(.localStorage("full")) var full = 1
      trial.expect($full.loadError.map(details), contains: "could not be copied")
    },
    Case("R15", "damage that is found by a change is said, though the change is saved") { trial in
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = "{"
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "2")
      trial.expect($count.loadError.map(details), contains: "kept under \"count.corrupt\"")
      $count.withLock { $0 += 1 }
      trial.expect($count.loadError == nil, "the error stays")
    },
    Case("R15", "saving a good value clears the error") { trial in
      trial.store["count"] = "{"
      @Shared(.localStorage("count")) var count = 1
      $count.withLock { $0 = 2 }
      trial.expect($count.loadError == nil, "the error stays")
    },
    Case("R15", "whole text clears the error") { trial in
      trial.store["count"] = "{"
      @Shared(.localStorage("count")) var count = 1
      trial.store["count"] = "8"
      trial.store.notify("count")
      trial.expect(count, equals: 8)
      trial.expect($count.loadError == nil, "the error stays")
    },
  ]

  static let faults: [Case] = [
    Case("R16", "a write that fails keeps the value and the old bytes, and says so") { trial in
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 1 }
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 2 }
      trial.expect(count, equals: 2)
      trial.expect(trial.store["count"], equals: "1")
      trial.expect($count.saveError != nil, "no error")
    },
    Case("R16", "the next change tries again and clears the error") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .denied
      $count.withLock { $0 = 2 }
      trial.store.failure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "3")
      trial.expect($count.saveError == nil, "the error stays")
    },
    Case("R16", "a change that could not be saved is not replaced in silence") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 2 }
      trial.store["count"] = "9"
      trial.store.notify("count")
      trial.expect(count, equals: 9)
      trial.expect($count.saveError == nil, "what is shown is saved")
      trial.expect($count.loadError.map(details), contains: "Your change is replaced")
    },
    Case("R16", "nor is it lost while the store cannot be read") { trial in
      trial.store["count"] = "8"
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 += 1 }
      trial.store.readFailure = .denied
      trial.store.notify("count")
      trial.store.readFailure = nil
      trial.store.notify("count")
      trial.expect(count, equals: 9)
      trial.store.failure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "10")
    },
    Case("R16", "nor is it when the next change, of the same turn, is saved") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 2 }
      trial.store.failure = nil
      trial.store["count"] = "9"
      batch { $count.withLock { $0 += 1 } }
      trial.expect(count, equals: 10)
      trial.expect(trial.store["count"], equals: "10")
      trial.expect($count.loadError.map(reason) == .replaced, "it is not said")
      $count.withLock { $0 += 1 }
      trial.expect($count.loadError == nil, "the error stays")
    },
    Case("R16", "save tries again too") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .denied
      $count.withLock { $0 = 2 }
      trial.store.failure = nil
      $count.save()
      trial.expect(trial.store["count"], equals: "2")
    },
    Case("R16", "a stored value that could not be read is not overwritten") { trial in
      trial.store["count"] = "41"
      trial.store.readFailure = .denied
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "41")
      trial.expect($count.saveError != nil, "no error")
      trial.store.readFailure = nil
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "42")
      trial.expect($count.loadError.map(reason) == .replaced, "the lost change is not said")
      $count.withLock { $0 += 1 }
      trial.expect($count.loadError == nil, "the error stays")
    },
    Case("R16", "a read that fails once keeps no change from being saved") { trial in
      trial.store["count"] = "41"
      @Shared(.localStorage("count")) var count = 0
      trial.store.failingReads = 1
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "42")
      trial.expect($count.saveError == nil, "it is not saved")
    },
    Case("R14", "nor does it bring back what another program has removed") { trial in
      trial.store["count"] = "41"
      @Shared(.localStorage("count")) var count = 0
      trial.store["count"] = nil
      trial.store.failingReads = 1
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: nil)
      trial.expect($count.saveError != nil, "no error")
      $count.withLock { $0 += 1 }
      trial.expect(trial.store["count"], equals: "1")
      trial.expect($count.loadError.map(reason) == .replaced, "the lost change is not said")
    },
    Case("R16", "a read that fails once leaves no error behind") { trial in
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 1 }
      trial.store.readFailure = .denied
      trial.store.notify("count")
      trial.expect($count.loadError != nil, "no error")
      trial.store.readFailure = nil
      $count.withLock { $0 += 1 }
      trial.expect($count.loadError == nil, "the error stays")
      trial.expect(trial.store["count"], equals: "2")
    },
    Case("R16", "nor does one that fails after another program's value was taken over") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store.failure = .quotaExceeded
      $count.withLock { $0 = 1 }
      trial.store.failure = nil
      trial.store["count"] = "5"
      trial.store.notify("count")
      trial.expect(count, equals: 5)
      trial.store.readFailure = .denied
      trial.store.notify("count")
      trial.expect($count.loadError.map(reason) == .denied, "no error")
      trial.store.readFailure = nil
      trial.store.notify("count")
      trial.expect($count.loadError == nil, "the error stays")
    },
    Case("R14", "what the store holds while something else is written is no news") { trial in
      @Shared(.localStorage("count")) var count = 0
      $count.withLock { $0 = 1 }
      trial.store.beforeWrite = { [store = trial.store] in store.notify("count") }
      $count.withLock { $0 = 2 }
      trial.expect(count, equals: 2)
      trial.expect(trial.store["count"], equals: "2")
      trial.expect($count.saveError == nil && $count.loadError == nil, "there is an error")
    },
    Case("R16", "once a store can be read again, a value that is the same is no error any more") {
      trial in
      trial.store.readFailure = .denied
      @Shared(.localStorage("count")) var count = 0
      for text in [nil, "1"] {
        trial.store.hasStamps = text != nil
        if text != nil { $count.withLock { $0 = 1 } }
        trial.expect(trial.store["count"], equals: text)
        trial.store.readFailure = .denied
        trial.store.notify("count")
        trial.expect($count.loadError.map(reason) == .denied, "no error")
        trial.store.readFailure = nil
        trial.store.notify("count")
        trial.expect($count.loadError == nil, "the error stays")
      }
    },
    Case("R13", "what was read before a change was saved does not undo the change") { trial in
      @Shared(.localStorage("count")) var count = 0
      trial.store["count"] = "3"
      trial.store.onRead = { [$count, store = trial.store] in
        store.onRead = {}
        $count.withLock { $0 += 10 }
        $count.save()  // before the turn ends
      }
      trial.store.notify("count")
      trial.expect(count, equals: 13)
      trial.expect(trial.store["count"], equals: "13")
      trial.store["count"] = "3"
      trial.store.notify("count")
      trial.expect(count, equals: 3)
    },
    Case("R16", "a value that JSON does not have is refused with a message") { trial in
      @Shared(.localStorage("ratio")) var ratio = 0.5
      $ratio.withLock { $0 = .infinity }
      trial.expect($ratio.saveError != nil, "no error")
      trial.expect(trial.store["ratio"], equals: nil)
    },
  ]
}
