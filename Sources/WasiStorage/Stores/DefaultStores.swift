import SharingCore

/// The stores that keys use unless they are given one: a member of every environment.
///
/// | host | `local` | `session` | `location` | `files` |
/// |---|---|---|---|---|
/// | a browser tab | `localStorage` | `sessionStorage` | the address behind `#` | `localStorage` |
/// | a WASI runtime, natively | a folder of files | memory | memory | files |
/// | none of these, a native test | memory, and ``notice`` says so | memory | memory | memory |
///
/// A native test that shall use files names a folder: `SHARING_DIR` for `local`, or a store of its own.
///
/// Set them before the first key uses them, such as in ``prepareSharing(fileID:line:_:)``: a key goes on
/// with what it has, and an issue says so.
public final class DefaultStores: @unchecked Sendable {
  /// Where `.localStorage` and `.appStorage` keep their values.
  public var local: any KeyValueStore {
    get { ownLocal }
    set { set(.local, "local") { ownLocal = newValue } }
  }
  /// Where `.sessionStorage` keeps its values.
  public var session: any KeyValueStore {
    get { lock.withLock { ownSession ?? makeSession() } }
    set { set(.session, "session") { ownSession = newValue } }
  }
  /// Where `.locationHash` keeps its text, which is its only item.
  public var location: any KeyValueStore {
    get { lock.withLock { ownLocation ?? makeLocation() } }
    set { set(.location, "location") { ownLocation = newValue } }
  }
  /// What calls back when a save has been put off long enough: natively the machine's time, in a
  /// browser the page's timers.
  public var clock: any SaveClock {
    get { lock.withLock { ownClock ?? makeClock() } }
    set { set(.clock, "clock") { ownClock = newValue } }
  }
  /// Where `.fileStorage` keeps its documents: paths are its keys.
  public var files: any KeyValueStore {
    get { lock.withLock { ownFiles ?? makeFiles() } }
    set { set(.files, "files") { ownFiles = newValue } }
  }
  // Made when they are first asked for: few programs do.
  private var ownLocal: any KeyValueStore
  private var ownSession: (any KeyValueStore)?
  private var ownFiles: (any KeyValueStore)?
  private var ownLocation: (any KeyValueStore)?
  private var ownClock: (any SaveClock)?
  /// The bits of what keys use.
  private var used: UInt8 = 0
  private let lock = Lock()
  /// What the user of the program should know of where values are kept; nil when all is well.
  public var notice: UTF8Text?

  init() {
    switch HostStore.local.access {
    case .granted:
      ownLocal = HostStore.local
    case .denied:
      ownLocal = MemoryStore()
      notice =
        """
        This page may not keep data here, so changes last only until it is closed. Allow site data \
        for it to keep them.
        """
    case .noHost:
      let files = FileStore()
      ownLocal = files ?? MemoryStore()
      if files == nil {
        notice =
          """
          No folder was given to keep data in, so changes last only until the program ends. Give it \
          one, such as with 'wasmtime run --dir .sharing'.
          """
      }
    }
  }

  /// Notes that a key uses a default.
  func use(_ member: Member) {
    lock.withLock { used |= member.rawValue }
  }

  private func set(_ member: Member, _ name: StaticString, _ body: () -> Void) {
    let isUsed = lock.withLock {
      body()
      return used & member.rawValue != 0
    }
    if isUsed { reportLate(name) }
  }

  /// Writes now what `.debounced` saves hold back.
  public func flush() {
    lock.withLock { ownClock }?.callAll()
  }

  private func makeSession() -> any KeyValueStore {
    let made = HostStore.session.orMemory
    ownSession = made
    return made
  }

  private func makeFiles() -> any KeyValueStore {
    let made: any KeyValueStore =
      switch HostStore.local.access {
      case .granted: HostStore.local
      case .denied: MemoryStore()
      case .noHost: DocumentStore() ?? MemoryStore()
      }
    ownFiles = made
    return made
  }

  private func makeClock() -> any SaveClock {
    let made = Self.hostClock
    ownClock = made
    return made
  }

  private func makeLocation() -> any KeyValueStore {
    let made = HostStore.location.orMemory
    ownLocation = made
    return made
  }
}

extension HostStore {
  fileprivate var orMemory: any KeyValueStore { access == .granted ? self : MemoryStore() }
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
