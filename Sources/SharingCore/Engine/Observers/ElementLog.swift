/// What has happened to a collection's elements since an observer has asked last. The graph lock
/// guards it; it is asked under the cell's lock, so that it goes with the value that is read there.
final class ElementLog {
  private var changed = ChangedElements.unknown
  private var removed: Int?

  /// What has happened, which is forgotten.
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

  /// Notes that a part of the collection was changed, or with nil that anything may have. The graph
  /// lock is held, and the cell's.
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

/// What ties a log to the collection that an observer goes by, for as long as the observer lives.
final class ElementFollower: @unchecked Sendable {
  let log = ElementLog()
  private var node: ObserverNode?

  deinit {
    graphLock.withLock { node?.remove(log) }
  }

  /// Has the log hear of a collection from now on.
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
