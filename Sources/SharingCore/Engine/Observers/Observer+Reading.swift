// What an observer records while its closure runs.

extension Observer {
  /// Records that the current run reads the value of a reference, or derives from it.
  /// - Parameter handle: The handle through which it does; nil for a transient one.
  /// - Returns: What ``setChangeCheck(_:of:)`` takes.
  @discardableResult
  func record(
    _ kind: Dependency.Kind, _ reference: Reference, through handle: Handle?, _ generation: UInt32
  ) -> Dependency.Pointer {
    let isRepeated =
      if let handle {
        dependencies.advances(kind, through: handle, generation)
      } else {
        dependencies.advances(kind, by: reference)
      }
    if isRepeated { return dependencies.last.unsafelyUnwrapped }
    add(kind, reference, handle, generation)
    let dependency = dependencies.last.unsafelyUnwrapped
    // A thread that has pointed the handle elsewhere meanwhile has not found this observer.
    if let handle, !handle.stillPoints(at: reference, generation) {
      graphLock.withLock { mark(.stale, in: .current) }
    }
    return dependency
  }

  /// Records that the current run has found a part that can be removed.
  /// - Returns: Whether that is new: then it may have been removed before it was recorded.
  func recordPresence(of part: Reference) -> Bool {
    if dependencies.advances(.presence, by: part) { return false }
    add(.presence, part, nil, 0)
    return true
  }

  private func add(
    _ kind: Dependency.Kind, _ reference: Reference, _ handle: Handle?, _ generation: UInt32
  ) {
    if kind != .location { reference.cell.willBeObserved() }
    let out = graphLock.withLock {
      if reference.cell.isStatus { observeStatus() }
      let out = dependencies.cut()
      let node = reference.observedNode()
      dependencies.append(
        Dependency(
          handle: handle, generation: generation, kind: kind,
          cell: reference.cell, node: .passUnretained(node)), of: self, at: node)
      noteDependencies()
      return out
    }
    DependencyList.free(out)
  }

  /// Sets how to tell whether what was read has changed; nil where every change counts. That is so,
  /// too, where the value was computed from others: the same result may have been computed from new
  /// ones.
  func setChangeCheck(_ changeCheck: (() -> Bool)?, of dependency: Dependency.Pointer) {
    let changeCheck = dependencies.last == dependency ? changeCheck : nil
    if changeCheck == nil, dependency.pointee.hasChanged == nil { return }
    let old = graphLock.withLock {
      let old = dependency.pointee.hasChanged
      dependency.pointee.hasChanged = changeCheck
      noteDependencies()
      return old
    }
    _ = old
  }
}
