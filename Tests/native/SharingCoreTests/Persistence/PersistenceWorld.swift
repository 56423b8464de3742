import SharingCore

/// A value under the machine of loading and saving, its key, its store, one other program, and a
/// plain shell that does what the machine says.
///
/// Values are numbers. The default is 0, and each write makes a new number: the program 1, 2, …,
/// the other one 101, 102, … So a value says who wrote it.
struct PersistenceWorld: Hashable {
  /// The way in which a connection follows its store.
  enum Kind: CaseIterable {
    /// A user's key that is told of changes, and reads the store at once (`refresh`).
    case reading
    /// A user's key that yields the new values, and has no `refresh`.
    case pushing
    /// A stored value. It answers loads and saves at once.
    case stored
    /// A stored value whose changes wait for a pause.
    case paused

    var isUsersKey: Bool { self == .reading || self == .pushing }
  }

  /// When the store answers saves, and who runs meanwhile.
  enum Way: CaseIterable {
    case savesAtOnce, savesLate, twoThreads
  }

  struct Load: Hashable {
    let number: UInt32
    /// The contents of the store when the load began.
    let old: Int?
    /// Whether nothing has happened since that makes its answer older than the value.
    var isCurrent: Bool
  }

  struct Save: Hashable {
    let number: UInt32
    let value: Int?
    var isPerformed = false
  }

  struct Timer: Hashable {
    let number: UInt32
    let isLongest: Bool
  }

  enum LoadError: Hashable { case none, failure, loss }

  let kind: Kind
  /// Whether other threads run while one calls the connection's save.
  let isSlow: Bool
  /// Whether the store answers saves at once.
  let answersSaves: Bool
  var machine: PersistenceMachine

  // The shell.
  var shown = 0
  var revision: UInt32 = 0
  var loadError = LoadError.none
  var saveError = false
  var turn: UInt = 1
  var isTurnOpen = false
  var isScheduled = false
  var isAsked = false
  var isInSave = false
  var areTwoSaving = false
  var timers: [Timer] = []
  var thread: UInt { isInSave ? 2 : 1 }

  // The key and the store.
  /// The value that the key has last loaded, yielded or stored.
  var known: Int?
  var stored: Int?
  var isRefusing = false
  var loads: [Load] = []
  var saves: [Save] = []
  /// Whether the key has not heard of the other program's last change.
  var isUnheard = false
  var writes = 0
  var otherWrites = 0

  // For the checks.
  /// A change of the program that the store has not performed, and that was neither replaced by
  /// another change nor reported as lost.
  var unstored: Int?
  /// A change that was hidden in this turn, and must be reported.
  var hidden: Int?
  /// The value of the newest save.
  var newestSave = 0
  var lastAnswered: UInt32 = 0

  init(_ kind: Kind, _ way: Way) {
    self.kind = kind
    (isSlow, answersSaves) = (way == .twoThreads, way == .savesAtOnce || !kind.isUsersKey)
    machine = PersistenceMachine(
      PersistenceMachine.Rules(holdsBack: kind.isUsersKey, hasPause: kind == .paused))
    askLoad(byProgram: true)
  }
}

// MARK: The shell

extension PersistenceWorld {
  mutating func change(isReset: Bool) {
    if machine.willChange(on: thread, isOtherKind: false) == .read { read() }
    writes += 1
    shown = isReset ? 0 : writes
    revision = 1
    outdateLoads()
    unstored = writes
    schedule(machine.changed())
  }

  mutating func askSave(isReset: Bool) {
    if machine.willChange(on: thread, isOtherKind: false) == .read { read() }
    isAsked = true
    machine.saveAsked(isReset: isReset)
    outdateLoads()
    endTurnOnce()
  }

  /// A timer fires: the shell reads the store, then saves.
  mutating func fire(_ timer: Timer) {
    if machine.endsPause(timer.number, isLongest: timer.isLongest) { saveWaiting() }
  }

  private mutating func saveWaiting() {
    if machine.willChange(on: thread, isOtherKind: false) == .read { read() }
    guard machine.isWaiting else { return }
    isAsked = true
    machine.saveAsked(isReset: false)
    endTurnOnce()
  }

  mutating func endTurn() {
    while isScheduled {
      isScheduled = false
      endTurnOnce()
    }
    // A turn without an effect on later ones has no number.
    if machine.loadError.isNew(in: turn) { turn += 1 }
  }

  private mutating func endTurnOnce() {
    let step = machine.turnEnded(on: thread, isAsked: isAsked, isEndless: false)
    switch step {
    case .nothing: break
    case .save(let number, let isReset):
      isAsked = false
      begin(Save(number: number, value: isReset ? nil : shown))
    case .pause(let number, let isFirst, let reads):
      timers.append(Timer(number: number, isLongest: false))
      if isFirst { timers.append(Timer(number: number, isLongest: true)) }
      if reads, machine.willChange(on: thread, isOtherKind: false) == .read { read() }
    case .read: readAgain()
    case .reportEndless: preconditionFailure("No turn of this world is endless")
    }
  }

  private mutating func readAgain() {
    if kind.isUsersKey { askLoad(byProgram: false) } else { read() }
  }

  private mutating func begin(_ save: Save) {
    outdateLoads()
    saves.append(save)
    newestSave = save.value ?? 0
    areTwoSaving = isInSave
    isInSave = true
    if isSlow { return }
    if answersSaves {
      if !isRefusing { performSave() }
      answer(saves.removeLast(), isFailure: isRefusing)
    }
    saveReturns()
  }

  mutating func saveReturns() {
    isInSave = false
    switch machine.saveReturned() {
    case .nothing: break
    case .read: readAgain()
    case .scheduleEnd: isScheduled = true
    }
  }

  private mutating func schedule(_ next: PersistenceMachine.AfterChange) {
    if next == .scheduleEnd { isScheduled = true }
  }

  mutating func askLoad(byProgram: Bool) {
    let canClearLoss = byProgram && !machine.isWaiting
    if canClearLoss { hidden = nil }
    if byProgram, machine.isWaiting { saveWaiting() }
    let isCurrent = !machine.isUnsaved && saves.isEmpty
    let number = machine.loadAsked(in: canClearLoss ? turn : nil)
    loads.append(Load(number: number, old: stored, isCurrent: isCurrent))
    defer { _ = machine.loadReturned() }
    if !kind.isUsersKey { _ = answerLoad(loads.count - 1, isOld: false) }
  }

  private mutating func outdateLoads() {
    for index in loads.indices { loads[index].isCurrent = false }
  }

  /// Yields a value that differs from the last known one.
  private mutating func read() {
    guard kind != .pushing, stored != known else { return }
    let value = stored
    deliver(kind == .reading ? .refresh : .read(revision), value)
    if kind.isUsersKey || shown == value ?? 0 { known = value }
  }

  mutating func hear() {
    isUnheard = false
    if kind == .pushing { return deliver(.yield, stored) }
    if kind == .reading { outdateLoads() }
    if machine.readAsked(on: thread, isReport: kind == .reading) { read() }
  }

  private mutating func deliver(_ source: PersistenceMachine.Source, _ value: Int?) {
    let verdict = machine.arrived(source, isDefault: value == nil, at: revision, in: turn)
    switch verdict {
    case .ignore(let next): schedule(next)
    case .report: preconditionFailure("A value is no failure")
    case .keep(let next):
      if machine.loadError != .loss(turn: turn) { loadError = .none }
      schedule(next)
    case .take:
      take(source, value)
      if machine.loadError != .loss(turn: turn) { loadError = .none }
    case .takeOver(let loss):
      if loss == .nothing { unstored = nil }
      take(source, value)
      saveError = false
      if loss != .nothing {
        loadError = .loss
        machine.changeLost(in: turn)
      }
    }
  }

  private mutating func take(_ source: PersistenceMachine.Source, _ value: Int?) {
    if (value ?? 0) != shown { hidden = unstored ?? hidden }
    unstored = nil
    if value != nil { revision = 1 }
    shown = value ?? 0
    if case .load = source {} else { outdateLoads() }
  }
}

// MARK: The store

extension PersistenceWorld {
  /// - Returns: The rule that does not hold, nil if all do.
  mutating func answerLoad(_ index: Int, isOld: Bool) -> String? {
    let load = loads.remove(at: index)
    let value = isOld ? load.old : stored
    let before = shown
    let wasRefused = machine.isRefused
    let isPassed = isPassed(load)
    if kind != .pushing { known = value }
    deliver(.load(load.number), value)
    let isShown = shown == value ?? 0
    if !load.isCurrent || isPassed, shown != before { return "an outdated answer is shown" }
    if load.isCurrent, !isPassed, !wasRefused, !isShown { return "the newest answer is not shown" }
    if wasRefused, shown != before { return "a load hides a change that could not be saved" }
    return nil
  }

  private mutating func isPassed(_ load: Load) -> Bool {
    let isPassed = load.number < lastAnswered
    lastAnswered = loads.isEmpty ? 0 : max(lastAnswered, load.number)
    return isPassed
  }

  mutating func failLoad(_ index: Int) {
    let load = loads.remove(at: index)
    _ = isPassed(load)
    guard machine.failed(.load(load.number), in: turn) == .report else { return }
    loadError = machine.loadError == .loss(turn: turn) ? .loss : .failure
  }

  mutating func performSave() {
    let index = saves.firstIndex { !$0.isPerformed }!
    saves[index].isPerformed = true
    (stored, known) = (saves[index].value, saves[index].value)
    if saves[index].value ?? 0 == newestSave { unstored = nil }
  }

  mutating func answer(_ save: Save, isFailure: Bool) {
    let (status, next) = machine.saveAnswered(save.number, isFailure: isFailure, in: turn)
    switch status {
    case .nothing: break
    case .setSaveError: saveError = true
    case .clearSaveError: saveError = false
    case .clearErrors: (saveError, loadError) = (false, .none)
    }
    schedule(next)
  }
}
