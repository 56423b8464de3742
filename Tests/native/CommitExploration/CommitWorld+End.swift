import SharingCore
import SimulatedRevisions

/// An end of an exploration's path: the order in which all that is under way comes to its end. Then
/// a program of the newest release has run, and all is quiet.
enum CommitEnding: UInt8, CaseIterable {
  /// The programs go on; another one starts then.
  case goOn
  /// All programs end, and their messages are lost.
  case lost
  /// All programs end, and their commits arrive after the recovery.
  case late
  /// Another program starts and recovers while the others wait for the store.
  case beside
  /// The same, and the others receive their messages in reverse order.
  case reversed
  /// All programs end, and the oldest release starts, changes the values and ends.
  case rollBack
}

extension CommitWorld {
  func finish(_ ending: CommitEnding) {
    programs.journals.writesUntilEnd = nil
    programs.journals.capacity = nil
    for run in running { run?.finish() }
    switch ending {
    case .goOn:
      settle()
      checkQuiet()
    case .lost: killAll(losingMessages: true)
    case .late:
      killAll(losingMessages: false)
      runLast()
    case .beside: runLast()
    case .reversed:
      runLast()
      messages.deliverAll(backwards: true)
      check()
    case .rollBack: rollBack()
    }
    if running[2] == nil { start(2, setting.newest) }
    isAtEnd = true
    onStep?("the newest release has started")
    settle()
    checkQuiet()
    for key in setting.keys {
      if let problem = model.problemOfEnd(key) { fail(problem) }
    }
    for name in programs.journals.names where name.isJournal { fail("the journal \(name) is left") }
  }

  private func killAll(losingMessages: Bool) {
    for number in running.indices where running[number] != nil {
      kill(number, losingMessages: losingMessages)
    }
    if losingMessages { messages.removeAll() }
  }

  /// Starts the last program, which has its messages delivered while those of the others wait.
  private func runLast() {
    start(2, setting.newest)
    let program = programs[2]
    programs.deliver(to: program)
    onStep?("the last program has its messages")
    program.run { program.clock.advance(by: 1000) }
    programs.deliver(to: program)
    check()
  }

  private func rollBack() {
    killAll(losingMessages: false)
    start(2, setting.releases[0])
    onStep?("the oldest release has started")
    settle()
    checkQuiet()
    for key in setting.keys { change([key], running[2]!) }
    check()
    onStep?("changes of the oldest release")
    settle()
    checkQuiet()
    kill(2)
  }

  /// Delivers all messages and lets time pass, until nothing is left to do.
  func settle() {
    for number in running.indices where missed[number] {
      missed[number] = false
      database.notify(programs[number].connection, programs[number].connection.keys)
    }
    for _ in 0..<5 {
      deliverAll()
      var isQuiet = true
      for run in running {
        guard let run else { continue }
        if run.program.clock.isWaiting {
          isQuiet = false
          run.program.run { run.program.clock.advance(by: 60_000) }
        }
        if hasLoadFailed { loadAgain(run) }
      }
      if isQuiet && !hasLoadFailed { return }
    }
    deliverAll()
  }

  private func deliverAll() {
    if onStep == nil { programs.deliverAll() }
    while onStep != nil, hasMessages {
      messages.deliverOne(0)
      onStep?("")
    }
    check()
  }

  private var hasMessages: Bool {
    running.indices.contains { number in
      let kinds: [Messages.Kind] = [.question, .answer, .notification]
      return kinds.contains { messages.count($0, of: number) > 0 }
    }
  }

  /// Loads failed values again, like a person who sees the error.
  private func loadAgain(_ run: ExploredProgram) {
    run.turn { for value in run.values where value.loadError != nil { value.load() } }
  }
}
