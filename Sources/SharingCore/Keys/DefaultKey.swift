extension SharedReaderKey {
  /// A key with its own default, so that wrappers need none and cannot disagree.
  ///
  /// ```swift
  /// extension SharedKey where Self == InMemoryKey<Bool>.Default {
  ///   static var isOn: Self { Self[.inMemory("isOn"), default: false] }
  /// }
  ///
  /// @Shared(.isOn) var isOn
  /// ```
  public typealias Default = _SharedKeyDefault<Self>
}

/// A key with a default; write `Base.Default`.
public struct _SharedKeyDefault<Base: SharedReaderKey>: SharedReaderKey {
  let base: Base
  let defaultValue: @Sendable () -> Base.Value

  /// Creates a key with a default.
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - value: The default, evaluated when it is first shown. If a key of this library answers at
  ///     once with a stored value, it is not evaluated. Your own keys, and keys that lose no
  ///     change, receive the default in their first load.
  public static subscript(
    _ key: Base, default value: @autoclosure @escaping @Sendable () -> Base.Value
  ) -> Self {
    Self(base: key, defaultValue: value)
  }

  /// The default.
  public var initialValue: Base.Value { defaultValue() }

  /// The id of the key without the default, so both share one value.
  public var id: Base.ID { base.id }

  /// The label of the key without the default.
  public var label: UTF8Text { base.label }

  /// Loads the value through the key without the default.
  public func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  /// Subscribes through the key without the default.
  public func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }

  /// Refreshes through the key without the default.
  public func refresh(_ subscriber: SharedSubscriber<Base.Value>) {
    base.refresh(subscriber)
  }

  /// Returns the connection of the key without the default.
  public func _makeConnection() -> _SharedConnection { base._makeConnection() }
}

extension _SharedKeyDefault: SharedKey where Base: SharedKey {
  /// Saves the value through the key without the default.
  public func save(
    _ value: Base.Value, context: SaveContext, continuation: SaveContinuation
  ) {
    base.save(value, context: context, continuation: continuation)
  }

  /// Removes the stored value through the key without the default.
  public func reset(to initialValue: Base.Value, continuation: SaveContinuation) {
    base.reset(to: initialValue, continuation: continuation)
  }
}
