// The dependencies that an observer records while its closure runs.

extension Observer {
  /// Records that the current run reads the value of a reference, or derives from it.
  /// - Parameter handle: The handle of the read, nil for one that the run has made.
  /// - Returns: The dependency, for ``setChangeCheck(_:of:)``.
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
    // A thread that re-pointed the handle meanwhile did not find this observer.
    if let handle, !handle.stillPoints(at: reference, generation) {
      graphLock.withLock { mark(.certain, in: .current) }
    }
    return dependency
  }

  /// Records that the current run found a part that can be removed.
  /// - Returns: Whether the dependency is new: then the part may have been removed before it was
  ///   recorded.
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
      if reference.cell.isStatus { observesStatus = true }
      let out = dependencies.cut()
      let node = reference.observedNode()
      dependencies.append(
        Dependency(
          handle: handle, generation: generation, kind: kind,
          cell: reference.cell, node: .passUnretained(node)), of: self, at: node)
      return out
    }
    DependencyList.free(out)
  }

  /// Sets the check for a change of the value that was read, nil if every change counts. Every
  /// change also counts if the value was computed from others: new inputs may have given the same
  /// result.
  func setChangeCheck(_ changeCheck: (() -> Bool)?, of dependency: Dependency.Pointer) {
    let changeCheck = dependencies.last == dependency ? changeCheck : nil
    if changeCheck == nil, dependency.pointee.hasChanged == nil { return }
    let old = graphLock.withLock {
      let old = dependency.pointee.hasChanged
      dependency.pointee.hasChanged = changeCheck
      return old
    }
    _ = old
  }
}
