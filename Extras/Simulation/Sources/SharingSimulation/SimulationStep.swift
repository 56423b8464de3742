/// One step of a schedule: the next event in a ``Simulation``. Tabs have numbers, from 0.
///
/// A step that is impossible at its time, such as an action in a closed tab, does nothing.
public enum SimulationStep: Equatable, Sendable {
  /// A person performs an action in a tab; see ``SimulatedAction``.
  case act(_ tab: Int, _ action: String, _ number: Int)
  /// The `storage` event of a key, or of a store that was cleared (nil), reaches a tab.
  case deliver(_ tab: Int, _ key: String?)
  /// The `storage` event of a key never reaches a tab, for example because the tab was frozen.
  case lose(_ tab: Int, _ key: String?)
  /// The oldest request of a tab, a load or a commit, arrives at its revision store, which answers.
  /// It also arrives if the tab has ended.
  case arrive(_ tab: Int)
  /// The oldest answer of the revision store arrives at a tab.
  case answer(_ tab: Int)
  /// A notification of stored values reaches a tab: the oldest (0) or a later one of those under
  /// way. Each commit sends one, also a refused commit, which has stored no new values.
  case notify(_ tab: Int, _ number: Int)
  /// A notification reaches a tab, and will reach it once more.
  case notifyAgain(_ tab: Int, _ number: Int)
  /// A notification never reaches a tab, for example because the tab was frozen.
  case loseNotification(_ tab: Int, _ number: Int)
  /// Time passes for a tab.
  case wait(_ tab: Int, milliseconds: Int)
  /// A tab is hidden: it writes its delayed changes.
  case hide(_ tab: Int)
  /// A tab is hidden and closed.
  case close(_ tab: Int)
  /// A tab ends without notice.
  case crash(_ tab: Int)
  /// A tab that was closed, or has crashed, is opened again.
  case open(_ tab: Int)
  /// A later call of a tab's store fails: the next call that can have this fault (`after: 0`), or
  /// one that follows after at least that many calls.
  case fail(_ tab: Int, _ fault: SimulatedFault, after: Int)
  /// All stored values are removed, by a program outside of the simulation.
  case clear
}

extension SimulationStep: CustomStringConvertible {
  /// The Swift expression of the step.
  public var description: String {
    switch self {
    case .act(let tab, let action, let number):
      ".act(\(tab), \(action.debugDescription), \(number))"
    case .deliver(let tab, let key): ".deliver(\(tab), \(Self.literal(key)))"
    case .lose(let tab, let key): ".lose(\(tab), \(Self.literal(key)))"
    case .arrive(let tab): ".arrive(\(tab))"
    case .answer(let tab): ".answer(\(tab))"
    case .notify(let tab, let number): ".notify(\(tab), \(number))"
    case .notifyAgain(let tab, let number): ".notifyAgain(\(tab), \(number))"
    case .loseNotification(let tab, let number): ".loseNotification(\(tab), \(number))"
    case .wait(let tab, let milliseconds): ".wait(\(tab), milliseconds: \(milliseconds))"
    case .hide(let tab): ".hide(\(tab))"
    case .close(let tab): ".close(\(tab))"
    case .crash(let tab): ".crash(\(tab))"
    case .open(let tab): ".open(\(tab))"
    case .fail(let tab, let fault, let after): ".fail(\(tab), .\(fault), after: \(after))"
    case .clear: ".clear"
    }
  }

  private static func literal(_ key: String?) -> String {
    key?.debugDescription ?? "nil"
  }
}

extension SimulationStep {
  /// The tab of the step; nil for `clear`.
  var tab: Int? {
    switch self {
    case .act(let tab, _, _), .deliver(let tab, _), .lose(let tab, _), .wait(let tab, _),
      .hide(let tab), .close(let tab), .crash(let tab), .open(let tab), .fail(let tab, _, _),
      .arrive(let tab), .answer(let tab), .notify(let tab, _), .notifyAgain(let tab, _),
      .loseNotification(let tab, _):
      tab
    case .clear: nil
    }
  }

  /// Returns the step with another tab, and an action also with another number.
  func with(tab: Int, number: Int) -> SimulationStep {
    switch self {
    case .act(_, let action, _): .act(tab, action, number)
    case .deliver(_, let key): .deliver(tab, key)
    case .lose(_, let key): .lose(tab, key)
    case .arrive: .arrive(tab)
    case .answer: .answer(tab)
    case .notify(_, let number): .notify(tab, number)
    case .notifyAgain(_, let number): .notifyAgain(tab, number)
    case .loseNotification(_, let number): .loseNotification(tab, number)
    case .wait(_, let milliseconds): .wait(tab, milliseconds: milliseconds)
    case .hide: .hide(tab)
    case .close: .close(tab)
    case .crash: .crash(tab)
    case .open: .open(tab)
    case .fail(_, let fault, let after): .fail(tab, fault, after: after)
    case .clear: .clear
    }
  }
}

/// A failure in a tab, mostly in a call of one of its stores.
public enum SimulatedFault: CaseIterable, Sendable {
  /// There is no room for a write or commit; the old stored bytes are intact.
  case quotaExceeded
  /// The host refuses to read, write or remove, to load or to commit.
  case denied
  /// The tab ends between two turns, or just before a call.
  case crash
  /// The tab ends during a write, and half of the text is stored, followed by a zero byte. A store
  /// must not do that, but a disk can. For commits and journals, this is a crash: they are stored
  /// completely or not at all.
  case torn
  /// A commit is stored, but its answer is lost: the tab gets a failure.
  case lostAnswer
  /// A commit takes too long: the tab gets a failure, and the commit arrives later.
  case lateCommit
  /// A tab reads a journal from before another tab's last write. The processes of a browser do not
  /// see each other's writes at once.
  case outdated

  var isOfCommitsOnly: Bool { self == .lostAnswer || self == .lateCommit || self == .outdated }
}
