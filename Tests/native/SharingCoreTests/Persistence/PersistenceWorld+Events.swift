import SharingCore

extension PersistenceWorld {
  enum Event: Hashable {
    case beginTurn, endTurn
    /// The program changes, saves, resets, loads the value.
    case change, save, reset, load
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
    for index in loads.indices {
      all.append(.loadAnswered(index, isOld: false))
      if loads[index].old != stored { all.append(.loadAnswered(index, isOld: true)) }
      all.append(.loadFailed(index))
    }
    if saves.contains(where: { !$0.isPerformed }) { all.append(.performSave) }
    for index in saves.indices {
      all.append(saves[index].isPerformed ? .saveAnswered(index) : .saveFailed(index))
    }
    all += timers.map { .timer($0) }
    if otherWrites < 2 { all += [.otherWrites, .otherRemoves] }
    if isUnheard { all.append(.hear) }
    if answersSaves { all.append(.refuses) }
    return all
  }

  /// - Returns: The rule that does not hold afterwards, nil if all do.
  mutating func perform(_ event: Event) -> String? {
    var problem: String?
    switch event {
    case .beginTurn: isTurnOpen = true
    case .endTurn: isTurnOpen = false
    case .change: change(isReset: false)
    case .reset:
      change(isReset: true)
      askSave(isReset: true)
    case .save: askSave(isReset: false)
    case .load: askLoad(byProgram: true)
    case .loadAnswered(let index, let isOld): problem = answerLoad(index, isOld: isOld)
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
    if !isTurnOpen || isInSave { endTurn() }
    return problem ?? check()
  }

  // MARK: Checks

  private mutating func check() -> String? {
    if shown != 0, shown > writes, shown <= 100 || shown > 100 + otherWrites {
      return "a value is shown that nobody wrote"
    }
    if saveError != machine.isRefused { return "saveError and the machine differ" }
    if areTwoSaving { return "two threads save at once" }
    // With two threads, another turn may end the report before the turn's own observers run.
    if isSlow, let problem = checkLoss() { return problem }
    guard !isTurnOpen, !isInSave else { return nil }
    if isScheduled || machine.isUnsaved { return "a change is not saved at the end of its turn" }
    if let problem = checkLoss() { return problem }
    if machine.isWaiting { return timers.isEmpty ? "a pause has no timer" : nil }
    if unstored != nil, newestSave != shown { return "the newest save has an older value" }
    let isQuiet = loads.isEmpty && saves.isEmpty && !isUnheard
    if isQuiet, !saveError, loadError == .none, shown != stored ?? 0 {
      return "all is quiet, and the store and the value differ"
    }
    return nil
  }

  private mutating func checkLoss() -> String? {
    defer { hidden = nil }
    return hidden != nil && loadError != .loss ? "a change is lost without a report" : nil
  }
}
