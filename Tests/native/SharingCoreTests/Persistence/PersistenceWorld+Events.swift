import SharingCore

extension PersistenceWorld {
  enum Event: Hashable {
    case beginTurn, endTurn
    /// The program changes, saves, resets, loads the value.
    case change, save, reset, load
    /// A load in whose call the key yields.
    case loadYields
    /// The store answers a load, with its contents then or now, or fails.
    case loadAnswered(Int, isOld: Bool)
    case loadFailed(Int)
    /// The store performs the oldest save that it has not performed; answers one; refuses one.
    case performSave
    case saveAnswered(Int)
    case saveFailed(Int)
    /// The connection's save returns. Until then, events are those of another thread.
    case saveReturns
    /// The store begins or ends to refuse saves that it answers at once.
    case refuses
    /// A timer of a pause fires.
    case timer(Timer)
    /// Another program writes or removes; the key hears of that.
    case otherWrites, otherRemoves, hear
  }

  /// The events that can happen next.
  var events: [Event] {
    var all: [Event] = isInSave ? [.saveReturns] : [isTurnOpen ? .endTurn : .beginTurn]
    if writes < 3 { all += [.change, .reset] }
    if saves.count < 2 { all.append(.save) }
    if loads.count < 3 { all.append(.load) }
    if loads.count < 2, kind == .pushing { all.append(.loadYields) }
    for index in loads.indices {
      all.append(.loadAnswered(index, isOld: false))
      if loads[index].old != stored { all.append(.loadAnswered(index, isOld: true)) }
      all.append(.loadFailed(index))
    }
    if saves.contains(where: { !$0.isPerformed }) { all.append(.performSave) }
    for index in saves.indices {
      all.append(saves[index].isPerformed ? .saveAnswered(index) : .saveFailed(index))
    }
    if !isTurnOpen { all += timers.map { .timer($0) } }
    if otherWrites < 2 { all += [.otherWrites, .otherRemoves] }
    if isUnheard { all.append(.hear) }
    if way == .savesAtOnce || !kind.isUsersKey { all.append(.refuses) }
    return all
  }

  /// - Returns: The rule that does not hold afterwards, nil if all do.
  mutating func perform(_ event: Event) -> String? {
    problem = nil
    switch event {
    case .beginTurn: isTurnOpen = true
    case .endTurn: isTurnOpen = false
    case .change: change(isReset: false)
    case .reset:
      change(isReset: true)
      askSave(isReset: true)
    case .save: askSave(isReset: false)
    case .load: askLoad(byProgram: true)
    case .loadYields: askLoad(byProgram: true, yields: true)
    case .loadAnswered(let index, let isOld): answerLoad(index, isOld: isOld)
    case .loadFailed(let index): failLoad(index)
    case .performSave: performSave()
    case .saveAnswered(let index): answer(saves.remove(at: index), isFailure: false)
    case .saveFailed(let index): answer(saves.remove(at: index), isFailure: true)
    case .saveReturns: saveReturns()
    case .refuses: isRefusing.toggle()
    case .timer(let timer):
      timers.removeAll { $0 == timer }
      fire(timer)
    case .otherWrites:
      otherWrites += 1
      stored = 100 + otherWrites
      isUnheard = true
    case .otherRemoves:
      otherWrites += 1
      isUnheard = isUnheard || stored != nil
      stored = nil
    case .hear: hear()
    }
    if isOtherThread || !isTurnOpen && !isInSave { endTurn() }
    // With two threads, another turn may end the report before the turn's own observers run.
    if way == .twoThreads { checkLoss() }
    return problem ?? check()
  }

  /// The first events of the exploration: with and without the first load, a save that is under
  /// way or has failed, a read that waits for a save.
  static let beginnings: [[Event]] = [
    [],
    [.loadAnswered(0, isOld: false)],
    [.loadAnswered(0, isOld: false), .change, .performSave],
    [.loadAnswered(0, isOld: false), .change, .performSave, .otherWrites],
    [.loadAnswered(0, isOld: false), .change, .saveFailed(0)],
    [.loadAnswered(0, isOld: false), .change, .saveFailed(0), .load],
    [.change, .load],
    [.change, .otherWrites, .hear],
  ]

  // MARK: Checks

  private mutating func check() -> String? {
    if shown != 0, shown > writes, shown <= 100 || shown > 100 + otherWrites {
      return "a value is shown that nobody wrote"
    }
    if saveError != machine.isRefused { return "saveError and the machine differ" }
    if shownError != loadError { return "loadError is not the right one" }
    if machine.isLoading == loads.isEmpty { return "isLoading is not right" }
    if machine.isSaving != (!saves.isEmpty || machine.isWaiting) { return "isSaving is not right" }
    if machine.isWaiting, unstored == nil { return "a pause has no change" }
    if !isRightPause { return "a pause does not end with its timers" }
    guard !isTurnOpen, !isInSave else { return nil }
    if isScheduled || machine.isUnsaved { return "a change is not saved at the end of its turn" }
    if !kind.isUsersKey, !isUnheard, stored != known { return "a stored value is not read" }
    if machine.isWaiting { return nil }
    if unstored != nil, newestSave != shown { return "the newest save has an older value" }
    let isQuiet = loads.isEmpty && saves.isEmpty && !isUnheard
    if isQuiet, !saveError, shownError == .none, shown != stored ?? 0 {
      return "all is quiet, and the store and the value differ"
    }
    return nil
  }

  mutating func checkLoss() {
    if hidden != nil, shownError != .loss { problem = "a change is lost without a report" }
    hidden = nil
  }

  /// Whether the timers of the first and of the last waiting change end the pause, and no other.
  private var isRightPause: Bool {
    let ends = timers.filter { machine.endsPause($0.number, isLongest: $0.isLongest) }
    guard machine.isWaiting, let firstTimer else { return ends.isEmpty }
    return ends.count == 2 && ends.contains(Timer(number: firstTimer, isLongest: true))
      && ends.contains(Timer(number: lastTimer, isLongest: false))
  }
}
