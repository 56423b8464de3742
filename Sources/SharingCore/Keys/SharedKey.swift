/// The source of a shared value: a store, a feed, a file.
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
/// A key's methods run under no lock and may be called on any thread.
public protocol SharedReaderKey<Value>: Sendable {
  /// The type of the shared value.
  associatedtype Value: Sendable
  /// The type of the key's identity.
  associatedtype ID: Hashable = Self

  /// The identity of the key: wrappers of keys with equal ids share one value.
  var id: ID { get }

  /// Fetches the value, now or later, and resumes the continuation exactly once.
  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>)

  /// Begins to yield changes by other programs, until the subscription ends.
  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription

  /// Reads the store just before a mutation. If it holds another value than was last loaded,
  /// yielded or saved, yields that value, so that the mutation applies to the freshest one.
  ///
  /// The default implementation does nothing. Implement it for a store with cheap, immediate reads.
  func refresh(_ subscriber: SharedSubscriber<Value>)

  /// The name of the key in messages. Natively, the default is its description, as in
  /// `.inMemory("count")`.
  var label: UTF8Text { get }

  /// Returns the connection to the key's store. Do not implement it for your own keys: the default
  /// calls their methods.
  func _makeConnection() -> _SharedConnection
}

extension SharedReaderKey {
  /// Does nothing.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {}

  /// Returns a connection that calls the key's methods.
  public func _makeConnection() -> _SharedConnection {
    savingConnection ?? _SharedConnection(reading: ReaderKeyConnection(self))
  }
}

extension SharedReaderKey where ID == Self {
  /// The key itself.
  public var id: ID { self }
}

/// A key that can also store a value.
///
/// ```swift
/// extension CacheKey: SharedKey {
///   func save(_ value: Int, context: SaveContext, continuation: SaveContinuation) {
///     cache[name] = value
///     continuation.resume()
///   }
/// }
/// ```
public protocol SharedKey<Value>: SharedReaderKey {
  /// Stores a value, now or later, and resumes the continuation exactly once.
  ///
  /// Called once for each turn that changes the value, and for each `save()`.
  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation)

  /// Removes the stored value, now or later, and resumes the continuation exactly once.
  ///
  /// Called for each `reset()`. The default implementation is for stores that cannot remove: it
  /// stores `initialValue`.
  /// - Parameters:
  ///   - initialValue: The wrapper's default, which is now the value.
  ///   - continuation: Receives the outcome.
  func reset(to initialValue: Value, continuation: SaveContinuation)

  /// Returns the connection to the key's store. Do not implement it for your own keys.
  ///
  /// A requirement of its own: that of ``SharedReaderKey`` only reads for a type that is a
  /// `SharedKey` under a condition.
  @_nonoverride func _makeConnection() -> _SharedConnection
}

extension SharedKey {
  /// Stores the default.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    save(initialValue, context: .userInitiated, continuation: continuation)
  }

  /// Returns a connection that calls the key's methods.
  public func _makeConnection() -> _SharedConnection { _SharedConnection(KeyConnection(self)) }
}
