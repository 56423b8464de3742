extension Handle {
  /// Returns the value, with the type from the wrapper. The running observer depends on it.
  @inlinable
  final func value<Value>() -> Value { valueInCaller() }

  /// The same, inlined, for the most frequent callers.
  @inlinable @inline(__always)
  final func valueInCaller<Value>() -> Value {
    guard let address = beginRead() else { return slowValue() }
    let value = address.assumingMemoryBound(to: Value.self).pointee
    endRead()
    return value
  }

  /// The slow path of ``valueInCaller()``. A separate function, so that the fast one needs no
  /// stack.
  @inlinable @inline(never)
  final func slowValue<Value>() -> Value {
    var value: Value?
    read { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }

  /// Begins a read of a value with a constant address that no thread is changing. If an observer is
  /// running, it must have read the value in its last run, too. Then no reference need be counted.
  /// - Returns: The address of the value, valid until ``endRead()``; nil if ``read(_:)`` is needed.
  @usableFromInline
  final func beginRead() -> UnsafeMutableRawPointer? {
    let scheduler = Scheduler.current
    if scheduler.thread.pointee.mutation != nil { return nil }
    let observer = scheduler.thread.pointee.observer
    lock.lock()
    if let target = current, let address = target._withUnsafeGuaranteedRef({ $0.address }) {
      let isOpen = target._withUnsafeGuaranteedRef {
        $0.withCell { cell in
          if cell.tracker != nil { return false }  // which is called without a lock
          if observer == nil { cell.observation.didRead(cell) }
          guard cell.lock.lockIfFree() else { return false }
          guard let observer else { return true }
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

  /// Ends the read.
  @usableFromInline
  final func endRead() {
    current?._withUnsafeGuaranteedRef { $0.withCell { $0.lock.unlock() } }
    lock.unlock()
  }

  /// Calls `body` once with the address of the value, valid during the call. The running observer
  /// depends on the value.
  @usableFromInline
  @inline(never)
  final func read(_ body: (UnsafeMutableRawPointer) -> Void) {
    let scheduler = Scheduler.current
    let (target, generation) = (recordedHandle ?? self).resolved
    let cell: Cell = target.cell
    if scheduler.thread.pointee.observer == nil { cell.observation.didRead(cell) }
    if let tracker = cell.tracker { tracker.didRead() }
    scheduler.checkRead(of: cell)
    guard let observer = scheduler.thread.pointee.observer?.takeUnretainedValue() else {
      return target.withAddress(.reading, body)
    }
    // Recorded before the read: from now on, a change on another thread marks the observer stale.
    let dependency = observer.record(.value, target, through: recordedHandle, generation)
    var changeCheck: (() -> Bool)?
    target.withAddress(.reading) { address in
      body(address)
      changeCheck = target.changeCheck(since: address)
    }
    observer.setChangeCheck(changeCheck, of: dependency)
  }
}
