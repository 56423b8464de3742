import RandomSteps
import SharingCore
import SimulatedPrograms
import SimulatedRevisions
import WasiStorage

/// Two programs over one revision store, whose messages wait until an event delivers them. A third
/// program is there for the end.
///
/// After each event, it compares the shown and stored values with the changes that were made.
final class CommitWorld {
  let setting: CommitSetting
  let programs: Programs
  /// The running programs by number.
  var running: [ExploredProgram?] = [nil, nil, nil]
  /// All that were started.
  var started: [ExploredProgram] = []
  var model = CommittedChanges()
  /// The changes by programs of the newest release.
  private(set) var newestChanges: [Int] = []
  /// The number of changes of each program, of failures, of ends and of loads.
  var changeCounts = [0, 0, 0]
  var faultCount = 0
  var killCount = 0
  var loadCount = 0
  var fullCount = 0
  var damageCount = 0
  /// Whether a load has failed. Then a person loads again.
  var hasLoadFailed = false
  /// The keys of lost notifications, by program.
  var missed: [Bool] = [false, false, false]
  private var hasLast = false
  /// Whether a program of the newest release has started at the end.
  var isAtEnd = false
  /// Whether the invariants are checked. A path that is performed again has been checked.
  var isChecking = true
  /// Called after each step of an ending, with its description, if a path is replayed.
  var onStep: ((String) -> Void)?
  private(set) var problem: String?

  var database: SimulatedDatabase { programs.database }
  var messages: Messages { programs.database.messages }

  init(_ setting: CommitSetting) {
    self.setting = setting
    programs = Programs(setting.releases.count)
    database.notifiesOthersOnly = !setting.echoes
    database.rebases = setting.rebases
    database.store.keepsStepsInRecords = setting.keepsStepsInRecords
    database.onProblem = { [unowned(unsafe) self] in fail($0) }
    database.onStored = { [unowned(unsafe) self] in checkStored($0) }
    for step in ExploredStep.steps(UTF8Text(stringLiteral: setting.beginning).bytes) ?? [] {
      perform(step)
    }
  }

  /// Ends the programs and releases their objects.
  func end() {
    for run in running { run?.finish() }
    for run in started { run.end() }
    programs.end()
  }

  func fail(_ what: String) {
    if problem == nil { problem = what }
  }

  /// Returns the text that is stored under a key.
  func text(_ key: ExploredKey) -> UTF8Text? { programs.text(key.name) }

  // MARK: Events

  /// Performs an event and checks the invariants.
  func perform(_ step: ExploredStep) {
    programs.journals.uses = []
    let number = step.a
    let wasRunning = running[number]?.program.isRunning ?? false
    switch step.action {
    case .add, .note, .both: change(step.action, running[number]!)
    case .load:
      loadCount += 1
      let run = running[number]!
      run.turn { for value in run.values { value.load() } }
    case .begin: begin(running[number]!)
    case .finish: running[number]!.finish()
    case .arrive: messages.deliver(.question, of: number, number: step.b)
    case .deliver: deliver(step)
    case .refuse, .late:
      faultCount += 1
      if !messages.isCommit(of: number, number: step.b) { hasLoadFailed = true }
      messages.fail(of: number, number: step.b, isLate: step.action == .late)
    case .lose:
      faultCount += 1
      database.accident = .lost
      messages.deliver(.question, of: number, number: step.b)
    case .answer: messages.deliver(.answer, of: number, number: step.b)
    case .notice: messages.deliver(.notification, of: number, number: step.b)
    case .again:
      faultCount += 1
      messages.deliver(.notification, of: number, number: step.b, isRepeated: true)
    case .miss: miss(number)
    case .wait: running[number]!.program.run { running[number]!.program.clock.advance(by: 1000) }
    case .kill:
      killCount += 1
      kill(number)
    case .start: start(number, setting.releases[number])
    case .doom:
      killCount += 1
      programs.journals.writesUntilEnd = step.b
    case .full:
      fullCount += 1
      setFull(true)
    case .room: setFull(false)
    case .damage: damage(setting.keys[0])
    case .rest: settle()
    }
    if wasRunning, let run = running[number], !run.program.isRunning { kill(number) }
    check()
  }

  /// Makes a change of one or two values. It may be lost if the program ends in its turn.
  private func change(_ action: CommitEvent, _ run: ExploredProgram) {
    let keys: [ExploredKey] =
      switch action {
      case .add: [.score]
      case .note: [.notes]
      default: [.score, .notes]
      }
    change(keys, run)
  }

  func change(_ keys: [ExploredKey], _ run: ExploredProgram) {
    let number = run.program.connection.owner
    let change = changeCounts[number] * 3 + number
    changeCounts[number] += 1
    let values = run.values.filter { keys.contains($0.key) }
    for value in values {
      model.make(change, of: value.key, by: number, showing: value.lastShown)
      value.own.append(change)
    }
    run.open?.changes.append(change)
    if run.release == setting.newest { newestChanges.append(change) }
    run.turn { for value in values { value.add(change) } }
    if !run.program.isRunning { for key in keys { model.allowLoss(of: change, key) } }
  }

  private func begin(_ run: ExploredProgram) {
    let (number, value) = (run.program.connection.owner, run.values[0])
    let change = changeCounts[number] * 3 + number
    changeCounts[number] += 1
    model.make(change, of: value.key, by: number, showing: value.lastShown)
    run.begin(change)
  }

  /// Delivers a request and its answer.
  private func deliver(_ step: ExploredStep) {
    let count = messages.count(.answer, of: step.a)
    messages.deliver(.question, of: step.a, number: step.b)
    // The answer is behind those that wait, also if the request was of an ended program.
    if messages.count(.answer, of: step.a) > count {
      messages.deliver(.answer, of: step.a, number: count)
    }
  }

  /// Loses the notifications of a program, and tells it so.
  private func miss(_ number: Int) {
    faultCount += 1
    missed[number] = true
    while messages.drop(.notification, of: number, number: 0) {}
    let run = running[number]!
    run.turn {
      run.program.connection.onChange?(
        .failure(StorageError(.unavailable, key: nil, "as the setting wants it")))
    }
  }

  /// Starts a program. There is another one for the end.
  func start(_ number: Int, _ release: Release) {
    if number == setting.releases.count, !hasLast {
      hasLast = true
      _ = programs.start()
    }
    let run = ExploredProgram(programs[number], release, setting)
    running[number] = run
    started.append(run)
    noteDamage(to: run)
    if setting.startsLoaded { answerLoads(of: number) }
  }

  private func answerLoads(of number: Int) {
    var index = 0
    while index < messages.count(.question, of: number) {
      if messages.isCommit(of: number, number: index) {
        index += 1
      } else {
        deliver(Step(.deliver, number, index))
      }
    }
  }

  private func setFull(_ isFull: Bool) {
    programs.journals.capacity = isFull ? programs.journals.size : nil
    // Other writes depend on it.
    programs.journals.uses = [.readsJournals, .writesJournals, .readsOthers, .writesOthers]
  }

  /// Stores a text that is not JSON. The changes that are stored may be lost by it.
  private func damage(_ key: ExploredKey) {
    damageCount += 1
    let name = KeyName(bytes: key.name.bytes)
    database.set(name, to: Self.damage.bytes)
    model.damage(key, as: database.store.stored(name).revision)
    for run in running {
      if let run { noteDamage(to: run) }
    }
    for connection in database.connections { database.notify(connection, [name]) }
    // All other events depend on it.
    programs.journals.uses = [.readsJournals, .writesJournals, .readsOthers, .writesOthers]
  }

  private func noteDamage(to run: ExploredProgram) {
    for value in run.values { value.losable = model.losable[value.key.rawValue] }
  }

  static let damage: UTF8Text = "?"

  /// Ends a program like a crash. Its commits may still arrive. If there was no room for its
  /// journal, changes may be lost that it shows as unsaved.
  func kill(_ number: Int, losingMessages: Bool = false) {
    let values = programs[number].lacksJournal ? running[number]?.values ?? [] : []
    for value in values where value.isSaving {
      for change in value.own where !model.stored[value.key.rawValue].contains(change) {
        model.allowLoss(of: change, value.key)
      }
    }
    let open = running[number]?.open
    for change in open?.changes ?? [] {
      for key in setting.keys { model.allowLoss(of: change, key) }
    }
    running[number]?.end()
    running[number] = nil
    missed[number] = false
    programs.journals.writesUntilEnd = nil
    programs.crash(number, losingMessages: losingMessages)
    open?.turn.end()
    var index = 0
    while index < messages.count(.question, of: number) {
      if messages.isCommit(of: number, number: index) {
        index += 1
      } else {
        _ = messages.drop(.question, of: number, number: index)
      }
    }
  }
}
