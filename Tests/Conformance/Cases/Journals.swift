import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// The contents of a journal, the time of its writes, and its removal.
let journals: [Case] = [
  Case("R28", "a journal has each change with its key, its kind, and the texts before and after") {
    trial in
    let programs = Programs(1)
    let one = programs[0]
    let name = one.run { Shared(wrappedValue: "", .revisions("name", in: one.connection)) }
    let count = one.count()
    programs.deliverAll()
    one.run { name.withLock { $0 = "é" } }
    one.run { count.update { $0 += 1 } }
    one.run { count.update { $0 += 1 } }
    one.run { count.reset() }
    let items = programs.journals.names.filter { $0.isJournal }
    let journal = items.last.flatMap { programs.journals.store.bytes(for: $0) }
    trial.expect(items.compactMap { $0.journalEntry?.number }, equals: [4])
    let parts: [UTF8Text] = [
      #"{"committed":0,"order":1,"waits":false,"steps":["#,
      #"{"number":1,"kind":"set","key":"name","default":"\"\"","before":null,"after":"\"é\""}"#,
      #"{"number":2,"kind":"update","key":"count","default":"0","before":null,"after":"1"}"#,
      #"{"number":3,"kind":"update","key":"count","default":"0","before":"1","after":"2"}"#,
      #"{"number":4,"kind":"set","key":"count","default":"0","before":"2","after":null}"#,
    ]
    for part in parts { trial.expect(journal.map { UTF8Text($0) }, contains: part) }
  },
  Case("R28", "the changed keys of a turn are one journal entry") { trial in
    let programs = Programs(1)
    let counts = (1...5).map { programs[0].count("count-\($0)") }
    programs.deliverAll()
    let before = programs.journals.writeCount
    programs[0].run { batch { for count in counts { count.withLock { $0 = 1 } } } }
    trial.expect(programs.journals.writeCount - before, equals: 1)
    programs.crash(0)
    programs.database.messages.removeAll()
    let next = (1...5).map { programs[0].count("count-\($0)") }
    programs.deliverAll()
    trial.expect(next.map { $0.wrappedValue }, equals: [1, 1, 1, 1, 1])
  },
  Case("R17", "a change under the empty key is recovered") { trial in
    let programs = Programs(1)
    let (nameless, count) = (programs[0].count(""), programs[0].count())
    programs.deliverAll()
    programs[0].run {
      batch {
        nameless.withLock { $0 = 1 }
        count.withLock { $0 = 2 }
      }
      nameless.update { $0 += 1 }
    }
    programs.crash(0)
    programs.database.messages.removeAll()
    let (again, other) = (programs[0].count(""), programs[0].count())
    programs.deliverAll()
    trial.expect([again.wrappedValue, other.wrappedValue], equals: [2, 2])
    trial.expect(programs.issues.isEmpty, "its journal is said to be unreadable")
  },
  Case("R28", "a text in a coding of one's own is recovered whole, and other bytes harm none") {
    trial in
    let programs = Programs(1)
    let mine = programs[0].bytes()
    programs.deliverAll()
    for text in ["é", "è", "ĩ", "aĩ", "é"] {
      programs[0].run { mine.withLock { $0 = UTF8Text(text).bytes } }
    }
    programs.crash(0)
    let next = programs[0].bytes()
    programs.deliverAll()
    trial.expect(next.wrappedValue == UTF8Text("é").bytes, "\(next.wrappedValue) is recovered")
    for bytes: [UInt8] in [[0x80], [0x81, 0x80]] {
      programs[0].run { next.withLock { $0 = bytes } }
    }
    programs.deliverAll()
    trial.expect(programs.text("bytes")?.bytes == [0x81, 0x80], "they are not stored")
  },
  Case("R28", "a change on what others had stored is recovered without what they had") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tally(), other.tally())
    programs.deliverAll()
    programs.database.isFull = true
    one.run { mine.name.withLock { $0 = "mine" } }
    programs.deliver(to: one)
    programs.database.isFull = false
    other.run { theirs.note.withLock { $0 = "theirs" } }
    programs.deliver(to: other)
    programs.database.isFull = true
    programs.deliverAll()
    trial.expect(mine.wrappedValue.note, equals: "theirs")
    one.run { mine.count.withLock { $0 = 5 } }
    programs.crash(0)
    programs.database.isFull = false
    other.run { theirs.note.withLock { $0 = "theirs again" } }
    programs.deliverAll()
    let next = programs[0].tally()
    programs.deliverAll()
    let wanted = Tally(name: "mine", note: "theirs again", count: 5)
    trial.expect(next.wrappedValue == wanted, "\(next.wrappedValue.note) is shown")
    trial.expect(programs.text("tally.replaced") == nil, "something is replaced")
  },
  Case("R28", "where there is no room for what is shown, copies of what is stored make room") {
    trial in
    let programs = Programs(1)
    let (tasks, count) = (programs[0].tasks(), programs[0].count())
    programs[0].run { tasks.withLock { $0 = (1...9).map { Task(id: $0) } } }
    programs.deliverAll()
    programs[0].hide()
    let other = KeyName("other")
    programs.journals.replace(other, by: [48])
    programs.journals.capacity = programs.journals.size + 10
    programs[0].run { count.update { $0 += 1 } }
    trial.expect(programs.journals.names.filter { $0.isJournal }.count, equals: 1)
    trial.expect(programs.journals.names.contains(other), "somebody else's item is gone")
    programs.crash(0)
    let (next, again) = (programs[0].count(), programs[0].tasks())
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
    trial.expect(again.wrappedValue.count, equals: 9)
  },
  Case("R28", "a journal of keys that a program does not have waits until it has one of them") {
    trial in
    let programs = Programs(2)
    let theirs = programs[0].tally()
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { theirs.count.update { $0 += 1 } }
    programs.deliverAll()
    programs.crash(0)
    programs.database.isOffline = false
    let mine = programs[1].count()
    programs.deliverAll()
    programs[1].run { mine.update { $0 += 1 } }
    programs.deliverAll()
    programs[1].hide()
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(programs.text("tally") == nil, "another app's change is stored")
    trial.expect(programs.journals.names.filter { $0.isJournal }.count, equals: 1)
    let late = programs[1].tally()
    trial.expect(late.wrappedValue.count, equals: 1)
    programs.deliverAll()
    trial.expect(programs.text("tally"), contains: "1")
    trial.expect(late.wrappedValue.count, equals: 1)
    trial.expect(!late.isSaving && late.saveError == nil, "it is not saved")
    programs[1].run { mine.update { $0 += 1 } }
    programs.deliverAll()
    programs[1].hide()
    trial.expect(programs.text("count"), contains: "2")
    trial.expect(!programs.journals.names.contains { $0.isJournal }, "a journal is left")
  },
  Case("R28", "a journal with a key that a program has is stored as a whole") { trial in
    let programs = Programs(2)
    let (theirs, count) = (programs[0].tally(), programs[0].count())
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run {
      batch {
        theirs.count.update { $0 += 1 }
        count.update { $0 += 1 }
      }
    }
    programs.deliverAll()
    programs.crash(0)
    programs.database.isOffline = false
    let mine = programs[1].count()
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 1)
    trial.expect(programs.text("tally"), contains: "1")
  },
  Case("R28", "apps of one place have journals and copies of their own by their names") { trial in
    let programs = Programs(2)
    programs[0].take(appName: "one")
    let theirs = programs[0].count()
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { theirs.update { $0 += 1 } }
    programs.deliverAll()
    programs.crash(0)
    programs.database.isOffline = false
    let mine = programs[1].count()
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 0)
    trial.expect(programs.text("count") == nil, "another app's change is stored")
    programs[0].take(appName: "one")
    let again = programs[0].count()
    trial.expect(again.wrappedValue, equals: 1)
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "1")
    programs[0].hide()
    trial.expect(programs.journals.names == [KeyName("sharing/one.copy.count")], "others are left")
    trial.expect(programs.issues.isEmpty, "something is reported")
  },
  Case("R28", "a text that cannot be the name of an app is reported, and so is one that is late") {
    trial in
    let programs = Programs(1)
    let texts: [UTF8Text] = [
      "a/b", "a.b", "a b", "\u{e4}", UTF8Text(Array(repeating: 97, count: 65)),
    ]
    for text in texts { programs[0].take(appName: text) }
    trial.expect(programs.issues.count, equals: texts.count)
    trial.expect(programs.issues.first, contains: "\"a/b\" is not a valid name for an app")
    programs[0].take(appName: "My_app-2")
    trial.expect(programs.issues.count, equals: texts.count)
    let count = programs[0].count()
    programs[0].take(appName: "other")
    trial.expect(programs.issues.last, contains: "'stores.appName' is set after a key")
    programs.deliverAll()
    programs[0].run { count.update { $0 += 1 } }
    trial.expect(programs.journals.names.count, equals: 1)
    let name = programs.journals.names.first.map { UTF8Text($0.bytes) }
    trial.expect(name, contains: "sharing/My_app-2.journal.")
  },
  Case("R28", "commits within a second are tidied up after once") { trial in
    let programs = Programs(1)
    let count = programs[0].count()
    programs.deliverAll()
    for _ in 0..<10 {
      programs[0].run { count.update { $0 += 1 } }
      programs.deliverAll()
    }
    let before = programs.journals.writeCount
    programs[0].hide()
    // Each entry replaces the former one. At the end the last one is removed, and a copy is kept.
    trial.expect(before, equals: 19)
    trial.expect(programs.journals.writeCount - before, equals: 2)
    trial.expect(programs.journals.names == [KeyName("sharing.copy.count")], "others are left")
  },
  Case("R28", "what a program still had to recover stays when its environment ends") { trial in
    let programs = Programs(1)
    let database = programs.database
    let mine = programs[0].count()
    programs.deliverAll()
    database.isOffline = true
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    let connection = SimulatedConnection(database, of: 1) { $0() }
    let clock = ManualClock()
    do {
      let environment = SharingEnvironment()
      environment.stores.journalStore = ProgramJournals(programs[0], programs.journals)
      environment.stores.clock = clock
      environment.stores.revisions = connection
      environment.run {
        let count = Shared(wrappedValue: 0, .revisions("count", in: connection))
        programs.deliverAll()
        trial.expect(count.saveError != nil, "it is recovered")
      }
    }
    database.isOffline = false
    clock.advance(by: 60_000)
    programs.deliverAll()
    trial.expect(programs.text("count") == nil, "it is stored")
    trial.expect(programs.journals.names.filter { $0.isJournal }.count, equals: 1)
    let next = programs[0].count()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
    connection.end(losingMessages: true)
  },
  Case("R28", "when something else is recovered, a change is one commit that meets no other") {
    trial in
    let programs = Programs(1)
    let tally = programs[0].tally()
    programs.deliverAll()
    programs[0].run { tally.name.withLock { $0 = "mine" } }
    programs.crash(0)
    let (count, next) = (programs[0].count(), programs[0].tally())
    programs.deliverAll()
    trial.expect(next.wrappedValue.name, equals: "mine")
    let before = programs.database.commits
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(programs.database.commits - before, equals: 1)
  },
  Case("R29", "that something else cannot be recovered is not told of a change that is stored") {
    trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    programs.database.deniedKey = KeyName("count")
    let (count, tally) = (programs[0].count(), programs[0].tally())
    let answers = Log()
    programs[0].run {
      batch {
        tally.name.withLock { $0 = "mine" }
        tally.save { if case .success = $0 { answers.append(1) } else { answers.append(0) } }
      }
    }
    programs.deliverAll()
    trial.expect(answers.numbers, equals: [1])
    trial.expect(programs.text("tally"), contains: "mine")
    trial.expect(count.saveError.map { reason(of: $0) } == .denied, "it is not told")
  },
  Case("R29", "what cannot be recovered holds up nothing that others have left behind it") {
    trial in
    let programs = Programs(1)
    programs.database.isOffline = true
    programs.leave { $0.count().update { $0 += 1 } }
    programs.leave { $0.tally().name.withLock { $0 = "second" } }
    programs.leave { program in
      batch {
        program.count().update { $0 += 1 }
        program.count("pairs").update { $0 += 1 }
      }
    }
    programs.leave { $0.tally().name.withLock { $0 += " and fourth" } }
    (programs.database.isOffline, programs.database.deniedKey) = (false, KeyName("count"))
    let (count, pairs, tally) = (
      programs[0].count(), programs[0].count("pairs"), programs[0].tally()
    )
    let told = Log()
    let token = programs[0].run { observe { if tally.saveError != nil { told.append(1) } } }
    programs.deliverAll()
    trial.expect(programs.text("tally"), contains: "second and fourth")
    trial.expect(!tally.isSaving && told.count == 0, "it is said to be held up")
    for held in [count, pairs] {
      trial.expect(held.isSaving, "it is stored")
      trial.expect(held.saveError.map { reason(of: $0) } == .denied, "it is not told")
    }
    trial.expect(count.wrappedValue, equals: 2)
    trial.expect(pairs.wrappedValue, equals: 1)
    programs.database.deniedKey = nil
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "2")
    trial.expect(programs.text("pairs"), contains: "1")
    trial.expect(!count.isSaving && !pairs.isSaving, "it is not stored in the end")
    trial.expect(programs.journals.names.allSatisfy { !$0.isJournal }, "a journal is left")
    withExtendedLifetime(token) {}
  },
  Case("R29", "what never fits is shown and told, with all that follows, for as long as it takes") {
    trial in
    let programs = Programs(1)
    programs.database.isFull = true
    for (name, pending) in [("first", 1), ("second", 2), ("third", 3)] {
      let tally = programs[0].tally()
      programs.deliverAll()
      programs[0].run { tally.name.withLock { $0 += name } }
      for _ in 0..<3 {
        programs.deliverAll()
        programs[0].run { programs[0].clock.advance(by: 3_600_000) }
      }
      programs.deliverAll()
      let key = RevisionKey<Tally>.revisions("tally", in: programs[0].connection)
      trial.expect(programs[0].run { key.commitStatus.pendingCount }, equals: pending)
      trial.expect(tally.saveError.map { reason(of: $0) } == .quotaExceeded, "it is not told")
      programs.crash(0)
    }
    programs.database.isFull = false
    let tally = programs[0].tally()
    trial.expect(tally.wrappedValue.name, equals: "firstsecondthird")
    programs.deliverAll()
    trial.expect(programs.text("tally"), contains: "firstsecondthird")
    trial.expect(tally.saveError == nil && !tally.isSaving, "it is not stored")
  },
  Case("R29", "while a value is too large its program stores nothing, and then all of it at once") {
    trial in
    let programs = Programs(1)
    programs.database.sizeLimit = 100
    let (tally, count) = (programs[0].tally(), programs[0].count())
    programs[0].run { tally.note.withLock { $0 = String(repeating: "x", count: 200) } }
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    for error in [tally.saveError, count.saveError] {
      trial.expect(error.map { reason(of: $0) } == .quotaExceeded, "it is not told")
    }
    programs[0].run { tally.note.withLock { $0 = "short" } }
    programs.deliverAll()
    trial.expect(programs.text("tally"), contains: "short")
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(!tally.isSaving && !count.isSaving, "it is not stored")
    trial.expect(tally.saveError == nil && count.saveError == nil, "an error is told")
  },
  Case("R29", "what another program has left that is too large, holds up what is changed after it")
  {
    trial in
    let programs = Programs(1)
    programs.database.sizeLimit = 100
    programs.leave { $0.tally().note.withLock { $0 = String(repeating: "x", count: 200) } }
    let (tally, count) = (programs[0].tally(), programs[0].count())
    programs.deliverAll()
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(count.saveError == nil && !count.isSaving, "another value is held up")
    programs[0].run { tally.note.withLock { $0 = "short" } }
    programs[0].run { count.update { $0 += 1 } }
    for _ in 0..<3 {
      programs.deliverAll()
      programs[0].run { programs[0].clock.advance(by: 3_600_000) }
    }
    trial.expect(tally.wrappedValue.note == "short" && count.wrappedValue == 2, "it is not shown")
    trial.expect(programs.text("tally") == nil, "what is too large is stored")
    trial.expect(programs.text("count"), contains: "1")
    for error in [tally.saveError, count.saveError] {
      trial.expect(error.map { reason(of: $0) } == .quotaExceeded, "it is not told")
    }
    programs.database.sizeLimit = nil
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(programs.text("tally"), contains: "short")
    trial.expect(programs.text("count"), contains: "2")
    trial.expect(tally.saveError == nil && !tally.isSaving, "it is not stored in the end")
  },
  Case("R28", "what is written while another program removes the journal outlives a crash") {
    trial in
    let programs = Programs(1)
    let one = programs[0]
    let mine = one.count()
    programs.deliverAll()
    one.run { mine.update { $0 += 1 } }
    let other = programs.start()
    let theirs = other.count()
    // The program is about to remove the journal that it has stored.
    programs.journals.willRemove = { [unowned(unsafe) programs] in
      programs.journals.willRemove = {}
      one.run { mine.update { $0 += 10 } }
      programs.database.isOffline = true
    }
    programs.deliver(to: other)
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(programs.journals.names.filter { $0.isJournal }.count, equals: 1)
    programs.crash(0)
    programs.database.isOffline = false
    let next = programs[0].count()
    trial.expect(next.wrappedValue, equals: 11)
    for program in [programs[0], other] {
      programs.deliverAll()
      program.run { program.clock.advance(by: 60_000) }
    }
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "11")
    trial.expect(next.wrappedValue, equals: 11)
    trial.expect(theirs.wrappedValue, equals: 11)
    trial.expect(programs.journals.names.allSatisfy { !$0.isJournal }, "a journal is left")
  },
  Case("R28", "of several entries of a program, the newest that can be read is recovered") {
    trial in
    let programs = Programs(1)
    let steps: [UTF8Text] = [
      #"{"number":1,"kind":"update","key":"count","default":"0","before":null,"after":"5"}"#,
      #"{"number":2,"kind":"update","key":"count","default":"0","before":"5","after":"7"}"#,
    ]
    let texts: [(UTF8Text, UTF8Text)] = [
      ("9", #"{"committed":0,"order":1,"steps":[\#(steps[0])]}"#),
      ("10", #"{"committed":0,"order":1,"steps":[\#(steps[0]),\#(steps[1])]}"#),
      ("11", "damaged"),
    ]
    for (number, text) in texts {
      let name: UTF8Text = "sharing.journal.1-2.\(number)"
      programs.journals.replace(KeyName(bytes: name.bytes), by: text.bytes)
    }
    // Belongs to another store, whose name has this one's name as a prefix.
    let foreign: KeyName = "sharing.journal.other.1-2.3"
    programs.journals.replace(foreign, by: [48])
    let count = programs[0].count()
    programs.deliverAll()
    trial.expect(programs.text("count"), contains: "7")
    trial.expect(count.wrappedValue, equals: 7)
    trial.expect(programs.issues.count, equals: 1)
    let left = programs.journals.names.filter { $0.isJournal }
    trial.expect(left == [KeyName("sharing.journal.1-2.11"), foreign], "\(left.count) are left")
  },
  Case("R28", "an entry that has no room beside the one before it takes its place") { trial in
    let programs = Programs(1)
    let tally = programs[0].tally()
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { tally.note.withLock { $0 = String(repeating: "x", count: 200) } }
    programs.journals.capacity = programs.journals.size + 800
    programs[0].run { tally.name.withLock { $0 = "two" } }
    programs.journals.capacity = programs.journals.size + 10
    programs[0].run { tally.note.withLock { $0 += String(repeating: "y", count: 500) } }
    trial.expect(programs.journals.names.filter { $0.isJournal }.count, equals: 1)
    programs.crash(0)
    programs.database.isOffline = false
    let next = programs[0].tally()
    trial.expect(next.wrappedValue.name, equals: "two")
    programs.deliverAll()
    trial.expect(programs.text("tally"), contains: "two")
  },
]

extension Program {
  /// Bytes that are stored unchanged.
  fileprivate func bytes() -> Shared<[UInt8]> {
    let coding = StorageCoding<[UInt8]>(encode: { $0 }, decode: { $0 })
    return run {
      Shared(wrappedValue: [], .revisions("bytes", in: connection, coding: coding))
    }
  }
}

extension Programs {
  /// Changes a value in the first program, and ends the program before the change is stored.
  fileprivate func leave(_ change: (Program) -> Void) {
    programs[0].run { change(programs[0]) }
    crash(0)
  }
}
