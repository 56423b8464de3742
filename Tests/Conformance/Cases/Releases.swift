import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// Programs of two releases over one store. The newer release has one more kind of note, or a name
/// in two parts.
let releases: [Case] = [
  Case("R32", "what a release cannot store waits for a newer one, which stores it") { trial in
    for isNewerBeside in [true, false] {
      let programs = Programs(2)
      let older = programs[0].notes(OlderNote.self)
      programs[0].run { older.append { _ in OlderNote(id: 1) } }
      programs.deliverAll()
      do {
        let newer = programs[1].notes(NewerNote.self)
        programs.deliverAll()
        programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
        programs.deliverAll()
        if !isNewerBeside { programs.crash(1) }
        trial.expect(older.count, equals: 1)
        trial.expect(older.loadError.map(isUnreadable) == true, "it is not said")
        for id in 3...4 {
          let stored = programs.text("notes")
          programs[0].run { older.append { _ in OlderNote(id: id) } }
          trial.expect(older.count, equals: id - 1)
          trial.expect(programs.text("notes") == stored, "the list is overwritten")
          programs.deliverAll()
        }
        if isNewerBeside {
          trial.expect(newer.wrappedValue.map { $0.id } == [1, 2, 3, 4], "the newer shows others")
        } else {
          trial.expect(
            older.saveError.map { reason(of: $0) } == .waiting && older.isSaving, "it is not told")
          trial.expect(older.saveError.map { details(of: $0) }, contains: "Your change is kept")
        }
      }
      let next = programs.start()
      let shown = next.notes(NewerNote.self)
      programs.deliverAll()
      trial.expect(shown.wrappedValue.map { $0.id } == [1, 2, 3, 4], "the next shows others")
      trial.expect(shown.wrappedValue[1].kind == .starred, "the newer note has changed")
      trial.expect(older.wrappedValue.map { $0.id } == [1, 3, 4], "the older does not go on")
      trial.expect(older.saveError == nil && !older.isSaving, "the changes still wait")
      for suffix in ["replaced", "corrupt"] {
        trial.expect(programs.text("notes.\(UTF8Text(suffix))") == nil, "something is \(suffix)")
      }
      trial.expect(programs.waitingJournals, equals: 0)
    }
  },
  Case("R32", "changes that wait outlive their program, in order, and are stored once") { trial in
    let programs = Programs(2)
    let older = programs[0].notes(OlderNote.self)
    programs[0].run { older.append { _ in OlderNote(id: 1) } }
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 1000) }  // a copy is kept for the next start
    programs[1].storeStarred(id: 2)
    programs.crash(1)
    programs.crash(0)
    for restart in 0..<3 {
      let older = programs[0].notes(OlderNote.self)
      programs.deliverAll()
      let ids = older.wrappedValue.map { $0.id }
      trial.expect(ids == [1] + (3..<3 + restart), "\(ids) at start \(restart)")
      programs[0].run { older.append { _ in OlderNote(id: 3 + restart) } }
      programs.deliverAll()
      programs.crash(0)
    }
    for _ in 1...2 {
      let next = programs.start()
      let shown = next.notes(NewerNote.self)
      programs.deliverAll()
      trial.expect(shown.wrappedValue.map { $0.id } == [1, 2, 3, 4, 5], "others are shown")
      trial.expect(programs.waitingJournals, equals: 0)
    }
  },
  Case("R32", "a change that joins a journal during its commit is stored before the next program's")
  { trial in
    let programs = Programs(2)
    let older = programs[0].notes(OlderNote.self)
    programs[0].run { older.append { _ in OlderNote(id: 1) } }
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 1000) }  // a copy is kept for the next start
    programs[1].storeStarred(id: 2)
    programs.crash(1)
    programs[0].run { older.append { _ in OlderNote(id: 3) } }
    programs.deliverAll()
    let newer = programs[1].notes(NewerNote.self)
    programs.database.messages.deliver(.question, of: 1)  // a load; the commit is under way
    programs.database.messages.deliver(.answer, of: 1)
    programs[0].run { older.append { _ in OlderNote(id: 4) } }
    programs.crash(0)
    let next = programs[0].notes(OlderNote.self)
    programs.deliver(to: programs[0])
    programs[0].run { next.append { _ in OlderNote(id: 5) } }
    programs.deliverAll()
    let ids = newer.wrappedValue.map { $0.id }
    trial.expect(ids == [1, 2, 3, 4, 5], "the order is \(ids)")
  },
  Case("R32", "a journal that was found before its changes had to wait is removed with them") {
    trial in
    let programs = Programs(2)
    let older = programs[0].notes(OlderNote.self)
    programs[0].run { older.append { _ in OlderNote(id: 1) } }
    programs.deliverAll()
    let starred = programs[1].notes(NewerNote.self)
    programs.deliver(to: programs[1])
    programs[1].run { starred.append { _ in NewerNote(id: 2, kind: .starred) } }
    programs.deliver(to: programs[1])  // the older release has not heard of it
    programs.crash(1)
    programs[0].run { older.append { _ in OlderNote(id: 3) } }
    let count = programs[1].count()  // its program has no list yet
    programs.deliverAll()
    trial.expect(programs.waitingJournals, equals: 1)
    programs.crash(0)
    let newer = programs[1].notes(NewerNote.self)
    programs.deliverAll()
    trial.expect(newer.wrappedValue.map { $0.id } == [1, 2, 3], "others are shown")
    trial.expect(programs.waitingJournals, equals: 0)
    trial.expect(count.wrappedValue, equals: 0)
  },
  Case(
    "R32", "a newer release's change of a value that is gone waits for a program that can read it"
  ) {
    trial in
    let programs = Programs(2)
    programs[1].storeStarred(id: 1)
    let starred = programs[1].notes(NewerNote.self)
    programs.deliverAll()
    programs[1].run { starred.withLock { $0.append(NewerNote(id: 2, kind: .starred)) } }
    programs.crash(1)
    programs.database.store.clear()
    let older = programs[0].notes(OlderNote.self)
    programs.deliverAll()
    trial.expect(programs.text("notes") == nil, "the older release has stored it")
    trial.expect(older.wrappedValue.isEmpty, "the older release shows notes")
    let newer = programs.start().notes(NewerNote.self)
    programs.deliverAll()
    trial.expect(newer.wrappedValue.map { $0.id } == [2], "others are shown")
  },
  Case("R32", "a program that was rolled back shows what it has shown, also after its changes wait")
  { trial in
    for hasNewerCopy in [false, true] {
      let programs = Programs(2)
      let older = programs[0].notes(OlderNote.self)
      programs[0].run { older.append { _ in OlderNote(id: 1) } }
      programs.deliverAll()
      programs[1].storeStarred(id: 2)
      programs[0].run { older.append { _ in OlderNote(id: 3) } }
      programs.deliverAll()
      programs.crash(1)
      programs[0].run { older.append { _ in OlderNote(id: 4) } }
      programs.deliverAll()
      if hasNewerCopy {
        programs.journals.isDeaf = true
        programs.journals.store.set(
          Array(#"[{"id":2,"kind":"starred"}]"#.utf8), for: KeyName("sharing.copy.notes"))
      }
      programs.crash(0)
      let next = programs[0].notes(OlderNote.self)
      for _ in 1...2 {
        trial.expect(next.wrappedValue.map { $0.id } == [1, 3, 4], "others are shown")
        programs.deliverAll()
      }
      programs[0].run { next.append { _ in OlderNote(id: 5) } }
      programs.deliverAll()
      let newer = programs.start().notes(NewerNote.self)
      programs.deliverAll()
      trial.expect(newer.wrappedValue.map { $0.id } == [1, 2, 3, 4, 5], "the newer shows others")
    }
  },
  Case("R32", "without room, changes wait in memory, and none counts as stored") { trial in
    enum Room: CaseIterable { case forTheEntry, forNoOther, lostToAnotherTab }
    for room in Room.allCases {
      let programs = Programs(2)
      let (older, count) = (programs[0].notes(OlderNote.self), programs[0].count())
      programs.deliverAll()
      programs[1].storeStarred(id: 1)
      programs.crash(1)
      programs[0].run { older.append { _ in OlderNote(id: 2) } }
      programs.deliverAll()
      // The journal's entry has the first change. It can be stored again, or another tab takes its
      // room.
      programs.journals.capacity = room == .lostToAnotherTab ? 0 : programs.journals.size
      programs[0].run { older.append { _ in OlderNote(id: 3) } }
      programs.deliverAll()
      trial.expect(older.saveError.map { reason(of: $0) } == .quotaExceeded, "it is not told")

      let newer = programs[1].notes(NewerNote.self)
      programs.deliver(to: programs[1])
      if room == .forNoOther { programs.journals.capacity = 0 }
      programs[0].run { count.update { $0 += 1 } }
      programs.deliverAll()
      trial.expect(older.wrappedValue.map { $0.id } == [2, 3], "the older loses something")
      // The entry that is stored has left its room.
      trial.expect(older.isSaving == (room != .forTheEntry), "isSaving is wrong")
      programs.journals.capacity = nil
      programs[0].run { programs[0].clock.advance(by: 60_000) }
      programs.deliverAll()
      trial.expect(newer.wrappedValue.map { $0.id } == [1, 2, 3], "the newer is not told")
      trial.expect(older.saveError == nil && !older.isSaving, "the change still waits")
    }
  },
  Case("R32", "a change that waits in memory is kept when there is room, and not shown before") {
    trial in
    for hasRoomAgain in [false, true] {
      let programs = Programs(2)
      let older = programs[0].notes(OlderNote.self)
      programs.deliverAll()
      programs[1].storeStarred(id: 1)
      programs.crash(1)
      // There is room for a copy, and not for a journal.
      programs.journals.capacity = programs.journals.size + 100
      programs[0].run { older.append { _ in OlderNote(id: 2) } }
      programs.deliverAll()
      trial.expect(older.saveError.map { reason(of: $0) } == .quotaExceeded, "it is not told")
      if hasRoomAgain {
        programs.journals.capacity = nil
        programs[0].run { programs[0].clock.advance(by: 60_000) }
        programs.deliverAll()
        trial.expect(older.saveError.map { reason(of: $0) } == .waiting, "it is not kept")
      }
      programs.crash(0)
      programs.journals.capacity = nil
      let next = programs[0].notes(OlderNote.self)
      trial.expect(next.wrappedValue.map { $0.id } == (hasRoomAgain ? [2] : []), "others are shown")
    }
  },
  Case("R32", "a turn before one that waits is stored once if another program stores both") {
    trial in
    for isUpdate in [false, true] {
      let programs = Programs(2)
      let messages = programs.database.messages
      let (notes, count) = (programs[0].notes(OlderNote.self), programs[0].count())
      programs.deliverAll()
      programs[1].storeStarred(id: 1)
      programs.crash(1)
      programs[0].run { count.update { $0 += 1 } }
      programs[0].run {
        if isUpdate {
          notes.append(OlderNote(id: 2))
        } else {
          notes.withLock { $0.append(OlderNote(id: 2)) }
        }
      }
      messages.fail(of: 0, number: 0, isLate: false)
      messages.deliver(.answer, of: 0)
      // The next program finds both turns, and the older one hears that the second one has to wait.
      let next = programs.start()
      let (shown, counted) = (next.notes(NewerNote.self), next.count())
      programs[0].run { programs[0].clock.advance(by: 1000) }
      for _ in 1...2 {
        messages.deliver(.question, of: 0)
        messages.deliver(.answer, of: 0)
      }
      trial.expect(programs.waitingJournals, equals: 1)
      programs.deliver(to: next)
      // Only the older program could run an update again; it has a second for that.
      if isUpdate { next.run { next.clock.advance(by: 1000) } }
      programs.deliverAll()
      trial.expect(programs.text("count")?.description, equals: "1")
      trial.expect(counted.wrappedValue, equals: 1)
      trial.expect(shown.wrappedValue.map { $0.id } == [1, 2], "other notes are shown")
      trial.expect(notes.saveError == nil && !count.isSaving, "the turns still wait")
    }
  },
  Case("R32", "a change that waits is stored once, also if two programs have found it") { trial in
    let programs = Programs(2)
    let (messages, older) = (programs.database.messages, programs[0].score(version: 1))
    programs.deliverAll()
    programs[1].storeScore(10)
    programs.crash(1)
    programs[0].run { older.update { $0 += 1 } }
    // One program finds the change before the older one hears that it has to wait.
    let first = programs.start()
    let shown = first.score(version: 2)
    for _ in 1...2 {
      messages.deliver(.question, of: 0)
      messages.deliver(.answer, of: 0)
    }
    trial.expect(programs.waitingJournals, equals: 1)
    let second = programs.start()
    _ = second.score(version: 2)
    programs.deliver(to: second)
    programs.deliver(to: first)
    for program in [first, second] { program.run { program.clock.advance(by: 1000) } }
    programs.deliverAll()
    trial.expect(programs.text("score"), contains: #"{"$version":2,"value":20}"#)
    trial.expect(shown.wrappedValue, equals: 20)
    trial.expect(older.saveError == nil && !older.isSaving, "the change still waits")
    trial.expect(programs.waitingJournals, equals: 0)
  },
  Case("R32", "the changes of a journal wait together, and hold up no other value") { trial in
    let programs = Programs(2)
    let (notes, count) = (programs[0].notes(OlderNote.self), programs[0].count())
    let score = programs[0].score(version: 1)
    programs.deliverAll()
    // The older program has not heard of the starred note.
    let newer = programs[1].notes(NewerNote.self)
    programs.deliver(to: programs[1])
    programs[1].run { newer.append { _ in NewerNote(id: 1, kind: .starred) } }
    programs.database.messages.deliver(.question, of: 1)
    programs[0].run {
      batch {
        notes.append { _ in OlderNote(id: 2) }
        count.update { $0 += 1 }
      }
    }
    programs.crash(1)
    programs.deliverAll()
    for number in 1...3 {
      programs[0].run { count.update { $0 += 1 } }
      programs[0].run { score.update { $0 += 1 } }
      programs.deliverAll()
      trial.expect(programs.text("score")?.description, equals: "\(number)")
      trial.expect(programs.waitingJournals, equals: 1)
    }
    trial.expect(programs.text("count") == nil, "a change of the turn is stored")
    trial.expect(count.wrappedValue, equals: 4)
    trial.expect(count.saveError.map { reason(of: $0) } == .waiting, "it is not said")
    trial.expect(score.saveError == nil && !score.isSaving, "the score is held up")
    let next = programs.start()
    let (shown, counted) = (next.notes(NewerNote.self), next.count())
    programs.deliverAll()
    trial.expect(shown.wrappedValue.map { $0.id } == [1, 2], "other notes are shown")
    trial.expect(counted.wrappedValue, equals: 4)
    trial.expect(count.saveError == nil && !count.isSaving, "the count still waits")
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(programs.text("count")?.description, equals: "5")
    trial.expect(programs.waitingJournals, equals: 0)
  },
  Case("R32", "numbers that were counted by an older version are added after its migration") {
    trial in
    let programs = Programs(2)
    let older = programs[0].score(version: 1)
    programs[0].run { older.update { $0 = 1 } }
    programs.deliverAll()
    let newer = programs[1].score(version: 2)  // in tenths
    programs.deliverAll()
    programs[1].run { newer.update { $0 += 5 } }
    programs.deliverAll()
    trial.expect(newer.wrappedValue, equals: 15)
    for _ in 1...3 {
      programs[0].run { older.update { $0 += 1 } }
      programs.deliverAll()
    }
    trial.expect(older.wrappedValue, equals: 4)
    trial.expect(newer.wrappedValue, equals: 45)
    trial.expect(programs.text("score"), contains: #"{"$version":2,"value":45}"#)
  },
  Case("R32", "changes of other values in one turn are stored at once") { trial in
    let programs = Programs(2)
    let (older, count) = (programs[0].notes(OlderNote.self), programs[0].count())
    programs.deliverAll()
    programs[1].storeStarred(id: 2)
    for id in 3...4 {
      programs[0].run {
        batch {
          older.append { _ in OlderNote(id: id) }
          count.update { $0 += 1 }
        }
      }
      programs.deliverAll()
      trial.expect(programs.text("count")?.description, equals: "\(id - 2)")
      trial.expect(count.saveError == nil && !count.isSaving, "the count is held up")
    }
    programs.crash(0)
    programs.crash(1)
    let shown = programs[1].notes(NewerNote.self)
    let counted = programs[1].count()
    programs.deliverAll()
    trial.expect(shown.wrappedValue.map { $0.id } == [2, 3, 4], "others are shown")
    trial.expect(counted.wrappedValue, equals: 2)
  },
  Case("R32", "a killed program's change is stored once, wherever it was killed") { trial in
    for writes in 0...6 {
      let programs = Programs(2)
      let older = programs[0].score(version: 1)
      programs.deliverAll()
      programs[1].storeScore(10)
      programs.journals.writesUntilEnd = writes
      programs[0].run { older.update { $0 += 1 } }
      programs.deliverAll()
      programs.journals.writesUntilEnd = nil
      programs.crash(0)
      for _ in 1...2 {
        let next = programs.start()
        let shown = next.score(version: 2)
        programs.deliverAll()
        next.run { next.clock.advance(by: 1000) }
        programs.deliverAll()
        let isKept = shown.wrappedValue == 20 || writes == 0 && shown.wrappedValue == 10
        trial.expect(isKept, "\(shown.wrappedValue) after \(writes) writes")
      }
    }
  },
  Case("R32", "a change is stored once, also if its program hears of that much later") { trial in
    let programs = Programs(2)
    programs.database.store.clientLimit = 2
    let older = programs[0].score(version: 1)
    programs.deliverAll()
    programs[1].storeScore(10)
    programs.crash(1)
    programs[0].run { older.update { $0 += 1 } }
    programs.deliverAll()
    programs[0].connection.leave()
    for _ in 1...3 {
      let next = programs.start()
      let newer = next.score(version: 2)
      programs.deliverAll()
      next.run { newer.update { $0 += 100 } }
      programs.deliverAll()
    }
    trial.expect(programs.text("score"), contains: #"{"$version":2,"value":320}"#)
    programs[0].connection.comeBack()
    programs[0].run { older.update { $0 += 1 } }
    let counts = programs.waitingTexts.map { $0.count(of: #""number":"#) }
    trial.expect(counts == [1], "a stored change is in a journal")
    programs.deliverAll()
    trial.expect(older.wrappedValue, equals: 2)
    trial.expect(programs.text("score"), contains: #"{"$version":2,"value":330}"#)
    trial.expect(older.saveError == nil && !older.isSaving, "the change still waits")
  },
  Case("R32", "a change whose commit had no answer is stored once") { trial in
    for losesSecond in [false, true] {
      let programs = Programs(2)
      programs.database.rebases = true  // in a transaction, before the answer
      let messages = programs.database.messages
      let (older, newer) = (programs[0].score(version: 1), programs[1].score(version: 2))
      programs.deliverAll()
      programs.loseNextAnswer()
      programs[0].run { older.update { $0 += 1 } }
      programs.deliver(to: programs[1])
      messages.deliver(.question, of: 0)
      messages.deliver(.answer, of: 0)
      programs.deliver(to: programs[1])
      programs[1].run { newer.update { $0 += 5 } }
      programs.deliver(to: programs[1])
      if losesSecond { programs.loseNextAnswer() }
      programs[0].run { older.update { $0 += 1 } }
      messages.deliver(.question, of: 0)
      messages.deliver(.answer, of: 0)
      programs[0].run { older.update { $0 += 1 } }
      programs.deliverAll()
      for _ in 1...3 {
        programs[0].run { programs[0].clock.advance(by: 60_000) }
        programs.deliverAll()
      }
      trial.expect(newer.wrappedValue, equals: 35)
      trial.expect(programs.text("score"), contains: "35")
      trial.expect(older.wrappedValue, equals: 3)
      trial.expect(older.saveError == nil && !older.isSaving, "the changes still wait")
    }
  },
  Case("R32", "a release that can read again stores its own changes") { trial in
    let programs = Programs(2)
    let (older, newer) = (programs[0].notes(OlderNote.self), programs[1].notes(NewerNote.self))
    programs.deliverAll()
    programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
    programs.deliverAll()
    programs.journals.isDeaf = true
    programs[0].run { older.append { _ in OlderNote(id: 3) } }
    programs.deliverAll()
    trial.expect(newer.count, equals: 1)
    programs[1].run { newer.withLock { $0[0].kind = .plain } }
    programs.deliverAll()
    trial.expect(older.wrappedValue.map { $0.id } == [2, 3], "the older shows others")
    trial.expect(newer.wrappedValue.map { $0.id } == [2, 3], "the newer shows others")
    trial.expect(older.saveError == nil && older.loadError == nil, "an error stays")
    programs[0].run { older.append { _ in OlderNote(id: 4) } }
    programs.deliverAll()
    trial.expect(newer.count, equals: 3)
  },
  Case("R32", "changes that wait do not hold up a release that cannot read them, but the store") {
    trial in
    for isRestarted in [false, true] {
      let programs = Programs(2)
      var older = programs[0].score(version: 1)
      programs[0].run { older.update { $0 = 1 } }
      programs.deliverAll()
      let newer = programs[1].score(version: 2, hasMigration: false)
      programs.deliverAll()
      programs[1].run { newer.update { $0 += 5 } }
      programs.deliverAll()
      trial.expect(newer.saveError.map { reason(of: $0) } == .waiting, "the change does not wait")
      if isRestarted {
        programs.crash(0)
        older = programs[0].score(version: 1)
        programs.deliverAll()
      }
      trial.expect(older.wrappedValue, equals: 1)
      for count in 2...3 {
        programs[0].run { older.update { $0 += 1 } }
        programs.deliverAll()
        trial.expect(programs.text("score")?.description, equals: "\(count)")
        trial.expect(older.saveError == nil && !older.isSaving, "change \(count) waits")
      }
      let newest = programs.start().score(version: 2)
      programs.deliverAll()
      trial.expect(newest.wrappedValue, equals: 35)
      trial.expect(newer.wrappedValue, equals: 35)
      trial.expect(newer.saveError == nil && !newer.isSaving, "the newer change still waits")
      trial.expect(programs.waitingJournals, equals: 0)
    }
  },
  Case("R32", "without room, it is said that a change is only in memory") { trial in
    let programs = Programs(2)
    let older = programs[0].notes(OlderNote.self)
    programs.deliverAll()
    programs[1].storeStarred(id: 2)
    programs.crash(1)
    programs.journals.isFull = true
    programs[0].run { older.append { _ in OlderNote(id: 3) } }
    programs.deliverAll()
    trial.expect(older.saveError.map { reason(of: $0) } == .quotaExceeded, "it is not said")
    programs.journals.isFull = false
    programs[0].run { older.append { _ in OlderNote(id: 4) } }
    programs.deliverAll()
    trial.expect(older.saveError.map { reason(of: $0) } == .waiting, "another error is said")
    programs.crash(0)
    let shown = programs.start().notes(NewerNote.self)
    programs.deliverAll()
    trial.expect(shown.wrappedValue.map { $0.id } == [2, 3, 4], "others are shown")
  },
  Case("R15", "a reset by a release that cannot read a list replaces it, and keeps a copy") {
    trial in
    let programs = Programs(2)
    let (older, newer) = (programs[0].notes(OlderNote.self), programs[1].notes(NewerNote.self))
    programs.deliverAll()
    programs[1].run { newer.append { _ in NewerNote(id: 2, kind: .starred) } }
    programs.deliverAll()
    programs[0].run { older.reset() }
    programs.deliverAll()
    trial.expect(programs.text("notes") == nil, "the list is still there")
    trial.expect(programs.replaced("notes"), contains: "starred")
    trial.expect(older.saveError == nil && older.loadError == nil, "it is not reset")
    trial.expect(newer.count, equals: 0)
    programs[0].run { older.append { _ in OlderNote(id: 3) } }
    programs.deliverAll()
    trial.expect(older.saveError == nil, "it is not saved")
    trial.expect(newer.count, equals: 1)
  },
]

private func isUnreadable(_ error: AnyError) -> Bool {
  if case .unreadable = reason(of: error) { true } else { false }
}

@Stored private struct OlderNote: Equatable, Identifiable {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain }
}

@Stored private struct NewerNote: Equatable, Identifiable {
  var id = 0
  var kind = Kind.plain

  @Stored enum Kind { case plain, starred }
}

extension Programs {
  /// The number of journals of changes that wait for another release.
  fileprivate var waitingJournals: Int { waitingTexts.count }

  fileprivate var waitingTexts: [UTF8Text] {
    let journals = journals.names.filter { $0.isJournal }
    let texts = journals.map { UTF8Text(self.journals.store.bytes(for: $0) ?? []) }
    return texts.filter { $0.count(of: #""waits":true"#) > 0 }
  }
}

extension UTF8Text {
  fileprivate func count(of part: UTF8Text) -> Int {
    bytes.indices.filter { bytes.has(part.bytes, at: $0) }.count
  }
}

extension Program {
  fileprivate func notes<Note: JSONValue & Identifiable>(_ type: Note.Type) -> Shared<[Note]> {
    run { Shared(wrappedValue: [], .revisions("notes", in: store)) }
  }

  /// Returns a number, of version 2 in tenths.
  fileprivate func score(version: Int, hasMigration: Bool = true) -> Shared<Int> {
    let migration = StorageMigration(from: 1) { (old: Int) in old * 10 }
    return run {
      Shared(
        wrappedValue: 0,
        .revisions(
          "score", in: store,
          coding: .json(version: version, migrations: hasMigration ? [migration] : [])))
    }
  }

  /// Adds a note that the older release cannot read.
  fileprivate func storeStarred(id: Int) {
    let notes = notes(NewerNote.self)
    connection.database.messages.deliverAll()
    run { notes.append { _ in NewerNote(id: id, kind: .starred) } }
    connection.database.messages.deliverAll()
  }

  /// Stores a number in tenths.
  fileprivate func storeScore(_ number: Int) {
    let score = score(version: 2)
    connection.database.messages.deliverAll()
    run { score.withLock { $0 = number } }
    connection.database.messages.deliverAll()
  }
}
