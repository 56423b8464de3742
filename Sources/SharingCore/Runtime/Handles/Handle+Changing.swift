extension Handle {
  /// Begins a change of the value. The connection may deliver a newer stored value first.
  /// - Parameters:
  ///   - mutation: The memory of the mutation; pass it to ``endChange(_:of:)``.
  ///   - isUpdate: Whether the change can run again on another value.
  /// - Returns: The address of the value, if that is constant, as for most. If nil, continue with
  ///   ``endChange(_:by:)``.
  @usableFromInline
  final func beginChange(
    _ mutation: UnsafeMutablePointer<Mutation>, isUpdate: Bool, fileID: StaticString, line: UInt
  ) -> UnsafeMutableRawPointer? {
    let scheduler = Scheduler.current
    scheduler.begin()
    let target =
      lock.withLock { current?.retain() } ?? Unmanaged.passRetained(resolved.target)
    mutation.initialize(
      to: Mutation(
        of: target, at: CallSite(fileID: fileID, line: line), isUpdate ? .update : .change,
        within: scheduler.thread.pointee.mutation))
    return target._withUnsafeGuaranteedRef { part in
      part.withCell { $0.beginChange(mutation, in: scheduler) }
      return part.address
    }
  }

  /// Ends a change of the value: marks its observers stale and schedules a save at the end of the
  /// turn.
  /// - Parameter edit: The element that was added or removed, nil if anything may have changed.
  @usableFromInline
  final func endChange(_ mutation: UnsafeMutablePointer<Mutation>, of edit: ElementEdit?) {
    let scheduler = Scheduler.current
    let target = mutation.pointee.target
    let changed: Unmanaged<Reference> = if let edit { .passUnretained(edit) } else { target }
    changed._withUnsafeGuaranteedRef { part in
      part.withCell { $0.endChange(of: part, within: mutation.pointee.outer, in: scheduler) }
    }
    target.release()
    scheduler.end()
  }

  /// Finds the value, changes it with `body` and ends the change.
  /// - Parameter body: Called once with the address of the value and the reference to it. Returns
  ///   the element that it added or removed, if any.
  @usableFromInline
  final func endChange(
    _ mutation: UnsafeMutablePointer<Mutation>,
    by body: (UnsafeMutableRawPointer, _ target: Reference) -> ElementEdit?
  ) {
    var edit: ElementEdit?
    mutation.pointee.target._withUnsafeGuaranteedRef { part in
      part.withAddress(.changing) { edit = body($0, part) }
    }
    endChange(mutation, of: edit)
  }

  /// Changes the value with a closure like that of ``endChange(_:by:)``.
  @usableFromInline
  final func change(
    isUpdate: Bool = false, fileID: StaticString, line: UInt,
    _ body: (UnsafeMutableRawPointer, _ target: Reference) -> ElementEdit?
  ) {
    withUnsafeTemporaryAllocation(of: Mutation.self, capacity: 1) { buffer in
      let mutation = buffer.baseAddress!
      _ = beginChange(mutation, isUpdate: isUpdate, fileID: fileID, line: line)
      endChange(mutation, by: body)
    }
  }
}
