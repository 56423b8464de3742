// Copies of what one key holds under another: nobody may read one who may not read the original. Only
// files that are made natively have permissions.
#if hasFeature(Embedded)
  import SharingCore

  extension KeyValueStore {
    /// Stores what is, or was to be, under one key as another one's: `count.corrupt` of `count`, say.
    func setAside(
      _ bytes: [UInt8], of key: KeyName, as copy: KeyName
    ) throws(StorageError) {
      try set(bytes, for: copy)
    }
  }
#else
  import CHost
  import SharingCore

  extension KeyValueStore {
    /// Stores what is, or was to be, under one key as another one's: `count.corrupt` of `count`, say.
    func setAside(
      _ bytes: [UInt8], of key: KeyName, as copy: KeyName
    ) throws(StorageError) {
      guard let store = self as? any StoreOfFiles else { return try set(bytes, for: copy) }
      try store.set(bytes, for: copy, like: key)
    }
  }

  /// A store whose items have permissions.
  protocol StoreOfFiles: KeyValueStore {
    /// Stores bytes; a new item has the permissions of another one.
    func set(_ bytes: [UInt8], for key: KeyName, like model: KeyName) throws(StorageError)
  }

  extension FileStore: StoreOfFiles {
    func set(_ bytes: [UInt8], for key: KeyName, like model: KeyName) throws(StorageError) {
      try write(key) { (path) throws(StorageError) in
        try HostFile.set(bytes, at: path, like: self.path(of: model), for: key)
      }
    }
  }

  extension DocumentStore: StoreOfFiles {
    func set(_ bytes: [UInt8], for key: KeyName, like model: KeyName) throws(StorageError) {
      try HostFile.set(bytes, at: path(of: key), like: path(of: model), for: key)
      hub.notify(key)
    }
  }

  extension HostFile {
    /// Replaces the file as a whole; it has the permissions of another one.
    static func set(
      _ bytes: [UInt8], at path: [UInt8], like model: [UInt8], for key: KeyName
    ) throws(StorageError) {
      let code = sharing_file_set_like(
        model, model.hostCount, path, path.hostCount, bytes, bytes.hostCount)
      try HostCall("writing the file ", path, for: key).check(code)
    }
  }
#endif
