import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// The lists of replaced values: `<key>.replaced`.
let replacedValues: [Case] =
  [
    Case("R33", "losses at the same moment are all kept, with their times") { trial in
      for rebases in [false, true] {
        let before = Timestamp.now
        let programs = Programs(4)
        programs.database.rebases = rebases
        let counts = (0..<4).map { programs[$0].count() }
        programs.deliverAll()
        for index in 0..<4 { programs[index].run { counts[index].withLock { $0 = index + 1 } } }
        programs.deliverAll()
        let last = counts[0].wrappedValue
        let replaced = programs[2].replacedCounts()
        programs.deliverAll()
        let lost = replaced.wrappedValue.map { (try? $0.value) ?? 0 }
        trial.expect(lost.sorted(), equals: (1...4).filter { $0 != last })
        let times = replaced.wrappedValue.map { $0.time }
        trial.expect(times.allSatisfy { before <= $0 && $0 <= .now }, "a time is another one")
        for index in 0..<4 where index + 1 != last {
          let error = counts[index].loadError
          trial.expect(error.map { reason(of: $0) } == .replaced, "\(index) is not told")
          trial.expect(error.map { details(of: $0) }, contains: "count.replaced")
        }
      }
    },
    Case("R33", "of 18 losses the last 16 are kept") { trial in
      let programs = Programs(2)
      let (mine, theirs) = (programs[0].count(), programs[1].count())
      programs.deliverAll()
      for number in 1...18 {
        programs[0].run { mine.withLock { $0 = number } }
        programs[1].run { theirs.withLock { $0 = 100 } }
        programs.deliverAll()
        programs[1].run { theirs.withLock { $0 = 0 } }
        programs.deliverAll()
      }
      let lost = programs[0].replacedCounts()
      programs.deliverAll()
      trial.expect(lost.wrappedValue.map { (try? $0.value) ?? 0 }, equals: Array(3...18))
    },
    Case("R33", "a replaced value is taken back in one turn, and others hear of no loss") { trial in
      let programs = Programs(3)
      let (mine, theirs) = (programs[0].count(), programs[1].count())
      programs.lose(2, 3)
      let (lost, other) = (programs[0].replacedCounts(), programs[1].replacedCounts())
      programs.deliverAll()
      trial.expect(other.wrappedValue == lost.wrappedValue, "they differ")
      trial.expect(lost.wrappedValue.map { (try? $0.value) ?? 0 }, equals: [2])
      programs[1].run { theirs.load() }  // ends the error
      programs.deliverAll()
      programs[0].run {
        batch {
          mine.withLock { $0 = (try? lost.wrappedValue.first?.value) ?? 0 }
          lost.withLock { $0.removeAll() }
        }
      }
      programs.deliverAll()
      trial.expect(theirs.wrappedValue, equals: 2)
      trial.expect(lost.wrappedValue.isEmpty && other.wrappedValue.isEmpty, "it is still there")
      trial.expect(mine.loadError == nil && theirs.loadError == nil, "a loss is told")
    },
    Case("R33", "a value that is taken back during another program's change is no loss") { trial in
      let programs = Programs(3)
      let mine = programs[0].count()
      programs.lose(2, 3)
      let lost = programs[0].replacedCounts()
      programs.deliverAll()
      programs[2].run { programs[2].count().withLock { $0 = 4 } }
      programs[0].run {
        batch {
          mine.withLock { $0 = 2 }
          lost.withLock { $0.removeAll() }
        }
      }
      programs.deliverAll()
      let (shown, kept) = (mine.wrappedValue, lost.wrappedValue.map { (try? $0.value) ?? 0 })
      trial.expect(shown + kept.reduce(0, +), equals: 6)  // one of them is shown, the other kept
      trial.expect(kept.count, equals: 1)
    },
    Case("R33", "a replaced value is dropped while another one is added") { trial in
      for rebases in [false, true] {
        let programs = Programs(3)
        programs.lose(2, 3)
        programs.database.rebases = rebases
        let lost = programs[0].replacedCounts()
        let (mine, theirs) = (programs[1].count(), programs[2].count())
        programs.deliverAll()
        programs[1].run { mine.withLock { $0 = 4 } }
        programs[2].run { theirs.withLock { $0 = 5 } }
        programs[0].run { lost.withLock { $0.removeAll { (try? $0.value) == 2 } } }
        programs.deliverAll()
        trial.expect(lost.wrappedValue.map { (try? $0.value) ?? 0 }, equals: [4])
        programs[0].run { lost.withLock { $0 = [] } }
        programs.deliverAll()
        trial.expect(programs.text("count.replaced")?.description, equals: "[]")
      }
    },
    Case("R33", "a program that does not read a list adds to it, and removes none of it") { trial in
      let lists: [(UTF8Text, kept: UTF8Text)] = [
        (#"{"new":"form"}"#, #"{"new":"form"}"#), ("{oops", "{oops"), ("3", "3"),
        (#"[{"id":"7","text":{}}]"#, #"[{"id":"7","text":{}},"#), ("[1, 2 ]", "[1, 2 ,"),
      ]
      for (list, former) in lists {
        let programs = Programs(3)
        programs.database.set("count.replaced", to: list.bytes)
        programs.lose(2, 3)
        let text = programs.text("count.replaced")
        trial.expect(text, contains: #""text":"2"}]"#)
        let isList = list != former
        trial.expect(text, contains: isList ? former : UTF8Text((try? JSON.encode(former)) ?? []))
        let lost = programs[0].replacedCounts()
        programs.deliverAll()
        trial.expect(lost.wrappedValue.count, equals: isList ? 0 : 2)
        trial.expect((lost.loadError == nil) == !isList, "it is read")
      }
    },
    Case("R33", "a value that a killed program's change replaces joins the list") { trial in
      let programs = Programs(3)
      programs.lose(2, 3)
      let (mine, theirs) = (programs[0].count(), programs[1].count())
      programs.deliverAll()
      programs[0].run { mine.withLock { $0 = 7 } }
      programs.crash(0)
      programs[1].run { theirs.withLock { $0 = 8 } }
      programs.deliver(to: programs[1])
      let next = programs[0].count()
      programs.deliverAll()
      let lost = programs[0].replacedCounts()
      programs.deliverAll()
      trial.expect(next.wrappedValue, equals: 7)
      trial.expect(lost.wrappedValue.map { (try? $0.value) ?? 0 }, equals: [2, 8])
    },
    Case("R33", "a replaced value of an earlier version is migrated") { trial in
      let programs = Programs(2)
      let migration = StorageMigration(from: 1) { (old: Int) in old * 10 }
      programs.database.set(
        "score.replaced", to: UTF8Text(#"[{"id":"1","time":5,"text":"7"}]"#).bytes)
      let lost = programs[0].run {
        Shared(
          wrappedValue: [ReplacedValue<Int>](),
          .replacedValues(
            of: .revisions(
              "score", in: programs[0].store,
              coding: .json(version: 2, migrations: [migration]))))
      }
      programs.deliverAll()
      trial.expect(lost.wrappedValue.map { (try? $0.value) ?? 0 }, equals: [70])
      let time = lost.wrappedValue.first?.time
      trial.expect(time == Timestamp(millisecondsSince1970: 5), "another time")
    },
  ] + replacedStoredValues

private let replacedStoredValues: [Case] = [
  Case("R33", "a replaced value is taken back, and others are dropped") { trial in
    let clock = ManualClock(in: trial)
    @Shared(.draft) var draft = ""
    for text in ["mine", "and mine"] {
      $draft.withLock { $0 = text }
      trial.store["draft"] = #""not \#(text)""#
      clock.advance(by: 100)
    }
    @Shared(.replacedValues(of: .draft)) var replaced: [ReplacedValue<String>] = []
    trial.expect(replaced.map { try? $0.value } == ["mine", "and mine"], "others are kept")
    batch {
      guard let last = replaced.last else { return }
      $draft.withLock { $0 = (try? last.value) ?? "" }
      _ = $replaced.remove(id: last.id)
    }
    clock.advance(by: 100)
    trial.expect(draft, equals: "and mine")
    trial.expect(trial.store["draft"], equals: #""and mine""#)
    trial.expect(trial.store.replaced("draft"), equals: #""mine""#)
    $replaced.withLock { $0 = [] }
    trial.expect(trial.store["draft.replaced"], equals: "[]")
    // A list that is shown follows.
    $draft.withLock { $0 = "third" }
    trial.store["draft"] = #""theirs""#
    clock.advance(by: 100)
    trial.store.notify("draft.replaced")
    trial.expect(replaced.map { try? $0.value } == ["third"], "it is not shown")
  },
  Case("R33", "a text that is no list of replaced values becomes the first of one") { trial in
    let clock = ManualClock(in: trial)
    for former in ["{oops", #"{"$version":9}"#] {
      trial.store["draft.replaced"] = former
      @Shared(.draft) var draft = ""
      $draft.withLock { $0 = former }
      trial.store["draft"] = #""theirs""#
      clock.advance(by: 100)
      @Shared(.replacedValues(of: .draft)) var replaced: [ReplacedValue<String>] = []
      trial.expect(replaced.first.map { UTF8Text($0.bytes) } == UTF8Text(former), "it is lost")
      trial.expect(replaced.map { try? $0.value } == [nil, former], "others are kept")
      trial.store["draft"] = nil
    }
  },
  Case("R33", "a reset that is asked for twice keeps one copy") { trial in
    trial.store["name"] = #"{"other":"release"}"#
    @Shared(.localStorage("name")) var name = ""
    $name.reset()
    trial.store["name"] = #"{"other":"release"}"#
    $name.load()
    $name.reset()
    trial.expect(trial.store["name"], equals: nil)
    trial.expect(trial.store.replaced("name"), equals: #"{"other":"release"}"#)
  },
  Case("R33", "replaced bytes that are not UTF-8 are kept") { trial in
    let clock = ManualClock(in: trial)
    let bytes = StorageCoding<[UInt8]>(
      encode: { (bytes) throws(AnyError) in bytes }, decode: { (bytes) throws(AnyError) in bytes })
    let key = LocalStorageKey<[UInt8]>.localStorage(
      "bytes", coding: bytes, saving: .debounced(milliseconds: 100))
    let shared = Shared(wrappedValue: [], key)
    // No start of a character, a character that is too long, half a pair, an end that is missing.
    let lost: [[UInt8]] = [
      [0x22, 0xff, 0xc0], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0x61, 0xc3],
    ]
    for (number, bytes) in lost.enumerated() {
      shared.withLock { $0 = bytes }
      trial.store["bytes"] = "theirs \(number)"
      clock.advance(by: 100)
    }
    let replaced = Shared(wrappedValue: [], .replacedValues(of: key))
    trial.expect(replaced.wrappedValue.map { $0.bytes } == lost, "others are kept")
    replaced.withLock { $0 += $0 }
    trial.expect(trial.store["bytes.replaced"].map { UTF8Text($0) }, contains: "[34,255,192]")
  },
  Case("R33", "an entry of one of a program's further clients is its own") { trial in
    for (id, isOwn) in [("me.4", true), ("me~1.4", true), ("me1.4", false), ("m.4", false)] {
      let list = Array(#"[{"id":"\#(id)","time":0,"text":"1"}]"#.utf8)
      trial.expect(ReplacedList.hasNew(list, since: [], notOf: "me") != isOwn, id)
    }
  },
]

extension SharedReaderKey where Self == LocalStorageKey<String> {
  fileprivate static var draft: Self {
    .localStorage("draft", saving: .debounced(milliseconds: 100))
  }
}

extension Program {
  fileprivate func replacedCounts() -> Shared<[ReplacedValue<Int>]> {
    run { Shared(wrappedValue: [], .replacedValues(of: .revisions("count", in: store))) }
  }
}

extension Programs {
  /// Two programs set the count at the same moment.
  fileprivate func lose(_ lost: Int, _ winner: Int) {
    let (mine, theirs) = (self[1].count(), self[2].count())
    deliverAll()
    self[1].run { mine.withLock { $0 = lost } }
    self[2].run { theirs.withLock { $0 = winner } }
    deliverAll()
  }
}
