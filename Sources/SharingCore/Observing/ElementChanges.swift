/// The changes of the elements of a shared collection; see
/// ``SharedReadable/observeElements(fileID:line:_:)``.
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

extension SharedReadable where Value: RandomAccessCollection & MutableCollection {
  /// Calls a closure with the collection at once, and again with the changes of its elements after
  /// each turn that changes it. Use it to keep one object for each element, such as a row on the
  /// screen.
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
  /// Single changes are reported if they were made through `$todos[id:]` or `$todos[0]`, or by
  /// `append` and `remove(id:)`: up to 100 in a turn, or one removal.
  /// - Parameter apply: Receives the collection and its changes, at first
  ///   ``ElementChanges/anything``. Its reads of other shared values are not observed.
  /// - Returns: A token; cancelling or dropping it ends the calls.
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
        // A computed collection is read under no lock and may be older than the log.
        let changes = collection.isComputed ? .anything : follower.log.take()
        latest = (address.assumingMemoryBound(to: Value.self).pointee, changes)
      }
      let (elements, changes) = latest.take()!
      Scheduler.current.with(nil) { apply(elements, changes) }
    }
  }
}
