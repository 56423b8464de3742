/// What is wrong with a schedule.
struct Problem: Error {
  let kind: Kind
  let text: String

  init(_ kind: Kind, _ text: String) {
    (self.kind, self.text) = (kind, text)
  }

  /// What kind of trouble it is: a shorter schedule has to have the same.
  enum Kind {
    case lost, diverged, restless, idleWrite, needless, unnoticed, crosstalk, damage, ofTab
    case backwards, unjournaled
  }
}
