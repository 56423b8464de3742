extension Box {
  /// Begins to change the value, if it stays at one address, as most do.
  /// - Parameter access: What ``endChange(_:)`` takes.
  /// - Returns: The address of the value; nil where ``change(fileID:line:_:)`` is the way.
  @usableFromInline
  final func beginChange(
    _ access: UnsafeMutablePointer<ChangeAccess>, fileID: StaticString, line: UInt
  ) -> UnsafeMutableRawPointer? {
    guard let target = lock.withLock({ current?.hold() }) else { return nil }
    guard let address = target._withUnsafeGuaranteedRef({ $0.address }) else {
      target.letGo()
      return nil
    }
    let turn = Turn.current
    turn.begin()
    let mutation = Mutation(site: CallSite(fileID: fileID, line: line))
    access.initialize(to: ChangeAccess(target: target, mutation: mutation))
    target._withUnsafeGuaranteedRef { part in
      part.withRoot { $0.beginChange(of: part, &access.pointee.mutation, in: turn) }
    }
    return address
  }

  /// Ends to change the value: wakes who observes it, and has it saved when the turn ends.
  @usableFromInline
  final func endChange(_ access: UnsafeMutablePointer<ChangeAccess>) {
    let turn = Turn.current
    let target = access.pointee.target
    target._withUnsafeGuaranteedRef { part in
      part.withRoot { $0.endChange(of: part, in: turn) }
    }
    target.letGo()
    turn.end()
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

  /// The same, where `body` is given the reference, too, and says which element has come or gone; nil
  /// where anything may have changed.
  @usableFromInline
  final func change(
    fileID: StaticString, line: UInt,
    _ body: (UnsafeMutableRawPointer, _ target: Reference) -> ElementEdit?
  ) {
    let turn = Turn.current
    turn.begin()
    let target = located.target
    let root = target.root
    var mutation = Mutation(site: CallSite(fileID: fileID, line: line))
    withUnsafeMutablePointer(to: &mutation) {
      var edit: ElementEdit?
      root.beginChange(of: target, $0, in: turn)
      target.withAddress(.changing) { edit = body($0, target) }
      root.endChange(of: edit ?? target, in: turn)
    }
    turn.end()
  }
}

/// A change under way of a value that stays at one address.
@usableFromInline
struct ChangeAccess {
  let target: Unmanaged<Reference>
  var mutation: Mutation
}
