import SharingCore
import WasiStorage

/// The stores behind the engines of an environment.
///
/// In a page, they are those that were passed to `start`. Elsewhere a program sets its own, before
/// a key uses it:
///
/// ```swift
/// prepareSharing {
///   $0.engines.use(for: .world) { _ in MemoryRevisionStore() }
/// }
/// ```
/// A native test that sets none has an engine in memory. Otherwise, changes to keys of a missing
/// engine stay in memory, and `saveError` has the reason
/// ``SharingCore/StorageError/Reason/unavailable``.
public final class Engines: @unchecked Sendable {
  private let lock = Lock()
  private var entries: [Entry] = []

  /// The store of one key of an engine or, without a key, the function that returns the stores of
  /// its keys.
  private struct Entry: Sendable {
    let name: EngineName
    let key: KeyName?
    let makeStore: @Sendable (KeyName) -> any RevisionStore
  }

  /// Keeps the value of each key of an engine in its own store, so that no key waits for another.
  ///
  /// ```swift
  /// environment.engines.use(for: .world) { server.store(for: $0) }
  /// ```
  public func use(
    for engine: EngineName, _ makeStore: @escaping @Sendable (KeyName) -> any RevisionStore
  ) {
    lock.withLock {
      entries = entries.filter { $0.name != engine }
      entries.append(Entry(name: engine, key: nil, makeStore: makeStore))
    }
  }

  /// Whether the program has set an engine.
  func contains(_ engine: EngineName) -> Bool { makeStore(of: engine) != nil }

  /// Returns the store of a key, the same one each time.
  func store(of engine: EngineName, _ key: KeyName) -> any RevisionStore {
    let makeStore = makeStore(of: engine)
    if let known = lock.withLock({ entry(engine, key) }) { return known.makeStore(key) }
    // Without the lock: the closure is the program's (rule R7).
    let isInMemory = isTesting && makeStore == nil && !EngineCalls.isInPage(engine)
    let made: any RevisionStore =
      isInMemory ? MemoryRevisionStore() : makeStore?(key) ?? EngineStore(engine)
    return insert(Entry(name: engine, key: isInMemory ? nil : key) { _ in made }).makeStore(key)
  }

  /// - Returns: The entry, or that of another thread, which was first.
  private func insert(_ new: Entry) -> Entry {
    lock.withLock {
      if let known = entry(new.name, new.key) { return known }
      entries.append(new)
      return new
    }
  }

  /// Returns the function that makes the stores of an engine; nil if the program has set none.
  private func makeStore(of engine: EngineName) -> (@Sendable (KeyName) -> any RevisionStore)? {
    lock.withLock { entry(engine, nil)?.makeStore }
  }

  private func entry(_ engine: EngineName, _ key: KeyName?) -> Entry? {
    entries.first { $0.name == engine && $0.key == key }
  }
}

extension SharingEnvironment {
  /// The stores behind this environment's engines.
  ///
  /// ```swift
  /// SharingEnvironment.current.engines.use(for: .world) { server.store(for: $0) }
  /// ```
  public var engines: Engines { object { Engines() } }
}
