import SharingCore

/// What will go wrong in the calls of one tab's stores.
final class TabFaults {
  /// After how many more calls each.
  var waiting: [(fault: SimulatedFault, after: Int)]
  /// Whether the tab is gone: nothing that it still does has any effect.
  private(set) var isDead = false

  enum Call {
    case read
    /// Of a text, in a plain store or in a journal.
    case write
    case load
    case commit
  }

  init(_ waiting: [(fault: SimulatedFault, after: Int)]) {
    self.waiting = waiting
  }

  /// The tab is gone.
  func die() { isDead = true }

  /// What goes wrong in a call that is made now; nil where nothing does.
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

  /// Whether the journal that is read now comes as it was. Other faults do not happen there.
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
