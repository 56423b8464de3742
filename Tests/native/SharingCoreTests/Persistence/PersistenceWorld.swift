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

  /// When the store answers saves, and what happens during the call of the connection's save:
  /// nothing, or events of its thread, or of another one.
  enum Way: CaseIterable {
    case savesAtOnce, savesLate, oneThread, twoThreads
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

  /// The content of `loadError`. An old one is an error that observers could read.
  enum LoadError: Hashable { case none, old, failure, loss }

  let kind: Kind
  let way: Way
  var machine: PersistenceMachine

  // The shell.
  var shown = 0
  var revision: UInt32 = 0
  /// The error that the machine has the shell show.
  var shownError = LoadError.none
  var saveError = false
  var turn: UInt = 1
  var isTurnOpen = false
  var isScheduled = false
  var isAsked = false
  var isInSave = false
  var timers: [Timer] = []
  /// Whether the connection's `load` is called.
  var isInLoad = false
  var isOtherThread: Bool { isInSave && way == .twoThreads }
  var thread: UInt { isOtherThread ? 2 : 1 }

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
  /// The rule that a step of this event has broken.
  var problem: String?
  /// The error that must be shown.
  var loadError = LoadError.none
  /// Whether the value is the default, by a reset.
  var isReset = false
  /// The number of the timer that the first waiting change has started.
  var firstTimer: UInt32?
  var lastTimer: UInt32 = 0
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
    self.way = way
    machine = PersistenceMachine(
      PersistenceMachine.Rules(holdsBack: kind.isUsersKey, hasPause: kind == .paused))
    askLoad(byProgram: true)
  }
}

// MARK: The shell

extension PersistenceWorld {
  mutating func change(isReset: Bool) {
    let isNew = kind != .pushing && stored != known
    let mayRead = !machine.isUnsaved && saves.isEmpty && !isOtherThread
    if machine.willChange(on: thread, isOtherKind: false) == .read { read() }
    if isNew, mayRead, shown != stored ?? 0 { problem = "a change is made to an old value" }
    writes += 1
    shown = isReset ? 0 : writes
    revision = 1
    outdateLoads()
    unstored = writes
    self.isReset = false
    schedule(machine.changed())
  }

  mutating func askSave(isReset: Bool) {
    if machine.willChange(on: thread, isOtherKind: false) == .read { read() }
    isAsked = true
    if isReset { self.isReset = true }
    machine.saveAsked(isReset: isReset)
    outdateLoads()
    endTurnOnce()
    if machine.isWaiting { problem = "a save that the program asks for waits" }
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
    checkLoss()
    guard loadError == .failure || loadError == .loss else { return }
    // A turn without an effect on later ones has no number.
    turn += 1
    (loadError, shownError) = (.old, shownError == .none ? .none : .old)
  }

  private mutating func endTurnOnce() {
    let step = machine.turnEnded(on: thread, isAsked: isAsked, isEndless: false)
    switch step {
    case .nothing: break
    case .save(let number, let isReset):
      if kind == .paused, !isAsked { problem = "a change is saved without a pause" }
      if isReset != self.isReset { problem = "a reset is saved as a value, or the reverse" }
      isAsked = false
      begin(Save(number: number, value: isReset ? nil : shown))
    case .pause(let number, let isFirst, let reads):
      if isFirst != (firstTimer == nil) { problem = "the longest pause has no timer, or two" }
      (firstTimer, lastTimer) = (firstTimer ?? number, number)
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
    firstTimer = nil
    saves.append(save)
    newestSave = save.value ?? 0
    if isInSave { problem = "two threads save at once" }
    isInSave = true
    if way == .savesAtOnce { answerSave() }
    if way == .savesAtOnce || way == .savesLate { saveReturns() }
  }

  private mutating func answerSave() {
    if !isRefusing, !saves[0].isPerformed { performSave() }
    let save = saves.removeFirst()
    answer(save, isFailure: !save.isPerformed)
  }

  mutating func saveReturns() {
    if !kind.isUsersKey, !saves.isEmpty { answerSave() }
    isInSave = false
    switch machine.saveReturned() {
    case .nothing: break
    case .read: readAgain()
    case .scheduleEnd: isScheduled = true
    }
  }

  mutating func schedule(_ next: PersistenceMachine.AfterChange) {
    if next == .scheduleEnd { isScheduled = true }
  }

  mutating func askLoad(byProgram: Bool, yields: Bool = false) {
    let canClearLoss = byProgram && !machine.isWaiting
    if canClearLoss {
      hidden = nil
      if loadError == .loss { (loadError, shownError) = (.failure, .failure) }
    }
    if byProgram, machine.isWaiting { saveWaiting() }
    let isCurrent = !machine.isUnsaved && saves.isEmpty
    let number = machine.loadAsked(in: canClearLoss ? turn : nil)
    loads.append(Load(number: number, old: stored, isCurrent: isCurrent))
    isInLoad = true
    if yields { hear() }
    isInLoad = false
    defer { _ = machine.loadReturned() }
    if !kind.isUsersKey { answerLoad(loads.count - 1, isOld: false) }
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

  mutating func deliver(_ source: PersistenceMachine.Source, _ value: Int?) {
    let verdict = machine.arrived(source, isDefault: value == nil, at: revision, in: turn)
    if verdict.isAnswer {
      if loadError != .loss { loadError = .none }
      if machine.loadError == .old { shownError = .none }
    }
    switch verdict {
    case .ignore(let next), .keep(let next): schedule(next)
    case .report: preconditionFailure("A value is no failure")
    case .take: take(source, value)
    case .takeOver(let loss):
      let lost: PersistenceMachine.Loss = saveError ? .refused : .waiting
      if loss != (!isReset ? lost : value == nil ? .nothing : .reset) {
        problem = "another change is reported as lost"
      }
      if loss == .nothing { unstored = nil }
      take(source, value)
      saveError = false
      if loss != .nothing {
        (loadError, shownError) = (.loss, .loss)
        machine.changeLost(in: turn)
      }
    }
  }

  private mutating func take(_ source: PersistenceMachine.Source, _ value: Int?) {
    if (value ?? 0) != shown { hidden = unstored ?? hidden }
    (unstored, isReset, firstTimer) = (nil, false, nil)
    if value != nil { revision = 1 }
    shown = value ?? 0
    if case .load = source {} else if !isInLoad { outdateLoads() }
  }
}
