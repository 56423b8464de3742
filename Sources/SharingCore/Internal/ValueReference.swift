/// A root with a value of a known type.
final class ValueReference<Value>: Root, @unchecked Sendable {
  /// Stores a value for a key; see ``SharedKey/save(_:context:continuation:)``.
  typealias Saver = @Sendable (Value, SaveContext, SaveContinuation) -> Void

  private let value: UnsafeMutablePointer<Value>
  private var saver: Saver?

  init(_ initialValue: Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initialValue)
    super.init(address: UnsafeMutableRawPointer(value))
  }

  deinit {
    persistence?.detach(ObjectIdentifier(self))
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Takes over a value from the store: observers are woken, nothing is saved.
  func receive(_ newValue: Value) {
    let turn = Turn.current
    turn.begin()
    var other = newValue
    turn.checkRead(of: self)
    lock.withLock {
      swap(&value.pointee, &other)
      wakeObservers(in: turn)
    }
    turn.end()
  }

  /// Makes the value writable to its store, unless it is: a reader may have been there first.
  func attach(_ saver: @autoclosure () -> Saver) {
    guard persistence != nil else { return }
    lock.withLock { if self.saver == nil { self.saver = saver() } }
  }

  override var isWritable: Bool {
    var result = false
    lock.withLock { result = saver != nil }
    return result
  }

  override func save(
    _ context: SaveContext, _ done: @escaping @Sendable (Result<Void, AnyError>) -> Void
  ) {
    var saver: Saver?
    lock.withLock { saver = self.saver }
    guard let saver else { return done(.success(())) }
    let continuation = SaveContinuation { result in
      self.setSaveError(result.failure)
      done(result)
    }
    saver(value(in: .current), context, continuation)
  }
}
