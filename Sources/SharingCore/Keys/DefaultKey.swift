extension SharedReaderKey {
  /// A key that brings its own default, so that wrappers need none and cannot disagree.
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

  /// A key with a default.
  /// - Parameters:
  ///   - key: Where the value comes from.
  ///   - value: The default, evaluated when it is first shown: not while something is stored, if
  ///     the key is of this library and answers at once. Keys of one's own, and those that lose
  ///     nothing, are handed it when they load first.
  public static subscript(
    _ key: Base, default value: @autoclosure @escaping @Sendable () -> Base.Value
  ) -> Self {
    Self(base: key, defaultValue: value)
  }

  /// The default.
  public var initialValue: Base.Value { defaultValue() }

  /// The id of the key without the default: both share one value.
  public var id: Base.ID { base.id }

  /// As the key without the default.
  public var label: UTF8Text { base.label }

  /// Loads as the key without the default does.
  public func load(context: LoadContext<Base.Value>, continuation: LoadContinuation<Base.Value>) {
    base.load(context: context, continuation: continuation)
  }

  /// Subscribes as the key without the default does.
  public func subscribe(
    context: LoadContext<Base.Value>, subscriber: SharedSubscriber<Base.Value>
  ) -> SharedSubscription {
    base.subscribe(context: context, subscriber: subscriber)
  }

  /// Refreshes as the key without the default does.
  public func refresh(_ subscriber: SharedSubscriber<Base.Value>) {
    base.refresh(subscriber)
  }

  /// That of the key without the default.
  public var _form: _StoredForm? { base._form }

  /// That of the key without the default.
  public func _makeConnection() -> _SharedConnection { base._makeConnection() }
}

extension _SharedKeyDefault: SharedKey where Base: SharedKey {
  /// Saves as the key without the default does.
  public func save(
    _ value: Base.Value, context: SaveContext, continuation: SaveContinuation
  ) {
    base.save(value, context: context, continuation: continuation)
  }

  /// Removes as the key without the default does.
  public func reset(to initialValue: Base.Value, continuation: SaveContinuation) {
    base.reset(to: initialValue, continuation: continuation)
  }
}
