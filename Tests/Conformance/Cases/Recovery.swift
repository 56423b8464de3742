import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// The recovery of changes whose program has ended, or that cannot be repeated.
let recovery: [Case] = [
  Case("R24", "updates of a program that runs are made again, not merged by one that starts") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tally(), other.tally())
    programs.deliverAll()
    one.run { mine.note.update { $0 += "mine" } }
    one.run { mine.count.update { $0 = 2 * $0 + 1 } }
    other.run {
      theirs.withLock {
        $0.note = "theirs "
        $0.count = 3
      }
    }
    programs.deliver(to: other)
    let late = programs.start()
    let shown = late.tally()
    programs.deliver(to: late)
    late.run { shown.name.withLock { $0 = "late" } }
    programs.deliver(to: late)
    programs.deliverAll()
    late.run { late.clock.advance(by: 1000) }
    programs.deliverAll()
    let wanted = Tally(name: "late", note: "theirs mine", count: 7)
    for each in [mine, theirs, shown] {
      trial.expect(each.wrappedValue == wanted, "\(each.note.wrappedValue) is shown")
      trial.expect(each.saveError == nil && !each.isSaving, "it is not saved")
    }
    trial.expect(programs.text("tally.replaced") == nil, "something is replaced")
  },
  Case("R28", "a value whose journal is recovered shows what is stored before the others are") {
    trial in
    let programs = Programs(2)
    let messages = programs.database.messages
    func deliver(_ question: Int = 0) {
      messages.deliver(.question, of: 0, number: question)
      messages.deliver(.answer, of: 0)
    }
    let (mine, theirs) = (programs[0].count("n"), programs[1].count("n"))
    let other = programs[1].count("m")
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    programs[1].run { other.update { $0 += 10 } }
    let (next, nextOther) = (programs[0].count("n"), programs[0].count("m"))
    deliver()
    deliver(1)
    programs[0].run { next.update { $0 += 100 } }
    programs[1].run { theirs.update { $0 += 1000 } }
    programs.recoverAll()
    deliver()
    deliver()
    trial.expect(next.wrappedValue, equals: 1101)
    trial.expect(!next.isSaving, "it is being saved")
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1101)
    trial.expect(nextOther.wrappedValue, equals: 10)
  },
  Case("R28", "updates of a program that does not make them again are merged in the end") { trial in
    for isHidden in [false, true] {
      let programs = Programs(2)
      let (one, other) = (programs[0], programs[1])
      let (mine, theirs) = (one.tally(), other.tally())
      programs.deliverAll()
      one.run { mine.count.update { $0 += 1 } }
      programs.crash(0)
      other.run { theirs.count.update { $0 += 10 } }
      programs.deliverAll()
      let next = programs[0].tally()
      programs.deliverAll()
      programs[0].run { next.count.update { $0 += 100 } }
      programs.deliverAll()
      trial.expect(next.wrappedValue.count, equals: 101)
      if isHidden {
        programs[0].hide()
      } else {
        programs[0].run { programs[0].clock.advance(by: 1000) }
      }
      programs.deliverAll()
      trial.expect(next.wrappedValue.count, equals: 111)
      trial.expect(theirs.wrappedValue.count, equals: 111)
      trial.expect(!next.isSaving, "it is not saved")
    }
  },
  Case("R28", "differences of whole numbers are added beyond 32 bits, too") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].number(Int64(0)), programs[1].number(Int64(0)))
    programs[1].run { theirs.withLock { $0 = 3_000_000_000 } }
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 2_500_000_000 } }
    programs.crash(0)
    programs[1].run { theirs.update { $0 += 10 } }
    let next = programs.recover(Int64(0))
    trial.expect(next.wrappedValue == 5_500_000_010, "another number is shown")
    trial.expect(programs.text("number"), contains: "5500000010")
    trial.expect(programs.text("number.replaced") == nil, "something is replaced")
  },
  Case("R28", "differences of other numbers are not added; the replaced one is kept and reported") {
    trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].number(0.0), programs[1].number(0.0))
    programs[1].run { theirs.withLock { $0 = 1.5 } }
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1.5 } }
    programs.crash(0)
    programs[1].run { theirs.update { $0 += 0.5 } }
    let next = programs.recover(0.0)
    trial.expect(next.wrappedValue == 3, "another number is shown")
    trial.expect(programs.replaced("number"), contains: "2")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
  },
  Case("R28", "a number that was nil is counted from 0 by both programs") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].number(Int?.some(1)), programs[1].number(Int?.some(1)))
    programs[1].run { theirs.withLock { $0 = nil } }
    programs.deliverAll()
    programs[0].run { mine.update { $0 = ($0 ?? 0) + 1 } }
    programs.crash(0)
    programs[1].run { theirs.update { $0 = ($0 ?? 0) + 10 } }
    let next = programs.recover(Int?.some(1))
    trial.expect(next.wrappedValue == 11, "another number is shown")
  },
  Case("R24", "what is set after an update of an element that is gone is made again") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    one.run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    let second = one.run { mine[id: 2]! }
    other.run { _ = theirs.remove(id: 2) }
    programs.deliverAll()
    one.run {
      second.done.update { $0 = true }
      mine.withLock { $0[0].title = "mine" }
    }
    other.run { theirs[id: 1]!.marks.update { $0 += 1 } }
    programs.deliver(to: other)
    programs.deliverAll()
    let wanted = [Task(id: 1, title: "mine", marks: 1)]
    trial.expect(mine.wrappedValue == wanted, "\(mine.wrappedValue[0].title) is shown")
    trial.expect(theirs.wrappedValue == wanted, "\(theirs.wrappedValue[0].title) is stored")
  },
  Case("R25", "what a change replaces that waited for a commit is kept, and told") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tally(), other.tally())
    programs.deliverAll()
    one.run { mine.count.update { $0 += 1 } }
    one.run { mine.name.withLock { $0 = "mine" } }
    other.run { theirs.name.withLock { $0 = "theirs" } }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.name.wrappedValue, equals: "mine")
    trial.expect(theirs.name.wrappedValue, equals: "mine")
    trial.expect(programs.replaced("tally"), contains: "theirs")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
  },
  Case("R25", "what a recovered change replaces is kept, and told") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tally(), programs[1].tally())
    programs.deliverAll()
    programs[0].run { mine.name.withLock { $0 = "mine" } }
    programs.crash(0)
    programs[1].run { theirs.name.withLock { $0 = "theirs" } }
    programs.deliverAll()
    let next = programs[0].tally()
    programs.deliverAll()
    trial.expect(next.name.wrappedValue, equals: "mine")
    trial.expect(programs.replaced("tally"), contains: "theirs")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
  },
  Case("R28", "what was removed meanwhile stays removed, and a recovered change is kept") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[1].run { theirs.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    programs[0].run { mine[id: 1]!.title.withLock { $0 = "mine" } }
    programs.crash(0)
    programs[1].run { theirs.reset() }
    programs.deliverAll()
    let next = programs[0].tasks()
    programs.deliverAll()
    trial.expect(next.wrappedValue.isEmpty, "the list came back")
    trial.expect(theirs.wrappedValue.isEmpty, "the list came back to the other")
    trial.expect(programs.replaced("tasks"), contains: "mine")
  },
  Case("R28", "a count that was removed and counted on is recovered") { trial in
    let programs = Programs(1)
    let count = programs[0].count()
    programs[0].run { count.update { $0 += 5 } }
    programs.deliverAll()
    programs[0].run { count.reset() }
    programs.deliverAll()
    programs[0].run { count.update { $0 += 1 } }
    programs[0].run { count.update { $0 += 1 } }
    programs.crash(0)
    let next = programs[0].count()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 2)
  },
  Case("R28", "a journal is recovered into the store that it belongs to only") { trial in
    let programs = Programs(1)
    let count = programs[0].count()
    programs[0].run { count.update { $0 += 1 } }
    programs.crash(0)
    let elsewhere = MemoryRevisionStore()
    let other = programs[0].run { Shared(wrappedValue: 0, .revisions("count", in: elsewhere)) }
    programs.deliverAll()
    trial.expect(other.wrappedValue, equals: 0)
    let next = programs[0].count()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
  },
  Case("R28", "what cannot be recovered at once is when the store is back") { trial in
    let programs = Programs(2)
    let mine = programs[0].count()
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    let next = programs[0].count()
    programs.deliverAll()
    programs.database.isOffline = false
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
    trial.expect(programs.journals.names.allSatisfy { !$0.isJournal }, "a journal is left")
  },
  Case("R27", "what is recovered late comes before what was changed after it") { trial in
    let programs = Programs(1)
    let mine = programs[0].tally()
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine.name.withLock { $0 = "first" } }
    programs.crash(0)
    let next = programs[0].tally()
    programs.deliverAll()
    programs[0].run { next.name.withLock { $0 = "second" } }
    programs.deliverAll()
    programs.database.isOffline = false
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(next.name.wrappedValue, equals: "second")
    trial.expect(programs.text("tally"), contains: "second")
  },
  Case("R29", "what a full store does not take when it is recovered comes first in the end") {
    trial in
    let programs = Programs(1)
    let mine = programs[0].tally()
    programs.deliverAll()
    programs.database.isFull = true
    programs[0].run { mine.name.withLock { $0 = "first" } }
    programs.deliverAll()
    programs.crash(0)
    let next = programs[0].tally()
    programs.deliverAll()
    trial.expect(next.name.wrappedValue, equals: "first")
    let why = next.saveError.map { reason(of: $0) }
    trial.expect(why == .quotaExceeded && next.isSaving, "it is not told")
    programs[0].run { next.note.withLock { $0 = "second" } }
    programs.deliverAll()
    trial.expect(next.name.wrappedValue, equals: "first")
    programs.database.isFull = false
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(next.wrappedValue == Tally(name: "first", note: "second"), "it is not shown")
    trial.expect(programs.text("tally"), contains: "first")
    trial.expect(programs.text("tally"), contains: "second")
    trial.expect(next.saveError == nil && !next.isSaving, "it is not saved")
  },
  Case("R29", "what may not be stored when it is recovered holds up no other value") { trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    (programs.database.isOffline, programs.database.deniedKey) = (false, KeyName("count"))
    let (count, tally) = (programs[0].count(), programs[0].tally())
    programs.deliverAll()
    trial.expect(count.saveError.map { reason(of: $0) } == .denied, "it is not told")
    for name in ["first", "second"] {
      programs[0].run { tally.name.withLock { $0 = name } }
      programs.deliverAll()
      trial.expect(programs.text("tally"), contains: UTF8Text(name))
      trial.expect(tally.saveError == nil && !tally.isSaving, "it is not saved")
    }
    trial.expect(count.isSaving, "it is not being saved")
    programs.database.deniedKey = nil
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(count.saveError == nil && !count.isSaving, "it is not saved in the end")
  },
  Case("R29", "what a full store does not take is shown also without a copy of what was stored") {
    trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs[0].run { mine.update { $0 += 5 } }
    programs.deliverAll()
    programs.database.isFull = true
    programs[0].run { mine.update { $0 += 2 } }
    programs.deliverAll()
    programs.crash(0)
    programs.journals.store.remove(KeyName("sharing.copy.count"))
    let next = programs[0].count()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 7)
    trial.expect(next.isSaving, "it is not being saved")
    programs.database.isFull = false
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 7)
    trial.expect(programs.text("count"), contains: "7")
  },
  Case("R26", "what is to be recovered is pending, and being saved") { trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs.deliverAll()
    programs.database.isOffline = true
    for _ in 0..<2 { programs[0].run { mine.update { $0 += 1 } } }
    programs.crash(0)
    let next = programs[0].count()
    let key = RevisionKey<Int>.revisions("count", in: programs[0].connection)
    let saving = Log()
    let token = programs[0].run { observe { saving.append(next.isSaving ? 1 : 0) } }
    let pending = { programs[0].run { key.commitStatus.pendingCount } }
    trial.expect(pending(), equals: 2)
    programs.deliverAll()
    trial.expect(pending(), equals: 2)
    trial.expect(next.saveError != nil, "it is not told")
    let saved = Log()
    programs[0].run { next.update { $0 += 1 } }
    trial.expect(pending(), equals: 3)
    programs.database.isOffline = false
    programs[0].run { next.save { if case .success = $0 { saved.append(3) } } }
    trial.expect(saved.numbers, equals: [])
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(pending(), equals: 0)
    trial.expect(saved.numbers == [3] && next.saveError == nil, "it is not saved")
    trial.expect(saving.numbers, equals: [1, 0])
    trial.expect(programs.text("count"), contains: "3")
    withExtendedLifetime(token) {}
  },
  Case("R28", "what is to be recovered is shown until the store answers") { trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs[0].run { mine.update { $0 += 1 } }
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.database.isOffline = true
    programs[0].run { mine.update { $0 += 2 } }
    programs.deliverAll()
    programs.crash(0)
    let next = programs[0].count()
    trial.expect(next.wrappedValue, equals: 3)
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 3)
    programs[0].run { next.update { $0 += 4 } }
    programs.database.isOffline = false
    let seen = Log()
    let token = programs[0].run { observe { seen.append(next.wrappedValue) } }
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(seen.numbers, equals: [7])
    trial.expect(programs.text("count"), contains: "7")
    withExtendedLifetime(token) {}
  },
  Case("R28", "what is recovered while a doubt is resolved is not made again") { trial in
    let programs = Programs(1)
    let one = programs[0]
    let (tasks, count) = (one.tasks(), one.count())
    programs.deliverAll()
    programs.database.accident = .late
    one.run { tasks.append(Task(id: 1)) }
    programs.deliverOne(0)  // it takes too long
    programs.deliverOne(0)  // it arrives
    programs.deliverOne(0)  // the notification of it
    one.run { count.update { $0 += 1 } }
    let other = programs.start()
    let theirs = other.count()
    programs.deliver(to: other)
    trial.expect(theirs.wrappedValue, equals: 1)
    one.run { tasks.append(Task(id: 2)) }
    programs.deliverAll()
    trial.expect(count.wrappedValue, equals: 1)
    trial.expect(theirs.wrappedValue, equals: 1)
  },
  Case("R28", "what is stored while a doubt is resolved is not shown twice") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.count())
    programs.deliverAll()
    var highest = 0
    let token = one.run { observe { highest = max(highest, mine.wrappedValue) } }
    programs.database.rebases = true
    programs.database.accident = .late
    one.run { mine.update { $0 += 1 } }
    other.run { theirs.update { $0 += 10 } }
    programs.deliverOne(0)  // the commit is given up
    programs.deliverOne(1)  // the other one is stored
    programs.deliverOne(1)  // its notification; the program checks whether the first one is stored
    programs.deliverOne(3)  // it is not
    programs.deliverOne(0)  // now it is
    programs.deliverOne(5)  // its notification
    programs.deliverOne(2)  // the answer
    programs.deliverAll()
    trial.expect(highest, equals: 11)
    trial.expect(mine.wrappedValue, equals: 11)
    token.cancel()
  },
  Case("R30", "what others store is shown while something else waits to be recovered") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.tally())
    programs.deliverAll()
    programs.database.isFull = true
    one.run { mine.update { $0 += 1 } }
    programs.crash(0)
    let (next, tally) = (programs[0].count(), programs[0].tally())
    programs.deliverAll()
    programs.database.isFull = false
    other.run { theirs.count.update { $0 += 1 } }
    programs.deliver(to: other)
    programs.database.isFull = true
    programs.deliverAll()
    trial.expect(tally.wrappedValue.count, equals: 1)
    trial.expect(next.isSaving && next.wrappedValue == 1, "what waits is not shown as such")
  },
  Case("R29", "what is to be recovered is shown over what others have stored meanwhile") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, count, theirs) = (one.tally(), one.count(), other.tally())
    programs.deliverAll()
    programs.database.accident = .late
    one.run { mine.count.update { $0 += 1 } }
    one.run { mine.name.withLock { $0 = "mine" } }
    other.run { theirs.note.withLock { $0 = "theirs" } }
    programs.deliver(to: other)
    for _ in 0..<20 where mine.wrappedValue.note.isEmpty { programs.deliverOne(0) }
    trial.expect(mine.wrappedValue.note, equals: "theirs")
    one.run { count.update { $0 += 1 } }
    other.run { other.clock.advance(by: 1000) }
    programs.crash(0)
    programs.database.isOffline = true
    let next = programs[0].tally()
    let wanted = Tally(name: "mine", note: "theirs", count: 1)
    trial.expect(next.wrappedValue == wanted, "\(next.wrappedValue) is shown")
    programs.database.isOffline = false
    programs.deliverAll()
    trial.expect(next.wrappedValue == wanted, "\(next.wrappedValue) is shown in the end")
  },
  Case("R32", "a recovered change of a newer version brings what is stored to its version") {
    trial in
    let programs = Programs(2)
    programs[1].storeName("Ann", version: 1)
    let name = programs[0].name(version: 2)
    programs.deliverAll()
    trial.expect(name.wrappedValue, equals: "Ann!")
    programs[0].run { name.withLock { $0 = "Bob!" } }
    programs.crash(0)
    let next = programs[0].name(version: 2)
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: "Bob!")
    trial.expect(programs.text("name"), contains: #"{"$version":2,"value":"Bob!"}"#)
    trial.expect(programs.text("name.replaced") == nil, "something is replaced")
  },
  Case("R32", "a change over a newer version waits, is told, and holds up no other") { trial in
    let programs = Programs(2)
    let (name, count) = (programs[0].name(version: 1), programs[0].count())
    programs.deliverAll()
    programs[1].storeName("Ann!", version: 2)
    programs.crash(1)
    programs[0].run {
      batch {
        name.withLock { $0 = "Bob" }
        count.update { $0 += 1 }
      }
    }
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(programs.text("name"), contains: "Ann!")
    trial.expect(programs.text("name.replaced") == nil, "something is replaced")
    trial.expect(name.saveError != nil && name.isSaving, "it is not told")
    trial.expect(count.saveError == nil && !count.isSaving, "the other one is held up")
    trial.expect(name.wrappedValue, equals: "Bob")
  },
  Case("R29", "a store that fails again when it is asked is tried again") { trial in
    let programs = Programs(2)
    let clock = ManualClock()
    programs[0].run { SharingEnvironment.current.stores.clock = clock }
    let (mine, theirs) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine.update { $0 += 1 } }
    programs.deliver(to: programs[0])
    programs.database.isOffline = false
    programs[1].run { theirs.update { $0 += 10 } }
    programs.deliver(to: programs[1])
    programs.deliverOne(0)  // the notification, so that the first program requests the stored value
    programs.database.isOffline = true
    clock.advance(by: 1000)
    programs.deliverAll()
    programs.database.isOffline = false
    clock.advance(by: 60_000)
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "11")
    trial.expect(mine.wrappedValue, equals: 11)
  },
  Case("R30", needs: .files, "a commit of one key does not hide what others stored under another") {
    trial in
    let folder = trial.host.makeFolder()
    let stores = (0..<2).map { _ in FolderRevisionStore(folder: folder) }
    let heard = Log()
    let token = stores[0].watch {
      guard case .success(let news) = $0 else { return }
      for one in news where one.key == KeyName("b") { heard.append(1) }
    }
    let store = { (index: Int, key: StaticString) in
      let name = KeyName(bytes: UTF8Text(stringLiteral: key).bytes)
      let entry = CommitEntry(key: name, expected: nil, bytes: [48])
      let commit = Commit(client: "\(key)", after: 0, through: 1, entries: [entry])
      stores[index].commit(commit, rebase: { _, _ in [] }) { _ in }
    }
    store(1, "b")
    store(0, "a")
    stores[0].publishChanges()
    trial.expect(heard.count, equals: 1)
    token.cancel()
  },
]

extension Programs {
  /// Starts the first program again, and lets it recover the steps in its journal.
  fileprivate func recover<Number: JSONValue & Sendable>(_ initial: Number) -> Shared<Number> {
    deliverAll()
    let next = self[0].number(initial)
    deliverAll()
    self[0].run { self[0].clock.advance(by: 1000) }
    deliverAll()
    return next
  }
}

extension Programs {
  /// Starts a program that recovers the changes of all others under two keys.
  fileprivate func recoverAll() {
    let program = start()
    let values = [program.count("n"), program.count("m")]
    deliver(to: program)
    program.run { program.clock.advance(by: 1000) }
    deliver(to: program)
    _ = values
  }
}

extension Program {
  fileprivate func number<Number: JSONValue & Sendable>(_ initial: Number) -> Shared<Number> {
    run { Shared(wrappedValue: initial, .revisions("number", in: store)) }
  }

  /// Returns a text. The migration to version 2 appends an exclamation mark.
  fileprivate func name(version: Int) -> Shared<String> {
    run {
      Shared(
        wrappedValue: "",
        .revisions(
          "name", in: connection,
          coding: .json(
            version: version, migrations: [StorageMigration(from: 1) { (old: String) in old + "!" }]
          )))
    }
  }

  /// Stores a text with a program of a version.
  fileprivate func storeName(_ text: String, version: Int) {
    let (name, messages) = (name(version: version), connection.database.messages)
    messages.deliverAll()
    run { name.withLock { $0 = text } }
    messages.deliverAll()
  }
}
