import SharingCommits
import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// Two programs that change one value at the same moment.
let commits: [Case] = [
  Case("R24", "an update is made again on what another program has stored") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.count())
    programs.deliverAll()
    one.run { mine.update { $0 += 1 } }
    other.run { theirs.update { $0 += 10 } }
    trial.expect(mine.wrappedValue, equals: 1)
    trial.expect(theirs.wrappedValue, equals: 10)
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 11)
    trial.expect(theirs.wrappedValue, equals: 11)
  },
  Case("R24", "updates that are not stored yet are made again in order") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.count())
    programs.deliverAll()
    one.run {
      mine.update { $0 += 1 }
      mine.update { $0 *= 10 }
    }
    other.run { theirs.update { $0 = 5 } }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 60)
    trial.expect(theirs.wrappedValue, equals: 60)
  },
  Case("R24", "an update of an element that another program has removed has no effect") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    one.run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    other.run { _ = theirs.remove(id: 2) }
    one.run { mine[id: 2]!.done.update { $0 = true } }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.wrappedValue == [Task(id: 1)], "the element came back")
    trial.expect(theirs.wrappedValue == [Task(id: 1)], "the element came back to the other")
  },
  Case("R25", "what two programs add, toggle and rename at the same moment is all there") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    one.run { mine.withLock { $0 = [Task(id: 1), Task(id: 2), Task(id: 3)] } }
    programs.deliverAll()
    trial.expect(theirs.wrappedValue.count, equals: 3)
    one.run {
      mine.append(Task(id: 11))
      mine[id: 1]!.done.withLock { $0 = true }
      mine[id: 3]!.title.withLock { $0 = "three" }
    }
    other.run {
      theirs.append(Task(id: 12))
      theirs[id: 2]!.done.withLock { $0 = true }
      theirs[id: 3]!.done.withLock { $0 = true }
    }
    programs.deliverAll()
    let wanted = [
      Task(id: 1, done: true), Task(id: 2, done: true), Task(id: 3, title: "three", done: true),
      Task(id: 11), Task(id: 12),
    ]
    trial.expect(mine.wrappedValue.count, equals: 5)
    trial.expect(mine.wrappedValue == theirs.wrappedValue, "they differ")
    trial.expect(wanted.allSatisfy { mine.wrappedValue.contains($0) }, "something is lost")
    trial.expect(mine.loadError == nil && theirs.loadError == nil, "a loss is told")
  },
  Case("R25", "where both have set one part, the later commit wins, and the loser is told") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tasks(), other.tasks())
    one.run { mine.withLock { $0 = [Task(id: 1, title: "milk")] } }
    programs.deliverAll()
    other.run { theirs[id: 1]!.title.withLock { $0 = "oat milk" } }
    one.run { mine[id: 1]!.title.withLock { $0 = "whole milk" } }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.wrappedValue[0].title, equals: "whole milk")
    trial.expect(theirs.wrappedValue[0].title, equals: "whole milk")
    trial.expect(mine.loadError == nil, "who has won is told of a loss")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
    trial.expect(programs.replaced("tasks"), contains: "oat milk")
  },
  Case("R25", "an update and a withLock of one turn are both made again") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tally(), other.tally())
    programs.deliverAll()
    one.run {
      batch {
        mine.name.withLock { $0 = "mine" }
        mine.count.update { $0 += 1 }
        mine.note.withLock { $0 = "later" }
        mine.count.update { $0 += 1 }
      }
    }
    other.run { theirs.count.update { $0 += 10 } }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.name.wrappedValue, equals: "mine")
    trial.expect(mine.note.wrappedValue, equals: "later")
    trial.expect(mine.count.wrappedValue, equals: 12)
    trial.expect(theirs.wrappedValue == mine.wrappedValue, "they differ")
  },
  Case("R26", "a value is being saved until its commit is answered") { trial in
    let programs = Programs(1)
    let count = programs[0].count()
    programs.deliverAll()
    programs[0].run {
      var seen: [Bool] = []
      let token = observe { seen.append(count.isSaving) }
      count.update { $0 += 1 }
      programs.deliverAll()
      trial.expect(seen == [false, true, false], "isSaving was \(seen.map { $0 ? 1 : 0 })")
      withExtendedLifetime(token) {}
    }
  },
  Case("R27", "one turn is one commit, and what comes meanwhile is one after it") { trial in
    let programs = Programs(1)
    let (count, tasks) = (programs[0].count(), programs[0].tasks())
    programs.deliverAll()
    programs[0].run {
      batch {
        count.update { $0 += 1 }
        tasks.append(Task(id: 1))
      }
      trial.expect(programs.database.commits, equals: 1)
      count.update { $0 += 1 }
      count.update { $0 += 1 }
      tasks.append(Task(id: 2))
      trial.expect(programs.database.commits, equals: 1)
    }
    programs.deliverAll()
    trial.expect(programs.database.commits, equals: 2)
    trial.expect(programs.text("count"), contains: "3")
  },
  Case("R24", "a load shows what others have stored, where records have clients' steps in them") {
    trial in
    let programs = Programs(1)
    programs.database.store.keepsStepsInRecords = true
    let (one, other) = (programs[0].count("one"), programs[0].count("other"))
    programs.deliverAll()
    programs[0].run { one.update { $0 += 1 } }
    programs.deliverAll()
    programs[0].run { other.update { $0 += 1 } }
    programs.deliverAll()
    programs.database.set("one", to: Array("5".utf8))
    programs[0].run { one.load() }
    programs.deliverAll()
    trial.expect(one.wrappedValue, equals: 5)
    programs[0].run { one.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(programs.text("one") == "6", "it is not stored on what others have stored")
  },
  Case("R28", "a commit whose answer is lost is applied once") { trial in
    let programs = Programs(1)
    let count = programs[0].count()
    programs.deliverAll()
    programs[0].run {
      count.update { $0 += 1 }
      programs.loseNextAnswer()
      programs.deliverAll()
      trial.expect(count.isSaving, "it is stored, and nobody knows")
      trial.expect(count.saveError != nil, "the failure is not told")
      count.update { $0 += 1 }
      programs.deliverAll()
      trial.expect(count.wrappedValue, equals: 2)
      trial.expect(!count.isSaving && count.saveError == nil, "it is not over")
    }
    trial.expect(programs.text("count"), contains: "2")
  },
  Case("R29", "without the store a change is shown and kept, and stored when it is back") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 1)
    trial.expect(mine.saveError != nil, "nobody is told")
    programs.database.isOffline = false
    programs[1].run { theirs.update { $0 += 10 } }
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 11)
    trial.expect(theirs.wrappedValue, equals: 11)
    trial.expect(mine.saveError == nil, "the error stays")
  },
  Case("R29", "a value of a key that is built on another one is saving until the store is back") {
    trial in
    let programs = Programs(2)
    let (store, theirs) = (programs[0].store!, programs[1].count())
    let mine = programs[0].run {
      Shared(wrappedValue: 0, BuiltKey(base: .revisions("count", in: store)))
    }
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine.withLock { $0 = 5 } }
    programs.deliverAll()
    trial.expect(mine.isSaving, "it is said to be over")
    programs.database.isOffline = false
    programs[1].run { theirs.update { $0 += 10 } }
    programs.deliverAll()
    trial.expect(!mine.isSaving, "it is said to go on")
    trial.expect(mine.saveError == nil && mine.loadError == nil, "there is an error")
    trial.expect(mine.wrappedValue, equals: theirs.wrappedValue)
  },
  Case("R30", "news runs only the observers of parts that differ") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[0].run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    programs[0].run {
      var (firsts, seconds) = (0, 0)
      let tokens = [
        observe { firsts += mine[id: 1]!.done.wrappedValue ? 10 : 1 },
        observe { seconds += mine[id: 2]!.done.wrappedValue ? 10 : 1 },
      ]
      programs[1].run { theirs[id: 2]!.done.withLock { $0 = true } }
      programs.deliverAll()
      trial.expect(firsts, equals: 1)
      trial.expect(seconds, equals: 11)
      withExtendedLifetime(tokens) {}
    }
  },
  Case("R30", "news that is late, comes twice or in another order changes nothing") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs.database.repeatsNotifications = true
    for _ in 0..<3 {
      programs[0].run { mine.update { $0 += 1 } }
      programs.deliverAll(backwards: true)
    }
    trial.expect(theirs.wrappedValue, equals: 3)
  },
  Case("R30", "who requires a value takes no news from whoever reads it meanwhile") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let theirs = other.count()
    other.run { theirs.update { $0 += 1 } }
    programs.deliverAll()
    one.run { Shared<Int>.require(.revisions("count", in: one.connection)) { _ in } }
    let mine = one.count()
    programs.deliverAll()
    other.run { theirs.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 2)
  },
  Case("R28", "in 200 random schedules every update is applied exactly once") { trial in
    if let problem = CommitSchedules.run(seeds: 1...200) { trial.expect(false, problem) }
  },
  Case("R31", "the store in memory passes the contract of revision stores") { trial in
    for failure in contractFailures(of: MemoryRevisionStore()) {
      trial.expect(false, failure.description)
    }
  },
  Case("R31", needs: .files, "a folder passes the contract of revision stores") { trial in
    let store = FolderRevisionStore(folder: trial.host.makeFolder(), following: .never)
    for failure in contractFailures(of: store) {
      trial.expect(false, failure.description)
    }
  },
  Case("R28", needs: .files, "programs over one folder that count in turn lose nothing") { trial in
    let folder = trial.host.makeFolder()
    let programs = (0..<3).map { _ in
      (SharingEnvironment(), FolderRevisionStore(folder: folder, following: .never))
    }
    let counts = programs.map { program in
      program.0.run { Shared(wrappedValue: 0, .revisions("count", in: program.1)) }
    }
    for _ in 0..<20 {
      for (program, count) in zip(programs, counts) {
        program.0.run { count.update { $0 += 1 } }
      }
    }
    trial.expect(counts[2].wrappedValue, equals: 60)
    trial.expect(counts[2].saveError == nil && !counts[2].isSaving, "it is not stored")
  },
  Case("R28", "what a program had shown when it was killed, the next one commits") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs[0].run {
      mine.update { $0 += 1 }
      mine.update { $0 += 1 }
    }
    programs.crash(0)
    programs[1].run { theirs.update { $0 += 10 } }
    programs.deliverAll()
    let next = programs[0].count()
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 1000) }
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 12)
    trial.expect(theirs.wrappedValue, equals: 12)
    trial.expect(programs.journals.names.allSatisfy { !$0.isJournal }, "a journal is left")
  },
  Case("R28", "what was stored before the program was killed is not stored again") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0, losingMessages: false)
    programs.deliverAll()
    let next = programs[0].count()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
    trial.expect(theirs.wrappedValue, equals: 1)
  },
  Case("R28", "two programs that recover one journal store it once") { trial in
    let programs = Programs(3)
    let mine = programs[0].count()
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    let (one, other) = (programs[1].count(), programs[2].count())
    programs.deliverAll()
    trial.expect(one.wrappedValue, equals: 1)
    trial.expect(other.wrappedValue, equals: 1)
  },
  Case("R28", "what another program has committed of a journal is not shown twice") { trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1 } }
    programs[0].run { mine.update { $0 += 10 } }
    let other = programs.start()
    let theirs = other.count()
    programs.deliver(to: other)
    trial.expect(programs.text("count"), contains: "11")
    let shown = Log()
    let token = programs[0].run { observe { shown.append(mine.wrappedValue) } }
    programs.deliverAll()
    trial.expect(shown.numbers, equals: [11])
    trial.expect(theirs.wrappedValue, equals: 11)
    token.cancel()
  },
  Case("R28", "a commit that comes again on top of itself is stored once") { trial in
    let store = MemoryRevisionStore()
    let key = KeyName("count")
    for (expected, text) in [(0, "1"), (1, "2")] as [(Int64, UTF8Text)] {
      let entry = CommitEntry(key: key, expected: expected, bytes: text.bytes)
      let commit = Commit(client: "a", after: 0, through: 1, entries: [entry])
      store.commit(commit, rebase: { _, _ in nil }) { _ in }
    }
    trial.expect(
      store.stored(key) == StoredRevision(key: key, revision: 1, bytes: UTF8Text("1").bytes),
      "it is stored again")
  },
  Case("R28", "a journal that is damaged, or somebody else's, is left alone") { trial in
    let programs = Programs(1)
    let texts: [StaticString] = [
      "", "{", "[]", "{}", "null", "7", #"{"steps":[]}"#, #"{"steps":[{"key":"count"}]}"#,
      #"{"steps":[{"number":1,"kind":"other","key":"count"}]}"#,
      #"{"steps":[{"number":"x","kind":"set","key":"count"}]}"#,
      #"{"order":"x","steps":[{"number":1,"kind":"set","key":"count"}]}"#,
    ]
    for (index, text) in texts.enumerated() {
      let name: UTF8Text = "sharing.journal.client.\(index + 1)"
      programs.journals.replace(KeyName(bytes: name.bytes), by: UTF8Text(stringLiteral: text).bytes)
    }
    let count = programs[0].count()
    programs.deliverAll()
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(count.wrappedValue, equals: 1)
    programs[0].hide()
    trial.expect(programs.journals.names.filter { $0.isJournal }.count, equals: texts.count)
    trial.expect(programs.issues.count, equals: texts.count)
    trial.expect(programs.issues.first, contains: "This program cannot read the journal")
  },
  Case("R28", "a journal whose numbers no program has written is recovered all the same") { trial in
    for order in [-9, 0, Int.max] {
      let programs = Programs(1)
      let step: UTF8Text =
        #"{"number":1,"kind":"update","key":"count","default":"0","before":null,"after":"5"}"#
      let text: UTF8Text = #"{"committed":-1,"order":\#(order),"steps":[\#(step)]}"#
      programs.journals.replace("sharing.journal.x.1", by: text.bytes)
      let count = programs[0].count()
      programs[0].run { count.update { $0 += 1 } }
      programs.deliverAll()
      trial.expect(count.wrappedValue, equals: 6)
      trial.expect(programs.text("count"), contains: "6")
      trial.expect(programs.issues.isEmpty, "something is reported")
    }
  },
  Case("R30", "the value of the last visit shows at once, until the store has answered") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs[0].run { mine.update { $0 = 5 } }
    programs.deliverAll()
    programs[0].hide()
    programs.crash(0)
    let next = programs[0].count()
    trial.expect(next.wrappedValue, equals: 5)
    programs[0].run { next.update { $0 += 1 } }
    programs[1].run { theirs.update { $0 += 10 } }
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 16)
    trial.expect(theirs.wrappedValue, equals: 16)
  },
]
