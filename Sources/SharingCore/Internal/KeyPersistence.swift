/// The link between a root and a key: what of it depends on the key's type.
final class KeyPersistence<Key: SharedReaderKey>: Persistence, @unchecked Sendable {
  /// The key of the first wrapper: it knows what the store was like when it was last asked.
  let key: Key

  init(_ key: Key) {
    self.key = key
  }

  override func load(_ initialValue: UnsafeMutableRawPointer?, _ continuation: ContinuationBox) {
    let context = initialValue.map(Self.firstContext) ?? .userInitiated
    key.load(context: context, continuation: LoadContinuation(continuation))
  }

  override func subscribe(
    _ initialValue: UnsafeMutableRawPointer, _ subscriber: AnySubscriber
  ) -> SharedSubscription {
    key.subscribe(
      context: Self.firstContext(initialValue), subscriber: SharedSubscriber(subscriber))
  }

  override var needsRefresh: Bool { key.needsRefresh }

  override func refresh(_ subscriber: AnySubscriber) {
    key.refresh(SharedSubscriber(subscriber))
  }

  override var label: UTF8Text { key.label }

  private static func firstContext(
    _ initialValue: UnsafeMutableRawPointer
  ) -> LoadContext<Key.Value> {
    .initialValue(initialValue.assumingMemoryBound(to: Key.Value.self).pointee)
  }
}
