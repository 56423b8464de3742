extension Handle {
  /// Begins to change the value; the connection may bring what its store holds now.
  /// - Parameters:
  ///   - mutation: What ``endChange(_:of:)`` takes.
  ///   - isUpdate: Whether the change may be made again on another value.
  /// - Returns: The address of the value, if it stays at one, as most do; nil where
  ///   ``endChange(_:by:)`` is the way on.
  @usableFromInline
  final func beginChange(
    _ mutation: UnsafeMutablePointer<Mutation>, isUpdate: Bool, fileID: StaticString, line: UInt
  ) -> UnsafeMutableRawPointer? {
    let scheduler = Scheduler.current
    scheduler.begin()
    let target =
      lock.withLock { current?.hold() } ?? Unmanaged.passUnretained(located.target).hold()
    mutation.initialize(
      to: Mutation(
        of: target, at: CallSite(fileID: fileID, line: line), isUpdate ? .update : .change,
        within: scheduler.thread.pointee.mutation))
    return target._withUnsafeGuaranteedRef { part in
      part.withCell { $0.beginChange(mutation, in: scheduler) }
      return part.address
    }
  }

  /// Ends to change the value: marks its observers stale, and has it saved when the turn ends.
  /// - Parameter edit: The element that has come or gone; nil where anything may have changed.
  @usableFromInline
  final func endChange(_ mutation: UnsafeMutablePointer<Mutation>, of edit: ElementEdit?) {
    let scheduler = Scheduler.current
    let target = mutation.pointee.target
    let changed: Unmanaged<Reference> = if let edit { .passUnretained(edit) } else { target }
    changed._withUnsafeGuaranteedRef { part in
      part.withCell { $0.endChange(of: part, within: mutation.pointee.outer, in: scheduler) }
    }
    target.endHold()
    scheduler.end()
  }

  /// Has the value changed where it is found now, and ends to change it.
  /// - Parameter body: Called once with the address of the value and the reference to it; returns
  ///   which element has come or gone.
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

  /// Changes the value by a closure as that of ``endChange(_:by:)``.
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
