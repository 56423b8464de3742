/// What saves a value of a known type, whatever its key.
class ValuePersistence<Value>: Persistence, @unchecked Sendable {
  /// Does what a key is asked for; see ``SharedKey/save(_:context:continuation:)``.
  typealias Saver = @Sendable (SaveRequest, Value, SaveContinuation) -> Void

  /// Set once, before the value counts as writable.
  private final var saver: Saver?

  /// Makes the value writable to its store, unless it is: a reader may have been there first.
  final func attach(to root: Root, _ saver: @escaping Saver) {
    root.lock.withLock {
      if !isWritable { self.saver = saver }
      isWritable = true
    }
  }

  override final func save(_ root: Root, _ request: SaveRequest, _ done: @escaping Completion) {
    guard let saver = root.lock.withLock({ saver }) else { return done(.success(())) }
    let continuation = SaveContinuation { result in
      self.setSaveError(result.failure)
      // What a change has found out just now, such as a loss, its own saving does not unsay.
      if result.failure == nil, !self.isLoadErrorNew { self.setLoadError(nil) }
      done(result)
    }
    Turn.current.withoutObserver { saver(request, root.value(), continuation) }
  }
}
