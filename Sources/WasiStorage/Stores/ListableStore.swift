import SharingCore

/// A store that can tell which items it holds: all stores of this module but ``DocumentStore``,
/// whose files are among others.
public protocol ListableStore: KeyValueStore {
  /// The keys of all items, in the order of their bytes.
  /// - Throws: ``StorageError`` when the store cannot tell.
  func keys() throws(StorageError) -> [KeyName]
}
