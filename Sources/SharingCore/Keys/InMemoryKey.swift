extension SharedReaderKey {
  /// A value that every part of the program shares by name, for as long as the program runs.
  ///
  /// ```swift
  /// @Shared(.inMemory("isSignedIn")) var isSignedIn = false
  /// ```
  /// - Parameter key: The name; names are compared byte by byte.
  public static func inMemory<Value>(_ key: String) -> Self where Self == InMemoryKey<Value> {
    InMemoryKey(key)
  }
}

/// A key whose value lives in memory, in its ``SharingEnvironment``; use `.inMemory(_:)`.
public struct InMemoryKey<Value: Sendable>: SharedKey {
  private let name: KeyName

  fileprivate init(_ name: String) {
    self.name = KeyName(name)
  }

  /// The name, in a type of its own so that no other kind of key has an equal id.
  public var id: InMemoryKeyID { InMemoryKeyID(name: name) }

  /// None: a reference to the value is its only store.
  public func _makeConnection() -> _SharedConnection { .none }

  /// Leaves the value as it is.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resumeReturningInitialValue()
  }

  /// Never yields: there is no outside.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  /// Has nothing to do.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    continuation.resume()
  }
}

/// The id of an in-memory key.
public struct InMemoryKeyID: Hashable, Sendable {
  let name: KeyName
}
