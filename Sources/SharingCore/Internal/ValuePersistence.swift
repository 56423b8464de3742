/// What saves a value of a known type, whatever its key.
class ValuePersistence<Value>: Persistence, @unchecked Sendable {
  /// Stores a value for a key; see ``SharedKey/save(_:changed:context:continuation:)``.
  typealias Saver = @Sendable (Value, _ changed: [Int]?, SaveContext, SaveContinuation) -> Void

  /// Set once, before the value counts as writable.
  private final var saver: Saver?

  /// Makes the value writable to its store, unless it is: a reader may have been there first.
  final func attach(to root: Root, _ saver: @escaping Saver) {
    root.lock.withLock {
      if !isWritable { self.saver = saver }
      isWritable = true
    }
  }

  override final func save(
    _ root: Root, changed: [Int]?, _ context: SaveContext, _ done: @escaping Completion
  ) {
    guard let saver = root.lock.withLock({ saver }) else { return done(.success(())) }
    let continuation = SaveContinuation { result in
      self.setSaveError(result.failure)
      if result.failure == nil { self.setLoadError(nil) }
      done(result)
    }
    Turn.current.withoutObserver { saver(root.value(), changed, context, continuation) }
  }
}
