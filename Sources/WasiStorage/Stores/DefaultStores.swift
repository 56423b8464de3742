import SharingCore

/// The stores that keys use unless they are given one: a member of every environment.
///
/// | host | `local` | `session` | `location` | `files` |
/// |---|---|---|---|---|
/// | a browser tab | `localStorage` | `sessionStorage` | the address behind `#` | `localStorage` |
/// | a WASI runtime, natively | a folder of files | memory | memory | files |
/// | none of these, a native test | memory, and ``notice`` says so | memory | memory | memory |
///
/// `revisions`, where `.indexedDB` keeps its values, is IndexedDB in a browser tab, a folder in
/// that of `local` where there is one, and otherwise memory.
///
/// A native test that shall use files names a folder: `SHARING_DIR` for `local`, or a store of its
/// own.
///
/// Set them before the first key uses them, such as in
/// ``SharingCore/prepareSharing(fileID:line:_:)``: a key goes on with what it has, and an issue
/// says so.
public final class DefaultStores: @unchecked Sendable {
  /// Where `.localStorage` and `.appStorage` keep their values.
  public var local: any KeyValueStore {
    get { lock.withLock { ownLocal } }
    set { set(.local, "local") { ownLocal = newValue } }
  }
  /// Where `.sessionStorage` keeps its values.
  public var session: any KeyValueStore {
    get { lock.withLock { ownSession.made(by: HostStores.session) } }
    set { set(.session, "session") { ownSession = newValue } }
  }
  /// Where `.locationHash` keeps its text, which is its only item.
  public var location: any KeyValueStore {
    get { lock.withLock { ownLocation.made(by: HostStores.location) } }
    set { set(.location, "location") { ownLocation = newValue } }
  }
  /// What calls back when a save has been put off long enough: natively the machine's time, in a
  /// browser the page's timers.
  public var clock: any SaveClock {
    get { lock.withLock { ownClock.made(by: HostStores.clock) } }
    set { set(.clock, "clock") { ownClock = newValue } }
  }
  /// Where `.fileStorage` keeps its documents: paths are its keys.
  public var files: any KeyValueStore {
    get { lock.withLock { ownFiles.made(by: HostStores.files) } }
    set { set(.files, "files") { ownFiles = newValue } }
  }
  /// Where `.indexedDB` keeps its values.
  public var revisions: any RevisionStore {
    get { lock.withLock { ownRevisions.made(by: makeRevisions) } }
    set { set(.revisions, "revisions") { ownRevisions = newValue } }
  }
  /// The name of the app, which tells it apart from other apps in the same place: a part of the
  /// names of its database, channel, journals and copies in a page, and of the folder of
  /// `revisions` elsewhere. Empty unless it is given.
  ///
  /// A page gives it to `start(…, { name: "my-app" })`. A program that also runs elsewhere gives it
  /// here, and then for all hosts:
  ///
  /// ```swift
  /// prepareSharing { $0.stores.appName = "my-app" }
  /// ```
  /// It has 1 to 64 letters, digits, `-` or `_`; another text is reported, and not taken. What was
  /// stored under another name is not seen. The keys of `local`, `session` and `files` are the same
  /// with each name: give these a prefix.
  public var appName: UTF8Text {
    get { lock.withLock { knownAppName() } }
    set {
      guard Self.isAppName(newValue) else { return reportAppName(newValue) }
      set(.appName, "appName") { ownAppName = newValue }
    }
  }
  private var ownAppName: UTF8Text?
  private var ownLocal: any KeyValueStore
  // Made when they are first asked for: few programs do.
  private var ownSession: (any KeyValueStore)?
  private var ownFiles: (any KeyValueStore)?
  private var ownLocation: (any KeyValueStore)?
  private var ownClock: (any SaveClock)?
  private var ownRevisions: (any RevisionStore)?
  /// The bits of what keys use.
  private var used: UInt8 = 0
  private let lock = Lock()
  /// What the user of the program should know of where values are kept; nil when all is well.
  public var notice: UTF8Text? {
    get { lock.withLock { ownNotice } }
    set { lock.withLock { ownNotice = newValue } }
  }
  /// Guarded by the lock: a store that is made sets it.
  private var ownNotice: UTF8Text?

  init() {
    ownLocal = HostStores.local(&ownNotice)
  }

  /// What keys use of these.
  enum Member: UInt8 {
    case local = 1
    case session = 2
    case location = 4
    case files = 8
    case clock = 16
    case revisions = 32
    case appName = 64
  }

  /// One of these stores, for a key: from then on another one comes too late.
  @inline(__always)
  static func forKey(
    _ member: Member, _ store: (DefaultStores) -> any KeyValueStore
  ) -> any KeyValueStore {
    let stores = SharingEnvironment.current.stores
    stores.markUsed(member)
    return stores.replacement(store(stores))
  }

  /// The revision store for a key.
  var revisionsForKey: any RevisionStore {
    markUsed(.revisions)
    return revisions
  }

  /// Where what is not committed yet to the revision store survives the program's end.
  package var journalStore: (any ListedStore)?

  /// Nil for other revision stores: a journal does not say whose steps it keeps.
  /// One that has a scope of its own does.
  func journalStore(for store: any RevisionStore, _ scope: UTF8Text?) -> (any ListedStore)? {
    if scope != nil, !isRehearsal { return RevisionStandIns.currentJournals ?? BrowserStore.local }
    return lock.withLock { ownRevisions === store ? journalStore : nil }
  }

  /// Whether the program only tries out what it would do, and nothing may be stored.
  package var isRehearsal = false

  /// What keys use in place of a store: a program can try out what it would do.
  package var replacement: (any KeyValueStore) -> any KeyValueStore = { $0 }

  /// The clock for a key.
  var clockForKey: any SaveClock {
    markUsed(.clock)
    return clock
  }

  /// What stands before a path where documents are items among others.
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

  @inline(never)
  private func reportLate(_ name: StaticString) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        'stores.\(name)' is set after a key has used the one before, and keys go on with that. Set \
        it first: see prepareSharing.
        """))
  }

  /// Writes now what `.debounced` saves hold back.
  public func flush() {
    lock.withLock { ownClock }?.callAll()
  }

  /// The name of the app, for what a key uses.
  var appNameForKey: UTF8Text {
    markUsed(.appName)
    return appName
  }

  /// The lock is held.
  private func knownAppName() -> UTF8Text {
    if let ownAppName { return ownAppName }
    let name = HostStores.appName
    ownAppName = name
    return name
  }

  private static func isAppName(_ text: UTF8Text) -> Bool {
    (0...64).contains(text.bytes.count)
      && text.bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private func reportAppName(_ text: UTF8Text) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        'stores.appName' stays as it was: "\(text)" is no name for an app. Give it 1 to 64 letters, \
        digits, - or _.
        """))
  }

  /// The lock is held.
  private func makeRevisions() -> any RevisionStore {
    used |= Member.appName.rawValue
    let store = HostStores.revisions(knownAppName())
    if isRehearsal { return RehearsalRevisionStore(over: store) }
    if store === EngineStore.indexedDB { journalStore = BrowserStore.local }
    return store
  }
}

extension Optional {
  /// What is here, once it was made.
  fileprivate mutating func made(by make: () -> Wrapped) -> Wrapped {
    if let self { return self }
    let made = make()
    self = made
    return made
  }
}

extension SharingEnvironment {
  private static let storesSlot = SharingEnvironmentSlot { DefaultStores() }

  /// The stores that keys of this environment use unless they are given one.
  ///
  /// ```swift
  /// SharingEnvironment.current.stores.local = MemoryStore()
  /// ```
  public var stores: DefaultStores { self[Self.storesSlot] }
}
