// What an observer notes while its closure runs.

extension Observer {
  /// Whether the run under way goes the way of the last one: through this box, which still points
  /// where it did. Most runs do.
  @inline(__always)
  func confirm(_ kind: Dependency.Kind, through box: Box, _ direction: UInt32) -> Bool {
    trail.goes(kind, through: box, direction)
  }

  /// Notes that the run under way goes by a reference: it reads the value, or derives from it.
  /// - Parameter box: What it came through; nil for one that was made in passing.
  /// - Returns: What ``note(_:at:)`` takes.
  @discardableResult
  func record(
    _ kind: Dependency.Kind, _ reference: Reference, through box: Box?, _ direction: UInt32
  ) -> Int {
    let place = trail.place
    if let box {
      if trail.goes(kind, through: box, direction) { return place }
    } else if trail.goes(kind, by: reference) {
      return place
    }
    add(kind, reference, box, direction)
    // Another thread that has pointed the box elsewhere meanwhile has not found this observer.
    if let box, !box.stillPoints(at: reference, direction) {
      graphLock.withLock { queueCertainly(in: .current) }
    }
    return place
  }

  /// Notes that the run under way has found a part that can go away.
  /// - Returns: Whether that is new: then it may have gone before it was noted.
  func recordPresence(of part: Reference) -> Bool {
    if trail.goes(.presence, by: part) { return false }
    add(.presence, part, nil, 0)
    return true
  }

  private func add(
    _ kind: Dependency.Kind, _ reference: Reference, _ box: Box?, _ direction: UInt32
  ) {
    if kind != .direction { reference.root.willBeObserved() }
    let out = graphLock.withLock {
      let out = takeOutRest()
      let node = reference.observedNode()
      trail.append(
        Dependency(
          kind: kind, observer: .passUnretained(self), box: box, direction: direction,
          root: reference.root, node: .passUnretained(node)), at: node)
      return out
    }
    Trail.free(out)
  }

  /// Notes how to tell whether what was read has changed; nil where every change counts. That is so, too,
  /// where the value was computed from others: the same result may have been computed from new ones.
  func note(_ changeCheck: (() -> Bool)?, at place: Int) {
    let changeCheck = trail.place == place + 1 ? changeCheck : nil
    let dependency = trail[place]
    if changeCheck == nil, dependency.pointee.hasChanged == nil { return }
    let old = graphLock.withLock {
      let old = dependency.pointee.hasChanged
      dependency.pointee.hasChanged = changeCheck
      return old
    }
    _ = old
  }
}
