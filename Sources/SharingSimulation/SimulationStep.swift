/// One step of a schedule: the next event in a ``Simulation``. Tabs have numbers, from 0.
///
/// A step that makes no sense when its turn comes, such as one for a tab that is closed, does
/// nothing.
public enum SimulationStep: Equatable, Sendable {
  /// A person does something in a tab; see ``SimulatedAction``.
  case act(_ tab: Int, _ action: String, _ number: Int)
  /// The `storage` event of a key, or of a store that was cleared (nil), reaches a tab.
  case deliver(_ tab: Int, _ key: String?)
  /// The `storage` event of a key never reaches a tab, as when the tab was frozen meanwhile.
  case lose(_ tab: Int, _ key: String?)
  /// The first load or commit that a tab has sent arrives at its revision store, which answers. It
  /// also arrives if the tab is gone.
  case arrive(_ tab: Int)
  /// The first answer of its revision store that is on its way to a tab arrives there.
  case answer(_ tab: Int)
  /// A notification of what is stored reaches a tab: of all that waits, the oldest (0), or a later
  /// one. There is one of each commit, also where that does not fit and tells nothing new.
  case notify(_ tab: Int, _ number: Int)
  /// The same, and it will reach the tab once more.
  case notifyAgain(_ tab: Int, _ number: Int)
  /// A notification never reaches a tab, as when the tab was frozen meanwhile.
  case loseNotification(_ tab: Int, _ number: Int)
  /// Time passes for a tab.
  case wait(_ tab: Int, milliseconds: Int)
  /// A tab is hidden: it writes its delayed changes.
  case hide(_ tab: Int)
  /// A tab is hidden and closed.
  case close(_ tab: Int)
  /// A tab is gone without notice.
  case crash(_ tab: Int)
  /// A tab that was closed, or has crashed, is opened again.
  case open(_ tab: Int)
  /// Something will go wrong in a call of a tab's store: in the next one to which it can happen
  /// (`after: 0`), or so many calls later.
  case fail(_ tab: Int, _ fault: SimulatedFault, after: Int)
  /// Everything that is stored is removed, by nobody of these.
  case clear
}

extension SimulationStep: CustomStringConvertible {
  /// The step as it is written in Swift.
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
  /// The tab that the step is about; nil for one that is about none.
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

  /// The same step of another tab, and for an action with another number.
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
