/// A root with a value of a known type.
class ValueReference<Value>: Root, @unchecked Sendable {
  init(_ initialValue: Value) {
    let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    value.initialize(to: initialValue)
    super.init(address: UnsafeMutableRawPointer(value))
  }

  deinit {
    persistence?.detach()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  fileprivate final var value: UnsafeMutablePointer<Value> {
    address!.assumingMemoryBound(to: Value.self)
  }

  /// Takes over a value from the store, unless a mutation has been faster: observers are woken,
  /// nothing is saved.
  /// - Parameter version: What the value was when the store was asked; nil for news from the store.
  /// - Returns: Whether it was taken over.
  @discardableResult
  final func receive(_ newValue: Value, since version: Version?) -> Bool {
    var other = newValue
    let turn = Turn.current
    turn.begin()
    defer { turn.end() }
    return replace(since: version, in: turn) { swap(&value.pointee, &other) }
  }

  override final func copy() -> (root: Root, byteCount: Int) {
    (lock.withLock { ValueReference(value.pointee) }, MemoryLayout<Value>.size)
  }
}

/// A root whose value is stored nowhere else, with the default to go back to.
final class KeptReference<Value>: ValueReference<Value>, @unchecked Sendable {
  private let initialValue: Value

  override init(_ initialValue: Value) {
    self.initialValue = initialValue
    super.init(initialValue)
  }

  override var hasInitialValue: Bool { true }

  override func restoreInitialValue() {
    value.pointee = initialValue
  }
}
