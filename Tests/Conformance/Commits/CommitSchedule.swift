import SharingCore
import WasiStorage

/// A schedule of three programs over one revision store: what they change, which message arrives
/// when, which answer is lost, when the store is away, when a program ends.
///
/// After every step, and when everything is delivered in the end, what the programs show and what
/// is stored is compared with a ``CommitModel``.
final class CommitSchedule: @unchecked Sendable {
  let programs = Programs(3)
  /// The programs that run, by their number; and those that have ended.
  var runs: [CommitRun] = []
  var model = CommitModel()
  private(set) var problem: String?

  private init() {
    programs.onProblem = { [unowned(unsafe) self] in fail($0) }
    programs.onCommit = { [unowned(unsafe) self] in checkStored() }
    for number in 0..<3 { runs.append(CommitRun(programs[number], number, self)) }
  }

  /// What goes wrong in these steps; nil where nothing does.
  static func run(_ steps: [CommitStep]) -> String? {
    let schedule = CommitSchedule()
    for step in steps where schedule.problem == nil {
      schedule.take(step)
      schedule.restart()
      for run in schedule.runs { run.check(schedule.model) }
    }
    if schedule.problem == nil { schedule.finish() }
    schedule.programs.end()
    return schedule.problem
  }

  func fail(_ what: String) {
    if problem == nil { problem = what }
  }

  private func take(_ step: CommitStep) {
    let number = step.a % 3
    let (run, program) = (runs[number], programs[number])
    switch step.action {
    case .add, .twice, .pair, .mark, .append, .title, .long, .mixed, .remove:
      var made = model
      program.run { run.change(step.action, step.b, &made) }
      // What it has shown is gone with a program that could not write it down.
      if case .journaled = program.death { return }
      model = made
    case .save: program.run { run.save() }
    case .deliver: programs.deliverOne(step.a * 60 + step.b)
    case .lose: programs.accident = .lost
    case .late: programs.accident = .late
    case .repeats: programs.repeatsNews.toggle()
    case .offline: programs.isOffline = true
    case .online: programs.isOffline = false
    case .rebases: programs.rebases.toggle()
    case .full: if !isDoomed { programs.journals.isFull = true }
    case .room: programs.journals.isFull = false
    case .wait: program.run { program.clock.advance(by: 1000 * (1 + step.b)) }
    case .crash: crash(number, losingMessages: false)
    case .lonely: crash(number, losingMessages: true)
    case .committing: if !lacksJournal { program.death = .committing(arrives: step.b % 2 == 0) }
    case .journaling: if !lacksJournal { program.death = .journaling }
    }
  }

  /// Whether a program that ends could lose what it has shown.
  private var lacksJournal: Bool {
    programs.journals.isFull || (0..<3).contains { programs[$0].lacksJournal }
  }

  /// Whether a program is about to end.
  private var isDoomed: Bool {
    (0..<3).contains { if case .none = programs[$0].death { false } else { true } }
  }

  private func crash(_ number: Int, losingMessages: Bool) {
    if lacksJournal { return }
    programs.crash(number, losingMessages: losingMessages)
    runs[number] = CommitRun(programs[number], number, self)
  }

  /// Starts those programs again that have ended.
  private func restart() {
    for number in 0..<3 where !programs[number].isRunning {
      programs.crash(number, losingMessages: false)
      runs[number] = CommitRun(programs[number], number, self)
    }
  }

  // MARK: The end

  private func finish() {
    programs.isOffline = false
    programs.journals.isFull = false
    programs.accident = .none
    for number in 0..<3 { programs[number].death = .none }
    for _ in 0..<3 { settle() }
    failTwice()
    for run in runs { run.checkSaved() }
    settle()
    checkEnd()
    // A program that starts now finds nothing to do, and shows the same.
    runs.append(CommitRun(programs.start(), 3, self))
    settle()
    checkEnd()
  }

  /// A change that fails, and fails again: with no other one, only time brings it into the store.
  private func failTwice() {
    programs.isOffline = true
    programs[0].run { runs[0].change(.add, 0, &model) }
    settle()
    programs.isOffline = false
    settle()
  }

  /// Lets everything arrive, and a minute pass.
  private func settle() {
    programs.deliverAll()
    for number in 0..<3 {
      let program = programs[number]
      program.run { program.clock.advance(by: 60_000) }
    }
    programs.deliverAll()
    for run in runs {
      run.check(model)
      run.loadAgain()
    }
    programs.deliverAll()
  }

  private func checkStored() {
    let (inCount, pairs) = (CommitModel.parts(of: stored("count"))[3], stored("pairs"))
    if inCount != pairs { fail("of \(pairs) turns, \(inCount) are stored under the other key") }
    if let text = programs.text("tasks.replaced")?.bytes, text != model.copies.last {
      model.copies.append(text)
    }
  }

  private func checkEnd() {
    for run in runs { run.checkEnd(model) }
    for key in programs.journals.keys() where key.isJournal { fail("a journal is left") }
    for key: StaticString in ["count", "pairs", "tasks"] {
      if copy(of: key) != programs.text(key)?.bytes { fail("the copy of \(key) is old") }
    }
  }

  private func copy(of key: StaticString) -> [UInt8]? {
    let copy: UTF8Text = "sharing.copy.\(key)"
    return programs.journals.store.bytes(for: KeyName(bytes: copy.bytes))
  }

  /// The number that a program finds at its start: the copy of what is stored under a key.
  func copied(_ key: StaticString) -> Int { Self.number(copy(of: key)) }

  /// The number that is stored under a key.
  func stored(_ key: StaticString) -> Int { Self.number(programs.text(key)?.bytes) }

  private static func number(_ bytes: [UInt8]?) -> Int {
    bytes.flatMap { try? JSON.decode(Int.self, from: $0) } ?? 0
  }

  var storedTasks: [Task] {
    programs.text("tasks").flatMap { try? JSON.decode([Task].self, from: $0.bytes) } ?? []
  }
}
