import RandomSteps
import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// A schedule of three programs over one revision store: their changes, the order of messages, lost
/// answers, unreachable stores, ends of programs.
///
/// Compares the shown and stored values with a ``CommitModel`` after every step, and at the end,
/// after all messages are delivered.
final class CommitSchedule: @unchecked Sendable {
  let programs: Programs
  /// The running programs by number, then the ended ones.
  var runs: [CommitRun] = []
  var model = CommitModel()
  private(set) var problem: String?
  /// The number of started programs: the store has records of as many clients, and not one more.
  private var startCount = 0
  /// The number of times that the store was cleared.
  var clearings = 0
  /// Former stored values.
  var former: [(key: UTF8Text, text: UTF8Text)] = []

  private init(_ doubles: any Doubles) {
    programs = Programs(3, with: doubles)
    programs.database.onProblem = { [unowned(unsafe) self] in fail($0) }
    programs.database.onCommit = { [unowned(unsafe) self] in checkStored() }
    for number in 0..<3 { runs.append(run(programs[number], number)) }
  }

  /// Returns the failure of these steps; nil if they succeed.
  static func run(_ steps: [CommitStep], with doubles: any Doubles = NoDoubles()) -> String? {
    let schedule = CommitSchedule(doubles)
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
      if !program.connection.isAway { change(run, step.action, step.b) }
    case .save: if !program.connection.isAway { program.run { run.save() } }
    case .deliver: programs.deliverOne(step.a * 60 + step.b)
    case .lose: programs.database.accident = .lost
    case .late: programs.database.accident = .late
    case .repeats: programs.database.repeatsNotifications.toggle()
    case .offline: programs.database.isOffline = true
    case .online: programs.database.isOffline = false
    case .rebases: programs.database.rebases.toggle()
    case .full: if !isDoomed { programs.journals.isFull = true }
    case .room: programs.journals.isFull = false
    case .quota: programs.database.isFull = true
    case .space: programs.database.isFull = false
    case .stall: programs.database.messages.stall(program.connection)
    case .close: programs.database.messages.close(program.connection)
    case .records:
      if programs.database.commits == 0 { programs.database.store.keepsStepsInRecords = true }
    case .upgrade: upgrade(number)
    case .clear: clear(withJournals: step.b % 2 == 0)
    case .stale: makeCopyStale(step.a * 60 + step.b)
    case .leave: leave(run, step.b)
    case .back: if program.connection.isAway { program.connection.comeBack() }
    case .wait: wait(1 + step.b, program)
    case .crash: crash(number, losingMessages: false)
    case .lonely: crash(number, losingMessages: true)
    case .committing:
      if !lacksJournal { program.connection.death = .committing(arrives: step.b % 2 == 0) }
    case .journaling: if !lacksJournal { program.connection.death = .journaling }
    }
  }

  func change(_ run: CommitRun, _ action: CommitAction, _ number: Int) {
    var made = model
    run.program.run { run.change(action, number, &made) }
    // Changes are lost if the program could not journal them before its end.
    if case .journaled = run.program.connection.death { return }
    model = made
  }

  /// Whether a program that ends now could lose shown changes.
  var lacksJournal: Bool {
    programs.journals.isFull || (0..<3).contains { programs[$0].lacksJournal }
  }

  /// Whether a program is about to end.
  var isDoomed: Bool {
    (0..<3).contains { if case .none = programs[$0].connection.death { false } else { true } }
  }

  func crash(_ number: Int, losingMessages: Bool) {
    if !lacksJournal { restart(number, losingMessages: losingMessages) }
  }

  /// Restarts the programs that have ended.
  private func restart() {
    for number in 0..<3 where !programs[number].isRunning {
      restart(number, losingMessages: false)
    }
  }

  private func restart(_ number: Int, losingMessages: Bool) {
    programs.crash(number, losingMessages: losingMessages)
    runs[number] = run(programs[number], number)
  }

  /// Returns the run of a started program.
  func run(_ program: Program, _ number: Int) -> CommitRun {
    startCount += 1
    programs.database.store.clientLimit = startCount
    return CommitRun(program, number, self)
  }

  /// Returns the copy of the stored value of a key, which a program shows first.
  func copy(of key: UTF8Text) -> [UInt8]? {
    let copy: UTF8Text = "sharing.copy.\(key)"
    return programs.journals.store.bytes(for: KeyName(bytes: copy.bytes))
  }

  /// Returns the number in the copy of a key's stored value, which a program shows first.
  func copied(_ key: UTF8Text) -> Int { Self.number(copy(of: key)) }

  /// Returns the number that is stored under a key.
  func stored(_ key: UTF8Text) -> Int { Self.number(programs.text(key)?.bytes) }

  private static func number(_ bytes: [UInt8]?) -> Int {
    bytes.flatMap { try? JSON.decode(Int.self, from: $0) } ?? 0
  }

  var storedTasks: [Task] { Self.tasks(programs.text("tasks")?.bytes) }

  var copiedTasks: [Task] { Self.tasks(copy(of: "tasks")) }

  private static func tasks(_ bytes: [UInt8]?) -> [Task] {
    bytes.flatMap { try? JSON.decode([Task].self, from: $0) } ?? []
  }
}
