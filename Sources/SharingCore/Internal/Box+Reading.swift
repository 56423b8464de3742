extension Box {
  /// The value, whose type the wrapper knows. The observer that is running comes to depend on it.
  @inlinable
  final func value<Value>() -> Value {
    if let address = beginRead() {
      let value = address.assumingMemoryBound(to: Value.self).pointee
      endRead()
      return value
    }
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }

  /// Begins to read a value that stays at one address and that nobody is changing, if the running
  /// observer has read it in its last run, too: then no reference need be counted.
  /// - Returns: The address of the value, valid until ``endRead()``; nil where ``read(_:)`` is the way.
  @usableFromInline
  final func beginRead() -> UnsafeMutableRawPointer? {
    let turn = Turn.current
    if turn.isMutating { return nil }
    lock.lock()
    let address = current?._withUnsafeGuaranteedRef { target in
      target.address.flatMap { address in
        target.withRoot { beginRead(of: $0, in: turn) } ? address : nil
      }
    }
    if address == nil { lock.unlock() }
    return address
  }

  /// The box's lock is held.
  @inline(__always)
  private final func beginRead(of root: Root, in turn: Turn) -> Bool {
    root.observation.didRead(root, in: turn)
    guard root.lock.lockIfFree() else { return false }
    let isKnown = isKnown(to: turn)
    if !isKnown { root.lock.unlock() }
    return isKnown
  }

  /// Ends to read the value.
  @usableFromInline
  final func endRead() {
    current?._withUnsafeGuaranteedRef { $0.withRoot { $0.lock.unlock() } }
    lock.unlock()
  }

  /// Whether nobody has to note that the value is read: no observer is running, or the one that is has
  /// read it here in its last run. The box's lock is held.
  @inline(__always)
  private final func isKnown(to turn: Turn) -> Bool {
    guard let observer = turn.observer else { return true }
    return observer._withUnsafeGuaranteedRef { $0.confirm(.value, through: self, direction) }
  }

  /// Calls `body` once with the address of the value, valid during the call. The observer that is
  /// running comes to depend on the value.
  @usableFromInline
  @inline(never)
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    let turn = Turn.current
    let (target, direction) = (durable ?? self).located
    let root: Root = target.root
    root.observation.didRead(root, in: turn)
    turn.checkRead(of: root)
    guard let observer = turn.observer?.takeUnretainedValue() else {
      return target.withAddress(.reading, body)
    }
    // Before the value is read: a change on another thread from now on wakes the observer.
    let place = observer.record(.value, target, through: durable, direction)
    var changeCheck: (() -> Bool)?
    target.withAddress(.reading) { address in
      body(address)
      changeCheck = target.changeCheck(since: address)
    }
    observer.note(changeCheck, at: place)
  }
}
