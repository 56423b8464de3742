/// The problem of a schedule.
struct Problem: Error {
  let kind: Kind
  let text: String

  init(_ kind: Kind, _ text: String) {
    (self.kind, self.text) = (kind, text)
  }

  /// The kind of problem, which is the same in a shorter schedule.
  enum Kind {
    case lost, diverged, restless, idleWrite, needless, unnoticed, crosstalk, damage, ofTab
    case backwards, unjournaled
  }
}
