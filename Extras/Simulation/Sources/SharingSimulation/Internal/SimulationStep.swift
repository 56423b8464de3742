/// One step of a schedule. ``Simulation/replay(_:)`` documents the kinds and their texts.
package struct SimulationStep: CustomStringConvertible {
  let kind: Kind
  /// 0 for `clear`.
  var tab: Int
  /// The name of an action, a key or a fault, or the number of a release.
  let name: String?
  var number: Int

  enum Kind: String {
    case act, deliver, lose, arrive, answer, notify, notifyAgain, loseNotification
    case wait, hide, close, crash, open, fail, clear

    var hasNumber: Bool {
      switch self {
      case .act, .notify, .notifyAgain, .loseNotification, .wait, .fail: true
      default: false
      }
    }
  }

  init(_ kind: Kind, _ tab: Int = 0, _ name: String? = nil, number: Int = 0) {
    (self.kind, self.tab, self.name, self.number) = (kind, tab, name, number)
  }

  /// Reads the text of a step; nil if it is none.
  package init?(_ text: Substring) {
    var words = text.split(separator: " ", omittingEmptySubsequences: false)[...]
    guard let kind = words.popFirst().flatMap({ Kind(rawValue: String($0)) }),
      let tab = kind == .clear ? 0 : words.popFirst().flatMap({ Int($0) }),
      let number = kind.hasNumber ? words.popLast().flatMap({ Int($0) }) : 0
    else { return nil }
    self.init(kind, tab, words.isEmpty ? nil : words.joined(separator: " "), number: number)
    let isComplete =
      switch kind {
      case .act: name != nil
      case .fail: fault != nil
      case .deliver, .lose: true
      case .open: name == nil || release != nil
      default: name == nil
      }
    if !isComplete { return nil }
  }

  /// The text of the step.
  package var description: String {
    let parts = [
      kind.rawValue, kind == .clear ? nil : "\(tab)", name, kind.hasNumber ? "\(number)" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: " ")
  }

  var release: Int? { name.flatMap { Int($0) } }

  var fault: SimulatedFault? { name.flatMap { SimulatedFault(rawValue: $0) } }
}

/// A failure in a tab, mostly in a call of one of its stores. ``Simulation/replay(_:)`` documents
/// the cases.
enum SimulatedFault: String {
  case quotaExceeded, denied, crash, torn, lostAnswer, lateCommit, outdated

  var isOfCommitsOnly: Bool { self == .lostAnswer || self == .lateCommit || self == .outdated }
}
