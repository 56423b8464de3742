/// What has happened to the elements of a shared collection; see
/// ``SharedReadable/observeElements(fileID:line:_:)``.
public enum ElementChanges: Equatable, Sendable {
  /// The elements at these positions, ascending, have changed; those at the end may be new ones.
  /// The others are as they were.
  /// Another program may have put an element with another id there.
  case changed([Int])
  /// The element that was at this position is gone. The others are as they were, those behind it
  /// one position further to the front.
  case removed(Int)
  /// Anything: the collection has been changed as a whole, or is another one.
  case anything
}

extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
  /// Calls a closure with a collection at once, and again after each turn in which it has changed,
  /// with what has happened to its elements: for whoever keeps something for each of them, such as
  /// a row on the screen.
  ///
  /// ```swift
  /// let token = $todos.observeElements { todos, changes in
  ///   switch changes {
  ///   case .changed(let positions):
  ///     for position in positions { rows[position] = Row(todos[position]) }
  ///   case .removed(let position): rows.remove(at: position)
  ///   case .anything: rows = todos.map { Row($0) }
  ///   }
  /// }
  /// ```
  /// Single elements are told of when they were changed through `$todos[id:]` or `$todos[0]`, and
  /// when they came or went by `append` and `remove(id:)`; as many as 100 in a turn, or one that
  /// went.
  /// - Parameter apply: Receives the collection and what has happened; ``ElementChanges/anything``
  ///   the first time. What it reads of other shared values does not matter.
  /// - Returns: A token; the closure is called until it is cancelled or dropped.
  @_disfavoredOverload
  public func observeElements(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ apply: @escaping (_ elements: Value, _ changes: ElementChanges) -> Void
  ) -> ObservationToken {
    observeElements(ObserverIsolation(), at: CallSite(fileID: fileID, line: line), apply)
  }

  func observeElements(
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
        // A collection that is computed, under no lock, may be older than what the log has heard.
        let changes = collection.isComputed ? .anything : follower.log.take()
        latest = (address.assumingMemoryBound(to: Value.self).pointee, changes)
      }
      let (elements, changes) = latest.take()!
      Scheduler.current.with(nil) { apply(elements, changes) }
    }
  }
}
