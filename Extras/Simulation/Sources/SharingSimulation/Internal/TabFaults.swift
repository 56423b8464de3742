import SharingCore

/// The future faults in the calls of one tab's stores.
final class TabFaults {
  /// The faults, each with the number of calls before it.
  var waiting: [(fault: SimulatedFault, after: Int)]
  /// Whether the tab has ended: its calls have no effect any more.
  private(set) var isDead = false

  enum Call {
    case read
    /// A write of a text, in a plain store or in a journal.
    case write
    case load
    case commit
  }

  init(_ waiting: [(fault: SimulatedFault, after: Int)]) {
    self.waiting = waiting
  }

  /// Ends the tab.
  func die() { isDead = true }

  /// Returns the fault of a call that is made now; nil if it succeeds.
  func next(_ call: Call) -> SimulatedFault? {
    guard !isDead else { return nil }
    var taken: SimulatedFault?
    var left: [(fault: SimulatedFault, after: Int)] = []
    for (fault, after) in waiting {
      if taken == nil, after <= 0, fault.canHappen(in: call) {
        taken = fault
      } else {
        left.append((fault, after - 1))
      }
    }
    waiting = left
    if taken == .crash { isDead = true }
    return taken
  }

  /// Whether the journal that is read now is out of date. Reads of journals have no other fault.
  func readsOutdated() -> Bool {
    guard let index = waiting.firstIndex(where: { $0.fault == .outdated && $0.after <= 0 })
    else { return false }
    waiting.remove(at: index)
    return true
  }
}

extension SimulatedFault {
  func canHappen(in call: TabFaults.Call) -> Bool {
    switch self {
    case .quotaExceeded, .torn: call == .write || call == .commit
    case .denied, .crash: true
    case .lostAnswer, .lateCommit: call == .commit
    case .outdated: false
    }
  }
}

extension StorageError {
  static func full(_ key: KeyName?) -> StorageError {
    StorageError(.quotaExceeded, key: key, "The storage is full.")
  }

  static func refused(_ key: KeyName?) -> StorageError {
    StorageError(.denied, key: key, "The storage refuses.")
  }

  static func gone(_ key: KeyName?) -> StorageError {
    StorageError(.denied, key: key, "The tab is gone.")
  }
}
