/// The references of an environment by key id, so that wrappers with equal ids share one (rule R1).
final class ReferenceTable: @unchecked Sendable {
  private let lock = Lock()
  private var references = HashTable<KeyID, Listed>()
  /// Keeps the references whose keys say that they live as long as the environment.
  private var kept: [Root] = []

  /// Whether no key has been used yet.
  var isUnused: Bool { lock.withLock { references.isUnused } }

  /// The reference of a key, made and loaded when it is the first with this id.
  /// - Parameter initialValue: The default; not asked for where the reference exists.
  func reference<Key: SharedReaderKey>(
    for key: Key, initialValue: () -> Key.Value, _ load: FirstLoad = .now, at site: CallSite
  ) -> ValueReference<Key.Value> {
    let id = KeyID(key.id)
    if let known = root(id) {
      known.persistence?.awaitStart()
      return typed(known, at: site) ?? ValueReference(initialValue())
    }
    let initialValue = initialValue()
    let made = ValueReference(initialValue)
    let persistence = KeyPersistence(
      key, of: made, initialValue: initialValue,
      entry: key.lifetime == .environment ? nil : Entry(table: self, id: id))
    made.persistence = persistence
    // Another thread may have made one meanwhile; then that one is everybody's.
    let known = persistence.starting {
      let known = insert(made, id, key.lifetime)
      if known == nil { persistence.start(load) }
      return known
    }
    guard let known else { return made }
    known.persistence?.awaitStart()
    return typed(known, at: site) ?? ValueReference(initialValue)
  }

  /// A reference and its identity: which one is listed must be told without keeping it alive, since
  /// its `deinit` comes back to the table.
  private final class Listed {
    let object: ObjectIdentifier
    let reference: WeakReference<Root>

    init(_ root: Root) {
      object = ObjectIdentifier(root)
      reference = WeakReference(root)
    }
  }

  /// Where a reference is listed, so that it can be struck off when it goes.
  struct Entry {
    let table: ReferenceTable
    let id: KeyID

    /// Called from the reference's `deinit`.
    func remove(_ reference: ObjectIdentifier) {
      table.lock.withLock {
        if table.references[id]?.object == reference { table.references[id] = nil }
      }
    }
  }

  private func root(_ id: KeyID) -> Root? {
    lock.withLock { references[id]?.reference.object }
  }

  /// - Returns: The reference that is listed under the id already, and then nothing is inserted.
  private func insert(_ made: Root, _ id: KeyID, _ lifetime: SharedLifetime) -> Root? {
    lock.withLock {
      if let known = references[id]?.reference.object { return known }
      references[id] = Listed(made)
      if lifetime == .environment { kept.append(made) }
      return nil
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
