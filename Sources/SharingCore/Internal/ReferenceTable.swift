/// The references of an environment by key id, so that wrappers with equal ids share one (rule R1).
final class ReferenceTable: @unchecked Sendable {
  private let lock = Lock()
  private var references = HashTable<KeyID, WeakReference<Root>>()
  /// Keeps the references whose keys say that they live as long as the environment.
  private var kept: [Root] = []

  /// The reference of a key, made and loaded when it is the first with this id.
  /// - Parameter initialValue: The default; not asked for where the reference exists.
  func reference<Key: SharedReaderKey>(
    for key: Key, initialValue: () -> Key.Value, at site: CallSite
  ) -> ValueReference<Key.Value> {
    let id = KeyID(key.id)
    if let known = root(id) {
      return typed(known, at: site) ?? ValueReference(initialValue())
    }
    let initialValue = initialValue()
    let made = ValueReference(initialValue)
    let persistence = KeyPersistence(
      key, of: made, initialValue: initialValue,
      entry: key.lifetime == .environment ? nil : Entry(table: self, id: id))
    made.persistence = persistence
    // Another thread may have made one meanwhile; then that one is everybody's.
    if let known = insert(made, id, key.lifetime) {
      return typed(known, at: site) ?? ValueReference(initialValue)
    }
    persistence.start()
    return made
  }

  /// Where a reference is listed, so that it can be struck off when it goes.
  struct Entry {
    let table: ReferenceTable
    let id: KeyID

    /// Called from the reference's `deinit`.
    func remove(_ reference: ObjectIdentifier) {
      table.lock.withLock {
        guard let listed = table.references[id], listed.isGone(reference) else { return }
        table.references[id] = nil
      }
    }
  }

  private func root(_ id: KeyID) -> Root? {
    var root: Root?
    lock.withLock { root = references[id]?.object }
    return root
  }

  /// - Returns: The reference that is listed under the id already, and then nothing is inserted.
  private func insert(_ made: Root, _ id: KeyID, _ lifetime: SharedLifetime) -> Root? {
    var known: Root?
    lock.withLock {
      known = references[id]?.object
      guard known == nil else { return }
      references[id] = WeakReference(made)
      if lifetime == .environment { kept.append(made) }
    }
    return known
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
