extension Handle {
  /// The value, whose type the wrapper knows. The observer that is running comes to depend on it.
  @inlinable
  final func value<Value>() -> Value { valueInCaller() }

  /// The same in the caller's code, for those that are called most.
  @inlinable @inline(__always)
  final func valueInCaller<Value>() -> Value {
    guard let address = beginRead() else { return slowValue() }
    let value = address.assumingMemoryBound(to: Value.self).pointee
    endRead()
    return value
  }

  /// The same where there is more to do: apart, so that the function above needs no stack.
  @inlinable @inline(never)
  final func slowValue<Value>() -> Value {
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }

  /// Begins to read a value that stays at one address and that nobody is changing, if the running
  /// observer has read it in its last run, too: then no reference need be counted.
  /// - Returns: The address of the value, valid until ``endRead()``; nil where ``read(_:)`` is the
  ///   way.
  @usableFromInline
  final func beginRead() -> UnsafeMutableRawPointer? {
    let scheduler = Scheduler.current
    if scheduler.thread.pointee.mutation != nil { return nil }
    lock.lock()
    if let target = current, let address = target._withUnsafeGuaranteedRef({ $0.address }) {
      let isOpen = target._withUnsafeGuaranteedRef {
        $0.withCell { cell in
          cell.observation.didRead(cell, in: scheduler)
          guard cell.lock.lockIfFree() else { return false }
          guard let observer = scheduler.thread.pointee.observer else { return true }
          let isKnown = observer._withUnsafeGuaranteedRef {
            $0.dependencies.advances(.value, through: self, generation)
          }
          if !isKnown { cell.lock.unlock() }
          return isKnown
        }
      }
      if isOpen { return address }
    }
    lock.unlock()
    return nil
  }

  /// Ends to read the value.
  @usableFromInline
  final func endRead() {
    current?._withUnsafeGuaranteedRef { $0.withCell { $0.lock.unlock() } }
    lock.unlock()
  }

  /// Calls `body` once with the address of the value, valid during the call. The observer that is
  /// running comes to depend on the value.
  @usableFromInline
  @inline(never)
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    let scheduler = Scheduler.current
    let (target, generation) = (durable ?? self).located
    let cell: Cell = target.cell
    cell.observation.didRead(cell, in: scheduler)
    scheduler.checkRead(of: cell)
    guard let observer = scheduler.thread.pointee.observer?.takeUnretainedValue() else {
      return target.withAddress(.reading, body)
    }
    // Before the value is read: a change on another thread from now on marks the observer stale.
    let dependency = observer.record(.value, target, through: durable, generation)
    var changeCheck: (() -> Bool)?
    target.withAddress(.reading) { address in
      body(address)
      changeCheck = target.changeCheck(since: address)
    }
    observer.setChangeCheck(changeCheck, of: dependency)
  }
}
