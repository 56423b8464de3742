import SharingCore

extension SharedReaderKey {
  /// A value that is kept as JSON: in a browser in the page's `localStorage`, which all tabs share;
  /// elsewhere in a folder of files.
  ///
  /// ```swift
  /// @Shared(.localStorage("count")) var count = 0
  /// ```
  /// - Every mutation applies to what the store holds at that moment, and changes in other tabs show
  ///   up by themselves.
  /// - Text that does not decode is copied to `<key>.corrupt` (or `.corrupt.2`, `.3` … when that is
  ///   taken), `loadError` says what is wrong, and the default is shown.
  /// - A write that fails keeps the value in memory, sets `saveError`, and is tried again with the
  ///   next change.
  /// - Parameter key: The item's name, any text.
  public static func localStorage<Value>(_ key: String) -> Self
  where Self == LocalStorageKey<Value> {
    LocalStorageKey(KeyName(key), store: SharingEnvironment.current.stores.local)
  }
}

/// A key that keeps its value as JSON in the environment's local store; use `.localStorage(_:)`.
public struct LocalStorageKey<Value: JSONValue>: SharedKey {
  private let item: StoredItem<Value>

  fileprivate init(_ name: KeyName, store: any KeyValueStore) {
    item = StoredItem(name, in: store)
  }

  /// The item's name and its store.
  public var id: LocalStorageKeyID {
    LocalStorageKeyID(name: item.name, store: item.store)
  }

  /// Decodes what is stored.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    do throws(StorageError) {
      continuation.resume(with: .success(try item.load()))
    } catch {
      continuation.resume(throwing: error)
    }
  }

  /// Follows changes that others make to the item.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    item.store.subscribe(to: item.name) { subscriber.refresh() }
  }

  /// Yields what is stored, if it is not what was last seen.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {
    item.refresh(subscriber)
  }

  /// Stores the value as JSON; nil removes the item.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    do throws(StorageError) {
      try item.save(value)
      continuation.resume()
    } catch {
      continuation.resume(throwing: error)
    }
  }
}

/// The id of a `.localStorage` key.
public struct LocalStorageKeyID: Hashable, Sendable {
  fileprivate let name: KeyName
  fileprivate let store: any KeyValueStore

  /// Whether two ids stand for one item of one store.
  public static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.store === right.store
  }

  /// Hashes the name: few programs use one name in two stores.
  public func hash(into hasher: inout Hasher) {
    name.hash(into: &hasher)
  }
}
