/// A root with a value of a known type.
final class ValueReference<Value>: Root, @unchecked Sendable {
  /// - Parameter keepsInitialValue: Whether the value can go back to the default by itself: what no
  ///   key brings back. The default then lies behind the value.
  init(_ initialValue: Value, keepsInitialValue: Bool = false) {
    let value = UnsafeMutablePointer<Value>.allocate(capacity: keepsInitialValue ? 2 : 1)
    value.initialize(repeating: initialValue, count: keepsInitialValue ? 2 : 1)
    super.init(address: UnsafeMutableRawPointer(value), keepsInitialValue: keepsInitialValue)
  }

  deinit {
    persistence?.detach()
    value.deinitialize(count: keepsInitialValue ? 2 : 1)
    value.deallocate()
  }

  private var value: UnsafeMutablePointer<Value> {
    address!.assumingMemoryBound(to: Value.self)
  }

  /// Takes over a value from the store, unless a mutation has been faster: observers are woken,
  /// nothing is saved.
  /// - Parameter version: What the value was when the store was asked; nil for news from the store.
  /// - Returns: Whether it was taken over.
  @discardableResult
  func receive(_ newValue: Value, since version: Version?) -> Bool {
    var other = newValue
    let turn = Turn.current
    turn.begin()
    defer { turn.end() }
    return replace(since: version, in: turn) { swap(&value.pointee, &other) }
  }

  override func restoreInitialValue() {
    if keepsInitialValue { value[0] = value[1] } else { super.restoreInitialValue() }
  }

  override func copy() -> (root: Root, byteCount: Int) {
    (lock.withLock { ValueReference(value.pointee) }, MemoryLayout<Value>.size)
  }
}
