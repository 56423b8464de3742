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
