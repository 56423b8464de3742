/// The references of an environment by key id, so that wrappers with equal ids share one (rule R1).
final class ReferenceTable: @unchecked Sendable {
  private let lock = Lock()
  private var entries = EntryTable()

  /// Whether no key has been used yet.
  var isUnused: Bool { lock.withLock { entries.isUnused } }

  /// The reference of a key, made and loaded when it is the first with this id.
  /// - Parameter initialValue: The default; not asked for where the reference exists.
  func reference<Key: SharedReaderKey>(
    for key: Key, initialValue: () -> Key.Value, _ load: FirstLoad = .now, at site: CallSite
  ) -> ValueReference<Key.Value> {
    let id = key.id
    if let known = lock.withLock({ entries.entry(of: id)?.root }) {
      known.persistence?.startGate.wait()
      return typed(known, at: site) ?? ValueReference(initialValue())
    }
    let initialValue = initialValue()
    let made = ValueReference(initialValue, keepsInitialValue: key.lifetime == .environment)
    // Another thread may have made one meanwhile; then that one is everybody's.
    guard let known = list(made, of: key, id, initialValue, load) else { return made }
    known.persistence?.startGate.wait()
    return typed(known, at: site) ?? ValueReference(initialValue)
  }

  /// - Returns: The root that is listed under the id already, and then nothing is done.
  private func list<Key: SharedReaderKey>(
    _ made: ValueReference<Key.Value>, of key: Key, _ id: Key.ID, _ initialValue: Key.Value,
    _ load: FirstLoad
  ) -> Root? {
    let lifetime = key.lifetime
    let entry = KeyedEntry(id, made, lifetime)
    // A value that is stored nowhere else needs no link to anything.
    if lifetime == .environment { return insert(entry, id) }
    let persistence = KeyPersistence(key, initialValue: initialValue, entry: entry, in: self)
    made.persistence = persistence
    return persistence.startGate.run {
      let known = insert(entry, id)
      if known == nil { persistence.start(load) }
      return known
    }
  }

  private func insert<ID: Hashable>(_ entry: KeyedEntry<ID>, _ id: ID) -> Root? {
    lock.withLock {
      if let known = entries.entry(of: id) {
        if let root = known.root { return root }
        entries.remove(known)
      }
      entries.insert(entry)
      return nil
    }
  }

  /// The root of an entry, as long as somebody refers to it.
  func root(of entry: TableEntry) -> Root? {
    lock.withLock { entry.root }
  }

  /// Strikes an entry off, whose root goes. Called from the root's `deinit`.
  func remove(_ entry: TableEntry) {
    lock.withLock {
      entry.forgetRoot()
      entries.remove(entry)
    }
  }

  private func typed<Value>(_ root: Root, at site: CallSite) -> ValueReference<Value>? {
    if let reference = root as? ValueReference<Value> { return reference }
    SharingEnvironment.current.report(
      SharingIssue(
        """
        This key's id is in use with another type of value, so the value here is not shared and not \
        saved. Give the key another name, or use the same type.
        """, at: site))
    return nil
  }
}
