import SharingCore
import SharingTestDoubles
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// Failures that random schedules of commits have found: see ``CommitSchedule``.
let commitLosses: [Case] = [
  Case("R25", "an element stays behind others when the one before it is removed elsewhere") {
    trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[0].run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    programs[0].run { mine.append(Task(id: 3)) }
    programs[1].run { _ = theirs.remove(id: 2) }
    programs.deliverAll()
    trial.expect(mine.wrappedValue == [Task(id: 1), Task(id: 3)], "the order is another one")
    trial.expect(theirs.wrappedValue == mine.wrappedValue, "they differ")
  },
  Case("R25", "what a change replaces that has waited is kept, and its author is told") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[0].run { mine.withLock { $0 = [Task(id: 1)] } }
    programs.deliverAll()
    programs.database.isOffline = true
    programs[0].run { mine[id: 1]!.title.withLock { $0 = "whole milk" } }
    programs.deliverAll()
    programs.database.isOffline = false
    programs[1].run { theirs[id: 1]!.title.withLock { $0 = "oat milk" } }
    programs.deliverAll()
    trial.expect(theirs.wrappedValue[0].title, equals: "whole milk")
    trial.expect(theirs.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
    trial.expect(programs.replaced("tasks"), contains: "oat milk")
  },
  Case("R25", "of several parts that one commit replaces, all are kept") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[0].run { mine.withLock { $0 = [Task(id: 1), Task(id: 2)] } }
    programs.deliverAll()
    // Changes made while this commit is under way become one commit.
    programs[0].run { mine[id: 1]!.marks.update { $0 += 1 } }
    for id in 1...2 {
      programs[1].run { theirs[id: id]!.title.withLock { $0 = "oat \(id)" } }
      programs[0].run { mine[id: id]!.title.withLock { $0 = "whole \(id)" } }
    }
    programs.deliver(to: programs[1])
    programs.deliverAll()
    trial.expect(mine.wrappedValue == theirs.wrappedValue, "they differ")
    trial.expect(programs.replaced("tasks"), contains: "oat 1")
    trial.expect(programs.replaced("tasks"), contains: "oat 2")
  },
  Case("R28", "what a killed program has updated does not come back when it was removed") { trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[0].run { mine.withLock { $0 = [Task(id: 1)] } }
    programs.deliverAll()
    programs[0].run { mine[id: 1]!.marks.update { $0 += 1 } }
    programs.crash(0)
    programs[1].run { _ = theirs.remove(id: 1) }
    programs.deliverAll()
    let next = programs[0].tasks()
    programs.deliverAll()
    trial.expect(next.wrappedValue.isEmpty && theirs.wrappedValue.isEmpty, "it has come back")
  },
  Case("R28", "what another program has recovered is not part of a later step") { trial in
    let programs = Programs(2)
    let mine = programs[0].tasks()
    programs[0].run { mine.withLock { $0 = [Task(id: 1)] } }
    programs.deliverAll()
    // The first commit is under way; a program that starts commits all three.
    programs[0].run {
      mine[id: 1]!.title.withLock { $0 = String(repeating: "ü", count: 1000) }
      mine[id: 1]!.title.withLock { $0 += "x" }
      mine[id: 1]!.marks.update { $0 += 1 }
    }
    let theirs = programs[1].tasks()
    programs[0].run { mine[id: 1]!.marks.update { $0 += 1 } }
    programs.crash(0)
    programs.deliverAll()
    let next = programs[0].tasks()
    programs.deliverAll()
    trial.expect(next.wrappedValue[0].marks, equals: 2)
    trial.expect(theirs.wrappedValue == next.wrappedValue, "they differ")
    trial.expect(next.wrappedValue[0].title.utf8.count, equals: 2001)
  },
  Case("R28", "what others stored between two steps of a journal is not part of the later one") {
    trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs[0].run { mine.withLock { $0 = [Task(id: 1, title: "é")] } }
    programs.deliverAll()
    programs[1].run { theirs[id: 1]!.done.withLock { $0 = true } }
    programs[0].run {
      mine[id: 1]!.title.withLock { $0 = "è" }
      mine[id: 1]!.title.withLock { $0 = "©" }
    }
    // The letters have bytes in common, at the start and at the end.
    // Delivers both commits, until theirs shows: the second step is under way then.
    for _ in 0..<40 where !mine.wrappedValue[0].done { programs.deliverOne(0) }
    trial.expect(mine.wrappedValue[0].done && mine.isSaving, "nothing is under way")
    programs[0].run { mine[id: 1]!.title.withLock { $0 = "§ɩ" } }
    programs.database.messages.removeAll()
    programs.crash(0)
    programs[1].run { theirs[id: 1]!.done.withLock { $0 = false } }
    programs.deliverAll()
    let next = programs[0].tasks()
    programs.deliverAll()
    trial.expect(next.wrappedValue == [Task(id: 1, title: "§ɩ")], "\(next.wrappedValue)")
  },
  Case("R28", "what a journal has stays shown where a value is loaded again before it is stored") {
    trial in
    let programs = Programs(1)
    let mine = programs[0].count()
    programs.deliverAll()
    programs[0].run { mine.update { $0 += 1 } }
    programs.crash(0)
    programs.database.isOffline = true
    let next = programs[0].count()
    programs.deliverAll()
    programs.database.isOffline = false
    programs[0].run { next.load() }
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
    trial.expect(next.loadError == nil, "an error stays")
    programs[0].run { programs[0].clock.advance(by: 60_000) }
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 1)
    trial.expect(programs.text("count"), contains: "1")
  },
  Case("R28", "a journal brings nothing back where the store was cleared") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0].count(), programs[1].count())
    programs.deliverAll()
    programs.loseNextAnswer()
    programs[0].run { one.update { $0 += 1 } }
    programs.deliverOne(0)  // the commit; its effects wait
    programs.deliver(to: programs[1])
    programs[1].run { other.update { $0 += 10 } }
    programs.database.store.clear()
    programs.journals.clear()
    programs[1].run { other.update { $0 += 100 } }
    programs.crash(1)
    let next = programs[1].count()
    programs.deliver(to: programs[1])
    programs[1].run { programs[1].clock.advance(by: 1000) }
    programs.deliver(to: programs[1])
    trial.expect(programs.text("count"), contains: "110")
    programs.deliverAll()
    // It has not received the answer, so it stores its change again.
    trial.expect(programs.text("count"), contains: "111")
    trial.expect(one.wrappedValue, equals: 111)
    trial.expect(next.wrappedValue, equals: 111)
  },
  Case("R28", "an element that two programs have added under one id keeps it when it is recovered")
  {
    trial in
    let programs = Programs(2)
    let (mine, theirs) = (programs[0].tasks(), programs[1].tasks())
    programs.deliverAll()
    programs[0].run { mine.update { $0.append(Task(id: 3, title: "mine", marks: 1)) } }
    programs.crash(0)
    programs[1].run { theirs.update { $0.append(Task(id: 3, marks: 2)) } }
    programs.deliverAll()
    let next = programs[0].tasks()
    programs.deliverAll()
    programs[0].run { programs[0].clock.advance(by: 1000) }
    programs.deliverAll()
    let wanted = [Task(id: 3, title: "mine", marks: 3)]
    trial.expect(next.wrappedValue == wanted, "\(next.wrappedValue.map { $0.id }) are there")
    trial.expect(theirs.wrappedValue == next.wrappedValue, "they differ")
  },
  Case("R28", "a step whose answer is lost counts once, until as many others commit as are known") {
    trial in
    for (others, expected) in [(2, 3), (3, 5)] {
      let programs = Programs(2)
      programs.database.store.clientLimit = 3
      let count = programs[0].count()
      programs.deliverAll()
      programs.loseNextAnswer()
      programs[0].run { count.update { $0 += 1 } }
      programs.deliverOne(0)  // the commit; its effects wait
      for _ in 1...others {
        programs.crash(1)
        let other = programs[1].count()
        programs[1].run { other.update { $0 += 1 } }
        programs.deliver(to: programs[1])
        programs[1].run { programs[1].clock.advance(by: 2000) }
        programs.deliver(to: programs[1])
      }
      programs.deliverAll()
      programs[0].run { programs[0].clock.advance(by: 60_000) }
      programs.deliverAll()
      // Nothing is lost; the forgotten step counts twice.
      trial.expect(count.wrappedValue, equals: expected)
    }
  },
  Case("R24", "what another program has removed while a change is in doubt stays removed") {
    trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.count(), other.count())
    one.run { mine.withLock { $0 = 5 } }
    programs.deliverAll()
    programs.database.accident = .late
    one.run { mine.update { $0 += 1 } }
    other.run { theirs.reset() }
    programs.deliver(to: other)
    programs.deliverAll()
    trial.expect(mine.wrappedValue, equals: 1)
    trial.expect(programs.text("count"), contains: "1")
    trial.expect(theirs.wrappedValue, equals: 1)
  },
  Case("R25", "what was replaced before the first answer of the store is told") { trial in
    let programs = Programs(2)
    let other = programs[1]
    let theirs = other.tally()
    other.run { theirs.name.withLock { $0 = "before" } }
    programs.deliverAll()
    other.run { other.clock.advance(by: 1000) }
    let mine = programs[0].tally()
    programs.database.rebases = true
    programs[0].run { mine.name.withLock { $0 = "mine" } }
    programs.deliverOne(1)  // my change is stored
    other.run { theirs.name.withLock { $0 = "theirs" } }
    programs.deliverOne(6)  // it is replaced
    programs.deliverOne(0)  // the stored value is read
    programs.deliverOne(10)  // the notification arrives before the answer
    programs.deliverAll()
    trial.expect(mine.wrappedValue.name, equals: "theirs")
    trial.expect(programs.replaced("tally"), contains: "mine")
    trial.expect(mine.loadError.map { reason(of: $0) } == .replaced, "the loser is not told")
  },
  Case("R25", "who has replaced something hears that it was replaced before") { trial in
    let programs = Programs(2)
    let (one, other) = (programs[0], programs[1])
    let (mine, theirs) = (one.tally(), other.tally())
    programs.deliverAll()
    programs.database.rebases = true
    one.run { mine.name.withLock { $0 = "mine" } }
    other.run { theirs.name.withLock { $0 = "theirs" } }
    programs.deliverOne(0)  // the first one is stored
    programs.deliverOne(0)  // it is replaced
    programs.deliverOne(2)  // the answer: it has been stored
    one.run { mine.name.withLock { $0 = "mine again" } }
    programs.deliverOne(7)  // the second change replaces the other one
    programs.deliverOne(11)  // the answer: it has been stored
    programs.deliverAll()  // all remaining notifications
    trial.expect(mine.name.wrappedValue, equals: "mine again")
    trial.expect(programs.replaced("tally"), contains: "theirs")
    trial.expect(mine.loadError.map { reason(of: $0) } == .replaced, "it is not told")
  },
]
