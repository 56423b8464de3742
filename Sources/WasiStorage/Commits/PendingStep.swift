import SharingCore

/// What a turn has made of a value, for as long as it is not committed.
final class PendingStep: @unchecked Sendable {
  /// Its number among the steps of the program.
  let number: Int
  let change: Change
  /// The text of the value before it and after it, when the value was set: what differs is what has
  /// been changed. That of an update is what it makes now. Nil where it was the default.
  private(set) var before: [UInt8]?
  private(set) var after: [UInt8]?
  /// What it makes of what is stored, as far as that is known.
  private(set) var result: [UInt8]?
  /// Who wants to know how it went; nil once that is known.
  var request: SaveRequest?

  enum Change {
    /// A value was set: its parts that differ from those before are what has been changed.
    case set
    /// Closures have run, which can run again.
    case updates([Update])
    /// What another key holds is taken over, where nothing has ever been stored.
    case adoption
  }

  init(
    _ number: Int, _ change: Change, from before: [UInt8]?, to after: [UInt8]?,
    _ request: SaveRequest? = nil
  ) {
    self.number = number
    self.change = change
    self.before = before
    self.after = after
    result = after
    self.request = request
  }

  /// The step has been made again, on another text.
  func moved(from before: [UInt8]?, to after: [UInt8]?) {
    result = after
    if case .updates = change {
      self.before = before
      self.after = after
    }
  }
}
