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

  /// Takes over a value from the store, unless a mutation has been faster: observers are woken,
  /// nothing is saved.
  /// - Parameter revision: What the value was when the store was asked; nil for news from the store.
  /// - Returns: Whether it was taken over.
  @discardableResult
  func receive(_ newValue: Value, since revision: Int?) -> Bool {
    var other = newValue
    let turn = Turn.current
    turn.begin()
    defer { turn.end() }
    return replace(since: revision, in: turn) { swap(&value.pointee, &other) }
  }

  /// Makes the value writable to its store, unless it is: a reader may have been there first.
  func attach(_ saver: @escaping Saver) {
    guard persistence != nil else { return }
    lock.withLock { self.saver = self.saver ?? saver }
  }

  override func copy() -> (root: Root, byteCount: Int) {
    (lock.withLock { ValueReference(value.pointee) }, MemoryLayout<Value>.size)
  }

  override var isWritable: Bool { saver != nil }

  override func save(_ context: SaveContext, _ done: @escaping SaveRequest) {
    guard let saver = lock.withLock({ saver }) else { return done(.success(())) }
    let continuation = SaveContinuation { result in
      self.setSaveError(result.failure)
      if result.failure == nil { self.setLoadError(nil) }
      done(result)
    }
    let turn = Turn.current
    turn.withoutObserver { saver(value(in: turn), context, continuation) }
  }
}
