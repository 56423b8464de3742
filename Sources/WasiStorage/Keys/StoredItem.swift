import SharingCore

/// One value in a store: its bytes there, and how they are coded. See ``StorageKey``.
public struct StoredItem<Value: Sendable>: Sendable {
  let untyped: AnyStoredItem

  /// An item of a store.
  /// - Parameters:
  ///   - name: The item's name there, any text.
  ///   - store: The store.
  ///   - coding: How the value is written.
  ///   - saving: When it is written.
  ///   - following: Whether the value follows what others store.
  public init(
    _ name: KeyName, in store: any KeyValueStore, coding: StorageCoding<Value>,
    saving: SaveTiming = .immediately, following: StoreFollowing = .always
  ) {
    untyped = AnyStoredItem(name, in: store, coding.untyped, saving, following, isDocument: false)
  }

  /// A document in a store.
  init(
    document path: KeyName, in store: any KeyValueStore, coding: StorageCoding<Value>,
    saving: SaveTiming, following: StoreFollowing
  ) {
    untyped = AnyStoredItem(path, in: store, coding.untyped, saving, following, isDocument: true)
  }

  /// Writes a value, or removes the item where there is nothing to write.
  /// - Parameter changed: Which elements of an array have changed since the last call; nil where that
  ///   is unknown.
  func save(
    _ value: Value, changed: [Int]?, _ context: SaveContext, _ continuation: SaveContinuation
  ) {
    guard untyped.isDelayed else {
      return withUnsafePointer(to: value) {
        untyped.save(UnsafeRawPointer($0), changed: changed, continuation)
      }
    }
    untyped.save(context, changed: changed, continuation) {
      [untyped] (changed) throws(StorageError) in
      try withUnsafePointer(to: value) { (value) throws(StorageError) in
        try untyped.encode(UnsafeRawPointer(value), changed: changed)
      }
    }
  }
}
