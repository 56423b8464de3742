extension PersistenceMachine {
  /// A load begins.
  /// - Parameter turn: The turn in which the program asks for it. Its answer may clear a loss of
  ///   that turn. nil if it may not.
  /// - Returns: The number of the load.
  package mutating func loadAsked(in turn: UInt?) -> UInt32 {
    if let turn, loadError == .loss(turn: turn) { loadError = .failure(turn: turn) }
    let number = loads.begin()
    loadCalls += 1
    if isUnsaved || isSaving { loads.outdate() }
    return number
  }

  /// The program is about to load the value. The store is followed after that.
  mutating func loadExpected() { followsAfterLoad = true }

  /// The call of the connection's `load` returns.
  /// - Returns: Whether to follow the store now.
  package mutating func loadReturned() -> Bool {
    loadCalls -= 1
    defer { followsAfterLoad = false }
    return followsAfterLoad
  }

  /// The key reports that it is loading, or that it has ended that.
  mutating func loadsByItself(_ isLoading: Bool) { isLoadingByItself = isLoading }

  /// The request that a value or an error from the connection answers.
  package enum Source: Hashable {
    /// None: the key yields by itself.
    case yield
    /// The refresh of a user's key.
    case refresh
    /// A read, when the value had this revision.
    case read(UInt32)
    /// A load with this number.
    case load(UInt32)
    /// A save with this number.
    case save(UInt32)
  }

  package enum Verdict: Hashable {
    /// A later load was answered before: change nothing.
    case ignore(AfterChange)
    /// Set `loadError`.
    case report
    /// Show the stored value. Clear `loadError` if ``loadError`` is old.
    case take
    /// Show the stored value in place of one that is only in memory. Clear `saveError`. If the
    /// connection reports a loss, set `loadError`, and call ``changeLost(in:)``; otherwise clear it
    /// as above.
    case takeOver(Loss)
    /// Keep the value in memory, and clear `loadError` as above.
    case keep(AfterChange)
  }

  /// The change that a stored value replaces.
  package enum Loss: Hashable {
    /// A reset that another program has done, too.
    case nothing
    /// A change that waited for its pause. Nothing is lost if the result equals the stored value,
    /// or the former one.
    case waiting
    /// A change whose save has failed.
    case refused
    /// A reset whose removal has failed.
    case reset
  }

  /// The connection could not load.
  package mutating func failed(_ source: Source, in turn: UInt) -> Verdict {
    if case .load(let number) = source, loads.end(number) == .passed { return .ignore(.nothing) }
    isLoadingByItself = false
    guard loadError != .loss(turn: turn) else { return .ignore(.nothing) }
    loadError = .failure(turn: turn)
    return .report
  }

  /// The connection delivers a value, or reports that nothing is stored.
  /// - Parameter isDefault: Whether nothing is stored.
  package mutating func arrived(
    _ source: Source, isDefault: Bool, at revision: UInt32, in turn: UInt
  ) -> Verdict {
    var answer = Requests.Answer.current
    if case .load(let number) = source { answer = loads.end(number) }
    if answer == .passed { return .ignore(rules.holdsBack ? readLater() : .nothing) }
    isLoadingByItself = false
    if loadError != .loss(turn: turn) { loadError = .old }
    switch source {
    case .load where isOnlyInMemory:
      if rules.holdsBack, saving == .idle { saving = .readsAfterSave }
      return .keep(.nothing)
    case .load where answer == .outdated: return .keep(readLater())
    case .read(let before) where before != revision: return .keep(readLater())
    case _ where isUnsaved || mustWait: return .keep(readLater())
    case .load, .save: break
    case .yield, .refresh, .read: if loadCalls == 0 { loads.outdate() }
    }
    return take(isDefault: isDefault)
  }

  private mutating func take(isDefault: Bool) -> Verdict {
    let wasReset = isReset
    isReset = false
    guard isOnlyInMemory else { return .take }
    let loss: Loss = isRefused ? .refused : .waiting
    isRefused = false
    if isWaiting { (saving, firstTimer) = (.idle, nil) }
    guard wasReset else { return .takeOver(loss) }
    // A reset that another program has done, too, is not lost.
    return .takeOver(isDefault ? .nothing : .reset)
  }

  /// The connection reports that the replaced change is lost.
  package mutating func changeLost(in turn: UInt) { loadError = .loss(turn: turn) }

  private mutating func readLater() -> AfterChange {
    switch saving {
    case .waiting: .nothing  // the store is read at the end of the pause
    default: saving.add(.read)
    }
  }
}

// MARK: Parts

extension PersistenceMachine.Saving {
  /// Adds work.
  /// - Returns: Whether the end of a turn must be scheduled for it.
  mutating func add(_ more: PersistenceMachine.Work) -> PersistenceMachine.AfterChange {
    switch self {
    case .idle: self = .due(more)
    case .waiting: self = .due(more.and(.save))
    case .readsAfterSave: self = .due(more.and(.read))
    case .due(let work): self = .due(more.and(work))
    case .running(let thread, let work):
      self = .running(thread, work.map { more.and($0) } ?? more)
      return .nothing
    }
    return .scheduleEnd
  }
}

extension PersistenceMachine.Verdict {
  var isTaken: Bool {
    switch self {
    case .take, .takeOver: true
    case .ignore, .report, .keep: false
    }
  }

  var isLoss: Bool {
    if case .takeOver(let loss) = self { loss != .nothing } else { false }
  }

  var isKept: Bool { if case .keep = self { true } else { false } }

  /// Whether it is an answer that counts.
  package var isAnswer: Bool { isTaken || isKept }

  /// Whether to end the turn with ``PersistenceMachine/turnEnded(on:isAsked:isEndless:)``.
  var mustSchedule: Bool { self == .keep(.scheduleEnd) || self == .ignore(.scheduleEnd) }
}

extension PersistenceMachine.Work {
  var saves: Bool { self == .save || self == .saveAndRead }

  func and(_ other: Self) -> Self { self == other ? self : .saveAndRead }
}

extension PersistenceMachine.LoadError {
  package func isNew(in turn: UInt) -> Bool {
    self == .failure(turn: turn) || self == .loss(turn: turn)
  }
}

/// Numbers the requests to a key that have no answer yet. Keys may answer in any order.
struct Requests: Hashable {
  enum Answer: Hashable {
    case current
    /// The value or the store has changed since the request.
    case outdated
    /// A later request was answered before.
    case passed
  }

  private(set) var underWay = 0
  private var last: UInt32 = 0
  private var answered: UInt32 = 0
  private var outdated: UInt32 = 0

  mutating func begin() -> UInt32 {
    underWay += 1
    last += 1
    return last
  }

  mutating func end(_ number: UInt32) -> Answer {
    underWay -= 1
    defer { if underWay == 0 { self = Requests() } }
    guard number > answered else { return .passed }
    answered = number
    return number > outdated ? .current : .outdated
  }

  mutating func outdate() { outdated = last }
}
