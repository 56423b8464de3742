import SharingCore

/// One value of an open tab: what was seen of it at the end of the last turn.
final class WatchedValue {
  let name: KeyName
  private let base: SimulatedValue
  private let counts = Counts()
  private var tokens: [ObservationToken] = []
  private var seen: any Equatable
  private var wasInTrouble: Bool

  private final class Counts {
    var changes = 0
    var loadErrors = 0
  }

  init(_ base: SimulatedValue) {
    (self.base, name) = (base, base.name)
    seen = base.value()
    wasInTrouble = base.loadError() != nil || base.saveError() != nil
    tokens = [
      observe { [counts] in
        counts.changes += 1
        _ = base.value()
      },
      observe { [counts] in
        counts.loadErrors += 1
        _ = base.loadError()
      },
    ]
    _ = takeTurn()
  }

  /// The value now.
  var value: any Equatable { base.value() }

  /// Why the value could not be saved.
  var saveError: (any Error)? { base.saveError() }

  /// Whether a change of it has still to be stored.
  var isSaving: Bool { base.isSaving() }

  /// Makes it another value.
  func change(to new: any Equatable) {
    base.change(new)
  }

  /// Saves the value, changed or not.
  func save() {
    base.save()
  }

  /// Loads the value again, where that has failed.
  func loadAgain() {
    if let error = base.loadError(), !error.isLoss { base.load() }
  }

  /// Whether the tab has reported that it shows something else than what is stored. A report of a
  /// loss does not count: the value shown then is the stored one.
  var isInTrouble: Bool {
    if base.saveError() != nil { return true }
    return base.loadError().map { !$0.isLoss } ?? false
  }

  /// Whether that comes of nothing that has gone wrong in a call.
  var isRefused: Bool {
    let errors = [base.saveError(), base.loadError()].compactMap { $0 as? StorageError }
    return errors.contains {
      switch $0.reason {
      case .quotaExceeded, .denied, .other, .replaced: false
      default: true
      }
    }
  }

  /// What has happened to the value since this was last asked.
  struct Turn {
    /// How often its observers have run.
    let notifications: Int
    /// Whether it is another value.
    let isChanged: Bool
    /// Whether it said before that something is wrong.
    let wasInTrouble: Bool
    /// Whether it has said that a change that was not saved is lost.
    let isLossTold: Bool
  }

  func takeTurn() -> Turn {
    let value = base.value()
    let loadError = base.loadError()
    defer {
      (counts.changes, counts.loadErrors) = (0, 0)
      seen = value
      wasInTrouble = loadError != nil || base.saveError() != nil
    }
    return Turn(
      notifications: counts.changes, isChanged: !areEqual(value, seen), wasInTrouble: wasInTrouble,
      isLossTold: counts.loadErrors > 0 && loadError?.isLoss == true)
  }
}

extension Error {
  /// Whether the error says that a change is lost which could not be saved.
  fileprivate var isLoss: Bool { (self as? StorageError)?.reason == .replaced }
}
