import SharingCore

/// The stores that keys use by default: a member of every environment.
///
/// | host | `local` | `session` | `location` | `files` |
/// |---|---|---|---|---|
/// | a browser tab | `localStorage` | `sessionStorage` | the address behind `#` | `localStorage` |
/// | a command under a WASI runtime, natively | a folder of files | memory | memory | files |
/// | none of these, a native test | memory; ``notice`` explains why | memory | memory | memory |
///
/// A native test that needs files sets `SHARING_DIR` for `local`, or a store of its own. A program
/// in WebAssembly has files if its app is a `CommandApp`, or if its own `main` calls `useFiles()`
/// of SharingCommits or sets stores of files. Other programs in WebAssembly do not link their code.
///
/// Set them before the first key uses them, such as in
/// ``SharingCore/prepareSharing(fileID:line:_:)``. A later change is reported as an issue, and the
/// keys in use keep their stores.
public final class DefaultStores: @unchecked Sendable {
  /// The store of `.localStorage` and `.appStorage`.
  public var local: any KeyValueStore {
    get { lock.withLock { ownLocal } }
    set { set(.local, "local") { ownLocal = newValue } }
  }
  /// The store of `.sessionStorage`.
  public var session: any KeyValueStore {
    get { lock.withLock { ownSession.made { BrowserStore.session.orMemory } } }
    set { set(.session, "session") { ownSession = newValue } }
  }
  /// The store of `.locationHash`, whose text is its only item.
  public var location: any KeyValueStore {
    get { lock.withLock { ownLocation.made { BrowserStore.location.orMemory } } }
    set { set(.location, "location") { ownLocation = newValue } }
  }
  /// The timers of delayed and retried saves: natively the machine's time, in a browser the page's
  /// timers.
  public var clock: any SaveClock {
    get { lock.withLock { ownClock.made(by: HostStores.clock) } }
    set { set(.clock, "clock") { ownClock = newValue } }
  }
  /// The store of `.fileStorage`, whose keys are paths.
  public var files: any KeyValueStore {
    get { lock.withLock { ownFiles.made(by: HostStores.files) } }
    set { set(.files, "files") { ownFiles = newValue } }
  }
  /// The name of the app, which separates its data from that of other apps in the same place. It is
  /// a part of the names of its database, channel, journals and copies in a page, and of the folder
  /// of `revisions` elsewhere. Empty by default.
  ///
  /// A page passes it to `start(…, { name: "my-app" })`. A program that also runs elsewhere sets it
  /// here, for all hosts:
  ///
  /// ```swift
  /// prepareSharing { $0.stores.appName = "my-app" }
  /// ```
  /// A name has 1 to 64 letters, digits, `-` or `_`, and an empty text stands for no name; another
  /// text is reported and ignored. Data under another name is not visible. The keys of `local`,
  /// `session` and `files` do not contain the name: give them a prefix.
  public var appName: UTF8Text {
    get { lock.withLock { ownAppName.made { HostStores.appName } } }
    set {
      guard HostStores.isAppName(newValue) else { return reportAppName(newValue) }
      set(.appName, "appName") { ownAppName = newValue }
    }
  }
  private var ownAppName: UTF8Text?
  private var ownLocal: any KeyValueStore
  // Made at the first use: few programs need them.
  private var ownSession: (any KeyValueStore)?
  private var ownFiles: (any KeyValueStore)?
  private var ownLocation: (any KeyValueStore)?
  private var ownClock: (any SaveClock)?
  /// The default revision store, which SharingCommits adds.
  private var ownRevisions: AnyObject?
  /// The bits of the members that keys have used.
  private var used: UInt8 = 0
  private let lock = Lock()
  /// A message for the program's user about where values are stored; nil if all is well.
  public var notice: UTF8Text? {
    get { lock.withLock { ownNotice } }
    set { lock.withLock { ownNotice = newValue } }
  }
  /// Guarded by the lock.
  private var ownNotice: UTF8Text?

  init() {
    ownLocal = HostStores.local(&ownNotice)
  }

  /// The members that keys use.
  enum Member: UInt8 {
    case local = 1
    case session = 2
    case location = 4
    case files = 8
    case clock = 16
    case appName = 32
  }

  /// The store of a member, for a key. Setting the member later reports an issue.
  @inline(__always)
  static func forKey(
    _ member: Member, _ store: (DefaultStores) -> any KeyValueStore
  ) -> any KeyValueStore {
    let stores = SharingEnvironment.current.stores
    stores.markUsed(member)
    return store(stores)
  }

  /// Returns the object of SharingCommits with the default revision store, made at first use.
  package func revisionDefaults<Defaults: AnyObject>(_ make: () -> Defaults) -> Defaults {
    lock.withLock {
      if let made = ownRevisions as? Defaults { return made }
      let made = make()
      ownRevisions = made
      return made
    }
  }

  /// Sets `local` and `files` to stores of files in the host's folders.
  /// - Parameter following: Whether values of `local` follow changes by other programs.
  package func useFileStores(following: StoreFollowing) {
    let store = FileStore(following: following)
    local = store ?? MemoryStore()
    notice = store == nil ? HostStores.noFolder : nil
    files = DocumentStore() ?? MemoryStore()
  }

  /// The clock for a key.
  package var clockForKey: any SaveClock {
    markUsed(.clock)
    return clock
  }

  /// The prefix of paths in a store that documents share with other items.
  var filePrefix: String { files === BrowserStore.local ? "file:" : "" }

  private func markUsed(_ member: Member) {
    lock.withLock { used |= member.rawValue }
  }

  private func set(_ member: Member, _ name: StaticString, _ body: () -> Void) {
    let isUsed = lock.withLock {
      body()
      return used & member.rawValue != 0
    }
    if isUsed { reportLate(name) }
  }

  /// Reports that a member was set after a key had used it.
  @inline(never)
  package func reportLate(_ name: StaticString) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        'stores.\(name)' is set after a key has used the previous one, and keys keep that. Set it \
        first: see prepareSharing.
        """))
  }

  /// Writes the pending changes of `.debounced` saves now. Natively it also waits for a change that
  /// a timer is writing at the moment, on another thread.
  public func flush() {
    lock.withLock { ownClock }?.callAll()
  }

  /// The name of the app, for a key.
  package var appNameForKey: UTF8Text {
    markUsed(.appName)
    return appName
  }

  private func reportAppName(_ text: UTF8Text) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        'stores.appName' is unchanged: "\(text)" is not a valid name for an app. Use 1 to 64 \
        letters, digits, - or _.
        """))
  }
}

extension Optional {
  /// The value, made at the first use.
  fileprivate mutating func made(by make: () -> Wrapped) -> Wrapped {
    if let self { return self }
    let made = make()
    self = made
    return made
  }
}

extension SharingEnvironment {
  /// The stores that keys of this environment use by default.
  ///
  /// ```swift
  /// SharingEnvironment.current.stores.local = MemoryStore()
  /// ```
  public var stores: DefaultStores { object { DefaultStores() } }
}
