/// The changes of a collection's elements since an observer's last call of ``take()``. The graph
/// lock guards it. `take` is called under the cell's lock, so that it matches the value that is
/// read there.
final class ElementLog {
  private var changed = ChangedPositions.unknown
  private var removed: Int?

  /// Returns the changes and forgets them.
  func take() -> ElementChanges {
    graphLock.withLock {
      defer {
        changed = .none
        removed = nil
      }
      if let removed { return .removed(removed) }
      return changed.positions.map { .changed($0) } ?? .anything
    }
  }

  /// Records a change of a part of the collection, or with nil any change. The graph lock and the
  /// cell's lock are held.
  func record(_ part: PathComponent?, alias: PathComponent?) {
    guard let part, removed == nil else { return recordAll() }
    if let position = part.removedPosition {
      removed = changed.positions?.isEmpty == true ? position : nil
      changed.invalidate()
    } else if let position = part.position ?? alias?.position {
      changed.insert(position)
    } else {
      recordAll()
    }
  }

  private func recordAll() {
    removed = nil
    changed.invalidate()
  }
}

/// Attaches a log to the collection that an observer reads, while the observer exists.
final class ElementFollower: @unchecked Sendable {
  let log = ElementLog()
  private var node: ObserverNode?

  deinit {
    graphLock.withLock { node?.remove(log) }
  }

  /// Attaches the log to a collection, and detaches it from the former one.
  func follow(_ collection: Reference) {
    graphLock.withLock {
      let node = collection.observedNode()
      guard node !== self.node else { return }
      self.node?.remove(log)
      self.node = node
      node.insert(log)
      log.record(nil, alias: nil)
    }
  }
}
