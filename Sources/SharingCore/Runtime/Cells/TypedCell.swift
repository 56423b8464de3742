/// A cell with a value of a known type.
class TypedCell<Value>: Cell, @unchecked Sendable {
  /// - Parameter isKeyed: Whether the value has a key, and so a default to go back to. That lies
  ///   behind the value.
  init(_ initialValue: Value, isKeyed: Bool = false, isTracked: Bool = true) {
    let value = UnsafeMutablePointer<Value>.allocate(capacity: isKeyed ? 2 : 1)
    value.initialize(repeating: initialValue, count: isKeyed ? 2 : 1)
    super.init(
      address: UnsafeMutableRawPointer(value), isKeyed: isKeyed, isTracked: isTracked)
  }

  /// Creates a cell of a key without a value yet, with room for a value and its default.
  init() {
    let room = UnsafeMutablePointer<Value>.allocate(capacity: 2)
    super.init(address: UnsafeMutableRawPointer(room), isKeyed: true)
  }

  deinit {
    persistence?.detach()
    deinitialize()
    value.deallocate()
  }

  /// Deinitializes the values.
  func deinitialize() {
    value.deinitialize(count: isKeyed ? 2 : 1)
  }

  final var value: UnsafeMutablePointer<Value> {
    address!.assumingMemoryBound(to: Value.self)
  }

  /// The current value; the read is not observed.
  final var current: Value { lock.withLock { value.pointee } }

  override func swapValue(with other: UnsafeMutableRawPointer) {
    swap(&value.pointee, &other.assumingMemoryBound(to: Value.self).pointee)
  }

  override func withInitialValue(_ body: (UnsafeMutableRawPointer) -> Void) {
    var initialValue = value[1]
    withUnsafeMutablePointer(to: &initialValue) { body($0) }
  }

  override func copy() -> Cell { TypedCell(value.pointee, isTracked: false) }

  override var byteCount: Int { MemoryLayout<Value>.size }
}

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
