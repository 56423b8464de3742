/// The references of an environment by key id, so that wrappers with equal ids share one (rule R1).
final class ReferenceTable: @unchecked Sendable {
  private let lock = Lock()
  private var entries = ReferenceEntries()

  /// Whether no key was used yet.
  var isUnused: Bool { lock.withLock { entries.isUnused } }

  /// Returns the reference of a key's id after its first load; nil if there is none with that type
  /// of value.
  func reference<ID: Hashable, Value>(of id: ID, _: Value.Type) -> TypedCell<Value>? {
    lock.withLock { entries.cell(of: id) }.flatMap { typed($0) }
  }

  /// Makes a cell the reference of a key without one, and loads it.
  func makeReference<Key: SharedReaderKey>(
    of key: Key, _ id: Key.ID, _ made: TypedCell<Key.Value>, _ connection: _SharedConnection,
    _ load: FirstLoad, at site: CallSite
  ) -> TypedCell<Key.Value> {
    SharingEnvironment.willMakeKeyedValue(at: site)
    made.declaration = Declaration(at: site)
    made.persistence = CellPersistence(connection, of: made)
    if let known = list(made, under: id, load) {
      if let reference: TypedCell<Key.Value> = typed(known) { return reference }
      made.persistence = nil
      reportOtherUse(at: site)
    }
    made.showDefault()  // one that is followed has a value already
    return made
  }

  /// Lists a cell under an id and loads it.
  /// - Returns: The cell that is already listed, for example by another thread meanwhile. Then
  ///   nothing is done, and all wrappers use that cell.
  private func list<ID: Hashable>(
    _ made: Cell, under id: ID, _ load: FirstLoad
  ) -> Cell? {
    let entry = KeyedEntry(id, made)
    guard let persistence = made.persistence else { return insert(entry, id) }
    return persistence.firstLoadLock.run {
      if let known = insert(entry, id) { return known }
      persistence.listing = (entry, self)
      persistence.start(made, load)
      return nil
    }
  }

  private func insert<ID: Hashable>(_ entry: KeyedEntry<ID>, _ id: ID) -> Cell? {
    lock.withLock {
      if let cell = entries.cell(of: id) { return cell }
      entries.insert(entry)
      return nil
    }
  }

  /// All entries with their cells, for messages.
  var all: [(entry: ReferenceEntry, cell: Cell)] { lock.withLock { entries.all } }

  /// Removes the entry of a cell at its end. Called from the cell's `deinit`.
  func remove(_ entry: ReferenceEntry) {
    lock.withLock { entries.remove(entry) }
  }

  /// Returns the cell after its first load, nil if its value has another type.
  private func typed<Value>(_ cell: Cell) -> TypedCell<Value>? {
    if let persistence = cell.persistence { persistence.firstLoadLock.wait(persistence) }
    cell.showDefault()
    return cell as? TypedCell<Value>
  }

  func reportOtherUse(at site: CallSite) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        This key's id is in use with another type of value, or by a key that only reads. Changes \
        here are not saved. Use another name, or the same type.
        """, at: site))
  }
}
