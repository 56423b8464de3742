/// A cell whose default is not evaluated before it is shown or asked for, and then once: that of a
/// key with a default of its own.
final class LazyCell<Value>: TypedCell<Value>, @unchecked Sendable {
  /// What evaluates the default, until that is there. Guarded by the cell's lock, as what follows.
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

  /// The first value is copied: there is none to swap it for.
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

  /// Where two threads have evaluated the default, the first one's counts.
  private func keep(_ made: Value) {
    guard makeDefault != nil else { return }
    (value + 1).initialize(to: made)
    makeDefault = nil
  }
}
