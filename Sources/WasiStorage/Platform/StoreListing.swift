import SharingCore

// Embedded Swift cannot ask an object whether it conforms to a protocol, only whether it is of a
// class. So a store of one's own is asked natively only; elsewhere it is told so.
#if hasFeature(Embedded)
  extension StoreDocument {
    /// The keys of a store that can list them.
    static func keys(of store: any KeyValueStore) throws(StorageError) -> [KeyName] {
      let store: AnyObject = store
      if let store = store as? HostStore { return try store.keys() }
      if let store = store as? FileStore { return try store.keys() }
      if let store = store as? MemoryStore { return store.keys() }
      throw StorageError(.other, key: nil, "The store cannot list its keys.")
    }
  }
#else
  extension StoreDocument {
    /// The keys of a store that can list them.
    static func keys(of store: any KeyValueStore) throws(StorageError) -> [KeyName] {
      guard let store = store as? any ListableStore else {
        throw StorageError(.other, key: nil, "The store cannot list its keys.")
      }
      return try store.keys()
    }
  }
#endif
