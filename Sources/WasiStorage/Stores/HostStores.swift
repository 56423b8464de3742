import SharingCore

/// What the host has to keep values in, as in the table of ``DefaultStores``.
enum HostStores {
  /// - Parameter notice: Is set where the user should know something of the store.
  static func local(_ notice: inout UTF8Text?) -> any KeyValueStore {
    switch BrowserStore.local.access {
    case .granted: return BrowserStore.local
    case .denied:
      notice =
        """
        This page may not keep data here, so changes last only until it is closed. Allow site data \
        for it to keep them.
        """
    case .noHost:
      if let files = FileStore() { return files }
      notice =
        """
        No folder was given to keep data in, so changes last only until the program ends. Give it \
        one, such as with 'wasmtime run --dir .sharing'.
        """
    }
    return MemoryStore()
  }

  static func session() -> any KeyValueStore { BrowserStore.session.orMemory }

  static func location() -> any KeyValueStore { BrowserStore.location.orMemory }

  static func files() -> any KeyValueStore {
    switch BrowserStore.local.access {
    case .granted: BrowserStore.local
    case .denied: MemoryStore()
    case .noHost: DocumentStore() ?? MemoryStore()
    }
  }

  /// - Parameter notice: Is set where the user should know something of the store.
  static func revisions(_ notice: inout UTF8Text?) -> any RevisionStore {
    switch BrowserStore.local.access {
    case .granted:
      if let engine = EngineStore.indexedDB { return engine }
      notice =
        """
        This page has no engine for IndexedDB, so some changes last only until it is closed: start \
        the program with { engines: { indexedDB: indexedDB(window) } }.
        """
    case .denied: break
    case .noHost:
      let folder: UTF8Text? = FileStore.hostFolder.map { "\($0)/revisions" }
      if let folder { return FolderRevisionStore(folder: folder) }
    }
    return MemoryRevisionStore()
  }
}
