extension Handle {
  /// Begins to change the value, if it stays at one address, as most do.
  /// - Parameter mutation: What ``endChange(_:)`` takes.
  /// - Returns: The address of the value; nil where ``change(fileID:line:_:)`` is the way.
  @usableFromInline
  final func beginChange(
    _ mutation: UnsafeMutablePointer<Mutation>, fileID: StaticString, line: UInt
  ) -> UnsafeMutableRawPointer? {
    guard let target = lock.withLock({ current?.hold() }) else { return nil }
    guard let address = target._withUnsafeGuaranteedRef({ $0.address }) else {
      target.letGo()
      return nil
    }
    let scheduler = Scheduler.current
    scheduler.begin()
    mutation.initialize(
      to: Mutation(of: target, at: CallSite(fileID: fileID, line: line), .change))
    target._withUnsafeGuaranteedRef { $0.withCell { $0.beginChange(mutation, in: scheduler) } }
    return address
  }

  /// Ends to change the value: wakes who observes it, and has it saved when the turn ends.
  @usableFromInline
  final func endChange(_ mutation: UnsafeMutablePointer<Mutation>) {
    let scheduler = Scheduler.current
    let target = mutation.pointee.target
    target._withUnsafeGuaranteedRef { part in
      part.withCell { $0.endChange(of: part, in: scheduler) }
    }
    target.letGo()
    scheduler.end()
  }

  /// Calls `body` once with the address of the value, which it may change, between what
  /// ``beginChange(_:fileID:line:)`` and ``endChange(_:)`` do.
  @usableFromInline
  final func change(
    fileID: StaticString, line: UInt, _ body: (UnsafeMutableRawPointer) -> Void
  ) {
    change(fileID: fileID, line: line) { address, _ in
      body(address)
      return nil
    }
  }

  /// The same, where `body` is given the reference, too, and says which element has come or gone;
  /// nil where anything may have changed.
  @usableFromInline
  final func change(
    fileID: StaticString, line: UInt, isUpdate: Bool = false,
    _ body: (UnsafeMutableRawPointer, _ target: Reference) -> ElementEdit?
  ) {
    let scheduler = Scheduler.current
    scheduler.begin()
    let target = located.target
    let cell = target.cell
    var mutation = Mutation(
      of: .passUnretained(target), at: CallSite(fileID: fileID, line: line),
      isUpdate ? .update : .change)
    withUnsafeMutablePointer(to: &mutation) {
      var edit: ElementEdit?
      cell.beginChange($0, in: scheduler)
      target.withAddress(.changing) { edit = body($0, target) }
      cell.endChange(of: edit ?? target, in: scheduler)
    }
    scheduler.end()
  }
}
