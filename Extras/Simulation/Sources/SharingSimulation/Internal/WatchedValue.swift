import SharingCore
import WasiStorage

/// One value of an open tab, with its state at the end of the last turn.
final class WatchedValue {
  let name: KeyName
  let base: SimulatedValue
  private let counts = Counts()
  private var tokens: [ObservationToken] = []
  private var seen: any Equatable
  private var hadError: Bool

  private final class Counts {
    var changes = 0
    var loadErrors = 0
  }

  init(_ base: SimulatedValue) {
    (self.base, name) = (base, base.name)
    seen = base.value()
    hadError = base.loadError() != nil || base.saveError() != nil
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

  /// The error of the last save.
  var saveError: (any Error)? { base.saveError() }

  /// Whether a change is not stored yet.
  var isSaving: Bool { base.isSaving() }

  /// Loads the value again if the last load has failed, and may succeed now.
  func loadAgain() {
    if let error = base.loadError(), !error.isLoss, !error.isOfOtherRelease { base.load() }
  }

  /// Whether the tab has reported that the shown value differs from the stored one. A report of a
  /// loss does not count: it shows the stored value.
  var reportsMismatch: Bool {
    if base.saveError() != nil { return true }
    return base.loadError().map { !$0.isLoss } ?? false
  }

  /// Whether the reported error is not caused by a fault of a call.
  var isRefused: Bool {
    let errors = [base.saveError(), base.loadError()].compactMap { $0 as? StorageError }
    return errors.contains {
      switch $0.reason {
      case .quotaExceeded, .denied, .other, .replaced: false
      default: true
      }
    }
  }

  /// Whether the reported errors only say that another release can read the value.
  var waitsForAnotherRelease: Bool {
    [base.saveError(), base.loadError()].allSatisfy { $0?.isOfOtherRelease ?? true }
  }

  /// The events of the value since the last call of `takeTurn()`.
  struct Turn {
    /// The number of runs of its observers.
    let notifications: Int
    /// Whether the value differs.
    let isChanged: Bool
    /// Whether it had an error before.
    let hadError: Bool
    /// Whether it has reported the loss of an unsaved change.
    let reportsLoss: Bool
  }

  func takeTurn() -> Turn {
    let value = base.value()
    let loadError = base.loadError()
    defer {
      (counts.changes, counts.loadErrors) = (0, 0)
      seen = value
      hadError = loadError != nil || base.saveError() != nil
    }
    return Turn(
      notifications: counts.changes, isChanged: !areEqual(value, seen), hadError: hadError,
      reportsLoss: counts.loadErrors > 0 && loadError?.isLoss == true)
  }
}

extension Error {
  /// Whether another release can read the value, or waits to do so.
  fileprivate var isOfOtherRelease: Bool {
    let reason = (self as? StorageError)?.reason
    return reason == .waiting || reason?.isOfOtherRelease == true
  }

  /// Whether the error reports the loss of an unsaved change.
  fileprivate var isLoss: Bool { (self as? StorageError)?.reason == .replaced }
}
