/// The references of an environment by key id, so that wrappers with equal ids share one (rule R1).
final class ReferenceTable: @unchecked Sendable {
  private let lock = Lock()
  private var entries = EntryTable()

  /// Whether no key has been used yet.
  var isUnused: Bool { lock.withLock { entries.isUnused } }

  /// The reference of a key's id, once its value is loaded; nil where there is none with that type of
  /// value.
  func reference<ID: Hashable, Value>(of id: ID, _: Value.Type) -> ValueReference<Value>? {
    lock.withLock { entries.entry(of: id)?.root }.flatMap { typed($0) }
  }

  /// Makes and loads the reference of a key that has none.
  func makeReference<Key: SharedReaderKey>(
    of key: Key, _ id: Key.ID, _ initialValue: Key.Value, _ load: FirstLoad, at site: CallSite
  ) -> ValueReference<Key.Value> {
    SharingEnvironment.willMakeKeyedValue(at: site)
    let made = ValueReference(initialValue, isKeyed: true)
    // A value that is stored nowhere else needs no link to anything.
    if key.lifetime != .environment { made.persistence = KeyPersistence(key) }
    guard let known = list(made, under: id, key.lifetime, load) else { return made }
    if let reference: ValueReference<Key.Value> = typed(known) { return reference }
    made.persistence = nil
    reportOtherType(at: site)
    return made
  }

  /// - Returns: The root that is listed under the id already, as another thread may have made one
  ///   meanwhile: then nothing is done, and that one is everybody's.
  private func list<ID: Hashable>(
    _ made: Root, under id: ID, _ lifetime: SharedLifetime, _ load: FirstLoad
  ) -> Root? {
    let entry = KeyedEntry(id, made, lifetime)
    guard let persistence = made.persistence else { return insert(entry, id) }
    persistence.place = (entry, self)
    return persistence.startGate.run {
      let known = insert(entry, id)
      if known == nil { persistence.start(made, load) }
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

  /// Everything that is listed, for messages.
  var all: [(entry: TableEntry, root: Root)] { lock.withLock { entries.all } }

  /// Strikes an entry off, whose root goes. Called from the root's `deinit`.
  func remove(_ entry: TableEntry) {
    lock.withLock {
      entry.forgetRoot()
      entries.remove(entry)
    }
  }

  /// The root, once it is loaded, if its value is of that type.
  private func typed<Value>(_ root: Root) -> ValueReference<Value>? {
    root.persistence?.startGate.wait()
    return root as? ValueReference<Value>
  }

  private func reportOtherType(at site: CallSite) {
    SharingEnvironment.current.report(
      SharingIssue(
        """
        This key's id is in use with another type of value, so the value here is not shared and not \
        saved. Give the key another name, or use the same type.
        """, at: site))
  }
}
