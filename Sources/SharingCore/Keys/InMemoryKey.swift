extension SharedReaderKey {
  /// A key of a value that the whole program shares by name, for as long as the program runs.
  ///
  /// ```swift
  /// @Shared(.inMemory("isSignedIn")) var isSignedIn = false
  /// ```
  /// - Parameter key: The name; names are compared byte by byte.
  public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// The key of a value in memory, in its ``SharingEnvironment``. Use `.inMemory(_:)`.
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let name: KeyName

  fileprivate init(_ name: String) {
    self.name = KeyName(name)
  }

  /// The name, which never equals the id of another kind of key.
  public var id: KeyID { KeyID(.memory, name) }

  /// Returns no connection: the value is only in memory.
  public func _makeConnection() -> _SharedConnection { .none }

  /// Keeps the value.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resumeReturningInitialValue()
  }

  /// Never yields: no other program can change the value.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  /// Does nothing.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}
