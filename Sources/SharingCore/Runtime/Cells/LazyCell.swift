/// The cell of a key with its own default. Evaluates the default once, when it is first needed.
final class LazyCell<Value>: TypedCell<Value>, @unchecked Sendable {
  /// Evaluates the default; nil afterwards. Guarded by the cell's lock, like the next property.
  private var makeDefault: (@Sendable () -> Value)?
  private var hasValue = false

  init(_ makeDefault: @escaping @Sendable () -> Value) {
    self.makeDefault = makeDefault
    super.init()
  }

  override func deinitialize() {
    if hasValue { value.deinitialize(count: 1) }
    if makeDefault == nil { (value + 1).deinitialize(count: 1) }
  }

  /// Copies the first value, because there is none yet to swap with.
  override func swapValue(with other: UnsafeMutableRawPointer) {
    if hasValue { return super.swapValue(with: other) }
    value.initialize(to: other.assumingMemoryBound(to: Value.self).pointee)
    hasValue = true
  }

  override func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    if let makeDefault = lock.withLock({ makeDefault }) {
      let made = Scheduler.current.with(nil) { makeDefault() }
      lock.withLock { keep(made) }
    }
    super.withInitialValue(body)
  }

  override func showDefault() {
    if lock.withLock({ hasValue }) { return }
    withInitialValue { initialValue in
      lock.withLock { if !hasValue { swapValue(with: initialValue) } }
    }
  }

  /// Stores the default. If two threads evaluate it, the first result counts.
  private func keep(_ made: Value) {
    guard makeDefault != nil else { return }
    (value + 1).initialize(to: made)
    makeDefault = nil
  }
}
