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
  /// By default it does nothing; implement it for a store that can be read at once and cheaply.
  func refresh(_ subscriber: SharedSubscriber<Value>)

  /// What messages call the key; natively its description by default, as in `.inMemory("count")`.
  var label: UTF8Text { get }

  /// What links a value to the key's store; not for keys of your own, whose methods it calls.
  func _makeConnection() -> _SharedConnection

  /// How the key writes the value, nil if only its encoding knows; not for keys of your own.
  var _form: _StoredForm? { get }
}

extension SharedReaderKey {
  /// Does nothing.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {}

  /// Not known.
  public var _form: _StoredForm? { nil }

  /// Calls the key's methods.
  public func _makeConnection() -> _SharedConnection {
    _SharedConnection(reading: ReaderKeyConnection(self))
  }
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: ID { self }
}
