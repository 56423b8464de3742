import SharingCommits
import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// A key over a revision store adopts the value of a plain key.
let adoption: [Case] = [
  Case("R24", "what the old key holds shows at once, is stored, and counted on") { trial in
    let programs = Programs(2)
    programs.setOld("5")
    let count = programs[0].adoptingCount()
    trial.expect(count.wrappedValue, equals: 5)
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(count.wrappedValue, equals: 6)
    trial.expect(programs.stored, equals: "6")
    trial.expect(programs[1].countWhenLoaded(), equals: 6)
    trial.expect(programs.journals.store, "old", equals: "5")
  },
  Case("R24", "the old key's value shows also if a status was read before the first wrapper") {
    trial in
    let programs = Programs(1)
    programs.setOld("5")
    let program = programs[0]
    program.run {
      let key: RevisionKey<Int> = .revisions("count", in: program.store)
      trial.expect(key.commitStatus.pendingCount, equals: 0)
    }
    let count = program.adoptingCount()
    trial.expect(count.wrappedValue, equals: 5)
    programs.deliverAll()
    trial.expect(programs.stored, equals: "5")
  },
  Case("R19", "members that its type lacks are taken over, too, also by a change before that") {
    trial in
    for isUpdate in [true, false] {
      let programs = Programs(1)
      programs.setOld(#"{"name":"a","note":"","count":5,"due":6}"#)
      let tally = programs[0].adoptingTally()
      programs[0].run {
        if isUpdate {
          tally.count.update { $0 += 1 }
        } else {
          tally.count.withLock { $0 += 1 }
        }
      }
      programs.deliverAll()
      trial.expect(programs.text("tally"), contains: #""count":6"#)
      trial.expect(programs.text("tally"), contains: #""due":6"#)
      programs[0].run { tally.note.withLock { $0 = "later" } }
      programs.deliverAll()
      trial.expect(programs.text("tally"), contains: #""due":6"#)
    }
  },
  Case("R24", "it is taken over by one of two programs that begin at once") { trial in
    let programs = Programs(2)
    programs.setOld("5")
    let counts = [programs[0].adoptingCount(), programs[1].adoptingCount()]
    for index in 0...1 { programs[index].run { counts[index].update { $0 += 1 } } }
    programs.deliverAll()
    trial.expect(counts.map { $0.wrappedValue }, equals: [7, 7])
    trial.expect(programs.stored, equals: "7")
  },
  Case("R24", "where something is stored already, or was and is removed, it is not taken over") {
    trial in
    let programs = Programs(1)
    let first = programs[0].count()
    programs[0].run { first.update { $0 = 3 } }
    programs.deliverAll()
    programs.setOld("5")
    programs.crash(0)
    let next = programs[0].adoptingCount()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 3)
    programs[0].run { next.reset() }
    programs.deliverAll()
    programs[0].hide()
    programs.crash(0)
    let last = programs[0].adoptingCount()
    trial.expect(last.wrappedValue, equals: 0)
    programs.deliverAll()
    trial.expect(last.wrappedValue, equals: 0)
    trial.expect(programs.stored, equals: nil)
    _ = try? programs.journals.store.slot(for: KeyName("sharing.copy.count")).replace(by: nil)
    programs.crash(0)
    let elsewhere = programs[0].adoptingCount()
    programs.deliverAll()
    trial.expect(elsewhere.wrappedValue, equals: 0)
  },
  Case("R28", "a program that was killed before it was stored leaves it to the next one") { trial in
    let programs = Programs(1)
    programs.setOld("5")
    let count = programs[0].adoptingCount()
    programs[0].run { count.update { $0 += 1 } }
    programs.crash(0)
    let next = programs[0].adoptingCount()
    programs.deliverAll()
    trial.expect(next.wrappedValue, equals: 6)
    trial.expect(programs.stored, equals: "6")
  },
  Case("R29", "without the store it shows, and is stored when that is back") { trial in
    let programs = Programs(1)
    programs.setOld("5")
    programs.database.isOffline = true
    let count = programs[0].adoptingCount()
    programs.deliverAll()
    trial.expect(count.wrappedValue, equals: 5)
    trial.expect(count.loadError != nil, "it is not told")
    programs.database.isOffline = false
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(programs.stored, equals: "6")
  },
  Case("R10", "a load that the old key answers beside a change of the same turn is answered once") {
    trial in
    let programs = Programs(1)
    let count = programs[0].adoptingCount()
    programs.setOld("5")
    let answers = Log()
    programs[0].run {
      batch {
        count.withLock { $0 = 7 }
        count.load { _ in answers.append(1) }
      }
    }
    programs.deliverAll()
    trial.expect(answers.count, equals: 1)
    trial.expect(count.wrappedValue, equals: 7)
    trial.expect(programs.stored, equals: "7")
    programs[0].run { count.load { _ in } }
    trial.expect(count.isLoading, "it is not loading")
    programs.deliverAll()
    trial.expect(!count.isLoading, "it is loading for ever")
  },
  Case("R15", "what does not decode is told, and stays") { trial in
    let programs = Programs(1)
    programs.setOld("[1,")
    let count = programs[0].adoptingCount()
    trial.expect(count.loadError != nil, "it is not told")
    programs.deliverAll()
    trial.expect(count.wrappedValue, equals: 0)
    programs[0].run { count.update { $0 += 1 } }
    programs.deliverAll()
    trial.expect(programs.stored, equals: "1")
    trial.expect(programs.journals.store, "old", equals: "[1,")
  },
]

extension Programs {
  fileprivate var stored: String? {
    text("count").map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  fileprivate func setOld(_ text: StaticString) {
    journals.replace(KeyName("old"), by: UTF8Text(stringLiteral: text).bytes)
  }
}

extension Program {
  fileprivate func adoptingTally() -> Shared<Tally> {
    run {
      Shared(
        wrappedValue: Tally(), .revisions("tally", in: store, adopting: .localStorage("old")))
    }
  }

  fileprivate func countWhenLoaded() -> Int {
    let count = count()
    connection.database.messages.deliverAll()
    return count.wrappedValue
  }
}
