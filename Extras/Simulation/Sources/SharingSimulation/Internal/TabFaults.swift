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
    /// A read of a journal that another tab has written.
    case oldRead
  }

  init(_ waiting: [(fault: SimulatedFault, after: Int)]) {
    self.waiting = waiting
  }

  /// Throws if a call that is made now fails.
  /// - Parameter tear: Called if the tab ends during the call.
  /// - Returns: The fault of a call that does not fail before it reaches its store.
  @discardableResult
  func check(
    _ call: Call, _ key: KeyName?, tear: () -> Void = {}
  ) throws(StorageError) -> SimulatedFault? {
    let fault = isDead ? nil : take(call)
    switch fault {
    case .quotaExceeded: throw StorageError(.quotaExceeded, key: key, "The storage is full.")
    case .denied: throw StorageError(.denied, key: key, "The storage refuses.")
    case .crash: isDead = true
    case .torn:
      isDead = true
      tear()
    default: break
    }
    if isDead { throw StorageError(.denied, key: key, "The tab is gone.") }
    return fault
  }

  /// Removes and returns the fault of a call that is made now; nil if it has none.
  private func take(_ call: Call) -> SimulatedFault? {
    let index = waiting.firstIndex { $0.after <= 0 && $0.fault.canHappen(in: call) }
    let fault = index.map { waiting.remove(at: $0).fault }
    for index in waiting.indices { waiting[index].after -= 1 }
    return fault
  }
}

extension SimulatedFault {
  func canHappen(in call: TabFaults.Call) -> Bool {
    switch self {
    case .quotaExceeded, .torn: call == .write || call == .commit
    case .denied, .crash: call != .oldRead
    case .lostAnswer, .lateCommit: call == .commit
    case .outdated: call == .oldRead
    }
  }
}
