import SharingCore
import WasiStorage

/// The change that a turn made to a value, until it is committed. If turns of several threads
/// change the value before it is saved, their changes are one step.
final class PendingStep: @unchecked Sendable {
  /// Its number among the program's steps; the maximum while its turns are not complete.
  private(set) var number = Int.max
  /// The turns that made it; none for a step outside of turns.
  let turns: [UInt]
  let change: Change
  /// The value's text before and after the step; nil for the default. If a value was set, they stay
  /// as they were then, and their difference is the change. For an update, they are those of its
  /// last run.
  private(set) var before: [UInt8]?
  private(set) var after: [UInt8]?
  /// The result of the step on the stored value, as last computed.
  private(set) var result: [UInt8]?
  /// Whether other programs may have found it in the journal.
  var isJournaled = false
  /// The save to answer; nil for a step that no value in memory waits for.
  let save: Receiver?

  enum Change {
    /// A value was set; the parts that differ are the change.
    case set
    /// The value was reset. Only this replaces a text that does not decode, after a copy.
    case reset
    /// Closures have run, and can run again.
    case updates([Update])
    /// The value of another key is taken over, if nothing was ever stored.
    case adoption

    var isUpdate: Bool { if case .updates = self { true } else { false } }

    var isReset: Bool { if case .reset = self { true } else { false } }
  }

  init(
    _ change: Change, by turns: [UInt] = [], from before: [UInt8]?, to after: [UInt8]?,
    _ save: Receiver? = nil
  ) {
    self.turns = turns
    self.change = change
    self.before = before
    self.after = after
    result = after
    self.save = save
  }

  /// Whether its turns are complete: it can be committed.
  var isComplete: Bool { number != .max }

  /// Whether one of some turns has made it.
  func isOfAny(of turns: [UInt]) -> Bool {
    self.turns.contains { turns.contains($0) }
  }

  /// Completes the step, with its number.
  func complete(as number: Int) { self.number = number }

  /// Records the texts of a new run of the step.
  func moved(from before: [UInt8]?, to after: [UInt8]?) {
    result = after
    if change.isUpdate {
      self.before = before
      self.after = after
    }
  }
}
