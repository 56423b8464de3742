/// Where a shared value comes from: a store, a feed, a file.
///
/// ```swift
/// struct ClockKey: SharedReaderKey {
///   let id = "clock"
///   func load(context: LoadContext<Int>, continuation: LoadContinuation<Int>) {
///     continuation.resume(returning: clock.seconds)
///   }
///   func subscribe(
///     context: LoadContext<Int>, subscriber: SharedSubscriber<Int>
///   ) -> SharedSubscription {
///     let token = clock.onTick { subscriber.yield($0) }
///     return SharedSubscription { token.cancel() }
///   }
/// }
/// ```
/// No lock is held while a key's methods run, and they may be called on any thread.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the shared value.
  associatedtype Value: Sendable
  /// The type of the key's identity.
  associatedtype ID: Hashable = Self

  /// What makes this key this key: wrappers whose keys have equal ids share one value.
  var id: ID { get }

  /// Fetches the value, now or later, and resumes the continuation exactly once.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Begins to tell of changes from outside, until the subscription ends.
  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription

  /// Looks at the store just before a mutation, and yields when it holds something else than was
  /// last loaded, yielded or saved: so the mutation applies to the freshest value.
  ///
  /// The default does nothing: it is for stores that can be read at once and cheaply.
  func refresh(_ subscriber: SharedSubscriber<Value>)

  /// Whether ``refresh(_:)`` may have something to yield: false where that is known without reading.
  /// True by default.
  ///
  /// ```swift
  /// var needsRefresh: Bool { file.modificationDate != dateOfLastRead }
  /// ```
  var needsRefresh: Bool { get }

  /// How long the value lives; ``SharedLifetime/whileReferenced`` by default.
  var lifetime: SharedLifetime { get }

  /// What messages call the key; natively its description by default, as in `.inMemory("count")`.
  var label: UTF8Text { get }
}

/// How long a keyed value lives in memory.
public enum SharedLifetime: Sendable {
  /// While a wrapper refers to it; after that it is loaded anew.
  case whileReferenced
  /// As long as its ``SharingEnvironment``: it is stored nowhere else, so that nothing is ever
  /// loaded, subscribed to or saved.
  case environment
}

extension SharedReaderKey {
  /// Nothing is known without reading.
  public var needsRefresh: Bool { true }

  /// Does nothing.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {}

  /// While a wrapper refers to it.
  public var lifetime: SharedLifetime { .whileReferenced }
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: ID { self }
}
