import SharingCore
import WasiStorage

extension DefaultStores {
  /// The store of `.indexedDB`: IndexedDB in a browser tab; a folder inside that of `local` in a
  /// program with files; otherwise memory.
  ///
  /// ```swift
  /// prepareSharing { $0.stores.revisions = MemoryRevisionStore() }
  /// ```
  /// Set it before the first key uses it. A later change is reported as an issue, and the keys in
  /// use keep their store.
  public var revisions: any RevisionStore {
    get { defaults.store(of: self) }
    set { if defaults.set(newValue) { reportLate("revisions") } }
  }

  /// Keeps values in files, in the host's folders: sets `local` and `files`, and `revisions` unless
  /// the program sets that. In a page, does nothing.
  ///
  /// ```swift
  /// prepareSharing { $0.stores.useFiles() }
  /// ```
  /// For a program in WebAssembly with a `main` of its own. A native program and a `CommandApp`
  /// have files without it; any other program does not link their code.
  /// - Parameter following: Whether values of `local` follow changes by other programs.
  public func useFiles(following: StoreFollowing = .always) {
    guard BrowserStore.local.access == .noHost else { return }
    useFileStores(following: following)
    defaults.useFolder()
  }

  /// The revision store for a key.
  var revisionsForKey: any RevisionStore {
    defaults.markUsed()
    return revisions
  }

  /// The store of the journals, where uncommitted steps survive the program's end.
  package var journalStore: (any ListedStore)? {
    get { defaults.journals }
    set { defaults.journals = newValue }
  }

  /// The store of a revision store's journals. A journal does not name its revision store, so it is
  /// nil for one that is neither the default nor has a scope.
  func journalStore(for store: any RevisionStore, _ scope: UTF8Text?) -> (any ListedStore)? {
    if scope != nil { return SimulatedStores.currentJournals ?? BrowserStore.local }
    return defaults.journals(of: store)
  }

  private var defaults: DefaultRevisions { revisionDefaults { DefaultRevisions() } }
}

extension SharingEnvironment {
  /// Returns a new environment with the same stores and with values of its own, as another tab of
  /// the app has.
  ///
  /// ```swift
  /// SharingEnvironment.current.derived().run {
  ///   @Shared(.localStorage("count")) var count = 0  // the stored value, read anew
  /// }
  /// ```
  /// It also has the same `onIssue` and `makeReadTracker`. Call it after `prepareSharing`, since it
  /// makes the stores that no key has used yet. A store that one environment sets later is not the
  /// other one's.
  public func derived() -> SharingEnvironment {
    let derived = SharingEnvironment()
    (derived.onIssue, derived.makeReadTracker) = (onIssue, makeReadTracker)
    let (stores, new) = (stores, derived.stores)
    (new.local, new.session, new.location) = (stores.local, stores.session, stores.location)
    (new.files, new.clock, new.appName) = (stores.files, stores.clock, stores.appName)
    (new.revisions, new.journalStore) = (stores.revisions, stores.journalStore)
    new.notice = stores.notice
    return derived
  }
}

/// The default revision store of an environment, and the store of its journals.
private final class DefaultRevisions: @unchecked Sendable {
  private let lock = Lock()
  private var store: (any RevisionStore)?
  private var isUsed = false
  private var journalStore: (any ListedStore)?
  /// Opens the store in the host's folder, for an app's name; nil in a program without files.
  private var openFolder: ((UTF8Text) -> any RevisionStore)?

  init() {
    if HostStores.hasFilesByDefault { useFolder() }
  }

  /// Returns the store, made at first use.
  func store(of stores: DefaultStores) -> any RevisionStore {
    lock.withLock {
      if let store { return store }
      let made = make(stores)
      store = made
      return made
    }
  }

  /// The lock is held.
  private func make(_ stores: DefaultStores) -> any RevisionStore {
    let appName = stores.appNameForKey
    switch BrowserStore.local.access {
    case .granted:
      journalStore = BrowserStore.local
      return EngineStore.openIndexedDB(appName)
    case .denied: return MemoryRevisionStore()
    case .noHost: return openFolder?(appName) ?? MemoryRevisionStore()
    }
  }

  /// Makes the default a folder, if there is no page.
  func useFolder() {
    lock.withLock { openFolder = { FolderRevisionStore.ofHost($0) } }
  }

  /// Sets the store.
  /// - Returns: Whether a key has used the former one.
  func set(_ store: any RevisionStore) -> Bool {
    lock.withLock {
      self.store = store
      return isUsed
    }
  }

  func markUsed() {
    lock.withLock { isUsed = true }
  }

  var journals: (any ListedStore)? {
    get { lock.withLock { journalStore } }
    set { lock.withLock { journalStore = newValue } }
  }

  /// The journals of a store; nil if it is not the default.
  func journals(of store: any RevisionStore) -> (any ListedStore)? {
    lock.withLock { self.store === store ? journalStore : nil }
  }
}

extension FolderRevisionStore {
  /// Returns the store in the host's folder for state; one in memory if there is no such folder.
  /// - Parameter appName: The name of the app, or an empty text.
  fileprivate static func ofHost(_ appName: UTF8Text) -> any RevisionStore {
    guard let host = FileStore.hostFolder else { return MemoryRevisionStore() }
    let suffix: UTF8Text = appName.isEmpty ? "" : "-\(appName)"
    return FolderRevisionStore(folder: "\(host)/revisions\(suffix)")
  }
}
