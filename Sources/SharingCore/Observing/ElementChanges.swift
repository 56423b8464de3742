/// The changes of the elements of a shared collection; see
/// ``SharedReadable/observeElements(isolation:fileID:line:_:)``.
public enum ElementChanges: Equatable, Sendable {
  /// The elements at these positions, in ascending order, changed; the last ones may be new. The
  /// other elements are unchanged. If another program made the change, an element there may have
  /// another id.
  case changed([Int])
  /// The element at this position was removed. The others are unchanged; those behind it moved one
  /// position forward.
  case removed(Int)
  /// Any change: the whole collection changed, or it is another one.
  case anything
}

// MARK: Recording

extension ElementChanges {
  /// No change.
  package static var none: ElementChanges { .changed([]) }

  /// The largest number of single elements that is worth the bookkeeping.
  private static var limit: Int { 100 }

  /// Adds a change of the element at a position, or a new one at the end.
  package mutating func insert(_ position: Int) {
    guard case .changed(var positions) = self else { return self = .anything }
    let index = partitioningIndex(positions.count) { positions[$0] >= position }
    if index < positions.count, positions[index] == position { return }
    self = .anything  // so that the array has one owner
    if positions.count == Self.limit { return }
    positions.insert(position, at: index)
    self = .changed(positions)
  }

  /// Adds the removal of the element at a position.
  mutating func remove(_ position: Int) {
    self = self == .none ? .removed(position) : .anything
  }
}

// MARK: Observing

extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
  func observeElements(
    _ isolation: ObserverIsolation, at site: CallSite,
    _ apply: @escaping (_ elements: Value, _ changes: ElementChanges) -> Void
  ) -> ObservationToken {
    observeElementsAndReads(isolation, at: site) { elements, changes in
      Scheduler.current.with(nil) { apply(elements, changes) }
    }
  }

  /// Calls the closure also after changes of the values that it reads; ``ElementChanges/none`` are
  /// then the changes of the elements.
  package func observeElementsAndReads(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ apply: @escaping (_ elements: Value, _ changes: ElementChanges) -> Void
  ) -> ObservationToken {
    observeElementsAndReads(ObserverIsolation(), at: CallSite(fileID: fileID, line: line), apply)
  }

  private func observeElementsAndReads(
    _ isolation: ObserverIsolation, at site: CallSite,
    _ apply: @escaping (_ elements: Value, _ changes: ElementChanges) -> Void
  ) -> ObservationToken {
    let handle = reader.handle
    let follower = ElementFollower()
    return ObservationToken(isolation, at: site) {
      let collection = handle.reference
      follower.follow(collection)
      var latest: (elements: Value, changes: ElementChanges)?
      handle.read { address in
        // A computed collection is read under no lock and may be older than the log.
        let changes = collection.isComputed ? .anything : follower.take()
        latest = (address.assumingMemoryBound(to: Value.self).pointee, changes)
      }
      let (elements, changes) = latest.take()!
      apply(elements, changes)
    }
  }
}

/// The changes of a collection's elements since its observer last took them. Exists as long as the
/// observer.
private final class ElementFollower: @unchecked Sendable {
  /// The graph lock guards it. The node of the collection refers to it without retaining it.
  private let changes = UnsafeMutablePointer<ElementChanges>.allocate(capacity: 1)
  private var node: ObserverNode?

  init() {
    changes.initialize(to: .anything)
  }

  deinit {
    graphLock.withLock { node?.remove(changes) }
    changes.deinitialize(count: 1)
    changes.deallocate()
  }

  /// Follows a collection instead of the former one.
  func follow(_ collection: Reference) {
    graphLock.withLock {
      let node = collection.observedNode()
      guard node !== self.node else { return }
      self.node?.remove(changes)
      self.node = node
      node.insert(changes)
      changes.pointee = .anything
    }
  }

  /// Returns the changes and forgets them. Called under the cell's lock, so that they match the
  /// value that is read there.
  func take() -> ElementChanges {
    graphLock.withLock {
      defer { changes.pointee = .none }
      return changes.pointee
    }
  }
}
