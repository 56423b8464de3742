import SharingCore
import WasiStorage

/// One value of an open tab, with the events of its current turn.
final class WatchedValue {
  let base: SimulatedValue
  private let counts = Counts()
  private var tokens: [ObservationToken] = []

  private final class Counts {
    var changes = 0
    var loadErrors = 0
  }

  init(_ base: SimulatedValue) {
    self.base = base
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

  var name: KeyName { base.name }

  /// Loads the value again if the last load has failed, and may succeed now.
  func loadAgain() {
    guard let reason = reason(of: base.loadError()), reason != .replaced else { return }
    if !reason.waitsForAnotherRelease { base.load() }
  }

  /// Whether the tab has reported that the shown value differs from the stored one. A report of a
  /// loss does not count: it shows the stored value.
  var reportsMismatch: Bool {
    base.saveError() != nil || base.loadError().map { reason(of: $0) != .replaced } ?? false
  }

  /// The reasons of its errors that are not caused by a fault of a call.
  private var refusals: [StorageError.Reason] {
    [base.saveError(), base.loadError()].compactMap(reason).filter {
      ![.quotaExceeded, .denied, .other, .replaced].contains($0)
    }
  }

  /// Whether it has an error that is not caused by a fault of a call.
  var isRefused: Bool { !refusals.isEmpty }

  /// Whether no release can store the value.
  var isRefusedByAll: Bool { refusals.contains { !$0.waitsForAnotherRelease } }

  /// Returns the events of the value since the last call.
  /// - Returns: Whether observers have run, and whether the loss of an unsaved change was reported.
  func takeTurn() -> (runsObservers: Bool, reportsLoss: Bool) {
    defer { (counts.changes, counts.loadErrors) = (0, 0) }
    let reportsLoss = counts.loadErrors > 0 && reason(of: base.loadError()) == .replaced
    return (counts.changes > 0, reportsLoss)
  }
}

private func reason(of error: (any Error)?) -> StorageError.Reason? {
  (error as? StorageError)?.reason
}

extension StorageError.Reason {
  /// Whether another release can read the value, or waits to do so.
  fileprivate var waitsForAnotherRelease: Bool { self == .waiting || isOfOtherRelease }
}
