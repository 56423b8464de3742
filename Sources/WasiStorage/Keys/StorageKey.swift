import SharingCore

/// A key whose value is one item of a ``KeyValueStore``: what `.localStorage`, `.appStorage` and
/// their like have in common.
///
/// A key of your own over a store says which item it is:
///
/// ```swift
/// struct DraftKey: StorageKey {
///   let item: StoredItem<String>
///   init(in store: any KeyValueStore) {
///     item = StoredItem(KeyName("draft"), in: store, coding: .json)
///   }
/// }
/// ```
/// - Every mutation applies to what the store holds at that moment, and changes that others make
///   show up when the store tells of them.
/// - Bytes that do not decode are copied to `<key>.corrupt` (or `.corrupt.2`, `.3` … when that is
///   taken), `loadError` says what is wrong, and the default is shown.
/// - A write that fails keeps the value in memory, sets `saveError`, and is tried again with the
///   next change.
/// - Of several keys for one item the first one decides how it is written.
public protocol StorageKey<Value>: SharedKey where ID == StorageKeyID {
  associatedtype Value
  associatedtype ID = StorageKeyID

  /// The item of the store.
  var item: StoredItem<Value> { get }
}

extension StorageKey {
  /// The item's name and its store.
  public var id: StorageKeyID {
    StorageKeyID(name: item.untyped.bytes.name, store: item.untyped.bytes.store)
  }

  /// Decodes what is stored.
  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    item.untyped.load(continuation.box)
  }

  /// Follows changes that others make to the item.
  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    item.untyped.follow(subscriber.target)
  }

  /// Whether the item may hold something else than was last seen.
  public var needsRefresh: Bool { item.untyped.mayHaveNews }

  /// Yields what is stored, if it is not what was last seen.
  public func refresh(_ subscriber: SharedSubscriber<Value>) {
    item.untyped.refresh(subscriber.target)
  }

  /// Stores the value's bytes, or removes the item where the value has none.
  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    item.save(value, changed: nil, context, continuation)
  }

  /// Stores the value's bytes; what has not changed of an array is not encoded again.
  public func save(
    _ value: Value, changed: [Int]?, context: SaveContext, continuation: SaveContinuation
  ) {
    item.save(value, changed: changed, context, continuation)
  }

  /// Removes the item.
  public func reset(to initialValue: Value, continuation: SaveContinuation) {
    item.untyped.remove(continuation)
  }
}

/// The id of a ``StorageKey``.
public struct StorageKeyID: Hashable, Sendable {
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

  /// That of the name.
  public var hashValue: Int { name.hashValue }
}
