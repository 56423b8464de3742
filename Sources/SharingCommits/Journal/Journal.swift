import SharingCore
import WasiStorage

/// A store whose keys can be listed.
package protocol ListedStore: KeyValueStore {
  /// Returns the keys of all items.
  func keys() throws(StorageError) -> [KeyName]

  /// Removes an item whose key is never used again.
  func discard(_ key: KeyName) throws(StorageError)
}

extension ListedStore {
  /// Removes the item as any other one.
  package func discard(_ key: KeyName) throws(StorageError) {
    _ = try slot(for: key).replace(by: nil)
  }
}

extension MemoryStore: ListedStore {}
extension BrowserStore: ListedStore {}

/// The journal of one client, in a store with immediate writes, such as `localStorage`: it survives
/// the end of the tab. Three kinds of items have its prefix:
///
/// - Entries, `….journal.CLIENT.NUMBER`: the uncommitted steps of a client.
/// - Copies, `….copy.KEY`: stored values of the revision store, for the first paint.
/// - The bell, `….waiting`: a change of this item notifies running programs that changes wait for
///   another release.
///
/// An entry is never changed. A client writes a new entry with all its uncommitted steps, under the
/// next number, and then removes the older one. So a program that has committed the steps of an
/// entry can remove it by its name; a newer entry of the client stays.
final class Journal: @unchecked Sendable {
  private let store: any ListedStore
  let client: UTF8Text
  private let prefix: UTF8Text
  private let copyPrefix: UTF8Text
  private let bell: KeyName
  private let lock = Lock()
  /// The numbers of the client's stored entries. Guarded by the lock, as the properties below.
  private var entries: [Int] = []
  /// The number of the newest entry, including one that could not be stored.
  private var lastNumber = 0
  /// The numbers of the steps in the newest entry that wait for another release; nil if no step has
  /// waited yet.
  private var waiting: [Int]?
  /// Whether the newest waiting steps are in no entry: the store is full.
  private var isIncomplete = false

  /// Opens the journal of a client.
  /// - Parameters:
  ///   - store: The store of the items.
  ///   - scope: The revision store of the steps, as a part of the items' names.
  ///   - client: The name of the client.
  ///   - appName: The name of the app, as a part of the items' names; empty for no name.
  init(in store: any ListedStore, _ scope: UTF8Text, of client: UTF8Text, _ appName: UTF8Text) {
    self.store = store
    self.client = client
    // The slash keeps these names apart from those of an app without a name.
    let root: UTF8Text = appName.isEmpty ? "sharing" : "sharing/\(appName)"
    prefix = "\(root).journal\(scope)."
    copyPrefix = "\(root).copy\(scope)."
    bell = KeyName(bytes: UTF8Text("\(root).waiting\(scope)").bytes)
  }

  /// Opens the journal of a further client of the same program. The client's name is that of the
  /// first client and a number, as in `a1b2~1`.
  /// - Parameters:
  ///   - journal: The journal of the first client.
  ///   - number: The number. Each further client has its own.
  init(_ journal: Journal, _ number: Int) {
    (store, prefix, copyPrefix) = (journal.store, journal.prefix, journal.copyPrefix)
    bell = journal.bell
    client = "\(journal.client)~\(number)"
  }

  /// The name of the item of an entry of this client.
  private func name(_ number: Int) -> KeyName {
    let name: UTF8Text = "\(prefix)\(client).\(number)"
    return KeyName(bytes: name.bytes)
  }

  // MARK: Entries of this client

  /// Stores an entry, and removes all entries with lower numbers.
  /// - Parameters:
  ///   - bytes: The text of the uncommitted steps; nil to only remove.
  ///   - number: The number of the entry.
  /// - Returns: Whether the entry is stored. If not, the older entries stay.
  @discardableResult
  func write(_ bytes: [UInt8]?, as number: Int) -> Bool {
    if let bytes, !keep(bytes, number) { return false }
    let outdated = lock.withLock {
      if bytes != nil { entries.append(number) }
      lastNumber = max(lastNumber, number)
      let outdated = entries.filter { $0 < lastNumber }
      entries.removeAll { $0 < lastNumber }
      return outdated
    }
    for number in outdated { try? store.discard(name(number)) }
    return true
  }

  /// Detects that another program has committed the waiting steps and removed their entry.
  /// - Returns: The number of the last waiting step; nil if the entry is still there.
  func takeRemoved() -> Int? {
    guard let number = lock.withLock({ entries.last }),
      let content = try? store.slot(for: name(number)).read(), content.bytes == nil
    else { return nil }
    return lock.withLock {
      defer { (entries, waiting) = ([], []) }
      return waiting?.max()
    }
  }

  /// Notifies running programs that changes wait for another release.
  /// - Parameters:
  ///   - clients: The clients of the changes.
  ///   - number: A number that is new for each call of a program, so that the item's text changes.
  func ringBell(for clients: [UTF8Text], _ number: Int) {
    var text: UTF8Text = "\(client).\(number)"
    for client in clients { text += " \(client)" }
    _ = try? store.slot(for: bell).replace(by: text.bytes)
  }

  /// The text of the bell: a client and a number, and the clients whose changes wait.
  var rung: [UInt8] { (try? store.slot(for: bell).read().bytes) ?? [] }

  /// Calls a function after each notification by another program.
  func onBell(_ body: @escaping @Sendable () -> Void) -> SharedSubscription {
    store.slot(for: bell).subscribe(body)
  }

  /// Stores the item of an entry. If the store is full, removes the copies first, and then the
  /// older entry.
  /// - Returns: Whether it is stored. The steps are committed in any case.
  private func keep(_ bytes: [UInt8], _ number: Int) -> Bool {
    let slot = store.slot(for: name(number))
    if (try? slot.replace(by: bytes)) != nil { return true }
    removeCopies()
    return (try? slot.replace(by: bytes)) != nil || keepInPlace(bytes, slot, number)
  }

  /// Stores an entry in a store without room for both entries: removes the older one first. If the
  /// new one still has no room, stores the older one again.
  private func keepInPlace(_ bytes: [UInt8], _ slot: any StoreSlot, _ number: Int) -> Bool {
    let former = lock.withLock { entries.last { $0 < number } }.map { store.slot(for: name($0)) }
    guard let former, let text = try? former.read().bytes, (try? former.replace(by: nil)) != nil
    else { return false }
    if (try? slot.replace(by: bytes)) != nil { return true }
    // Another program may have used the room. A lost entry must not count as committed.
    if (try? former.replace(by: text)) == nil { lock.withLock { (entries, waiting) = ([], []) } }
    return false
  }

  /// Stores the steps that wait for another release as an entry, unless the newest entry has them.
  func write(_ steps: JournaledSteps?, as number: Int) -> Bool {
    let numbers = steps?.steps.map { $0.number } ?? []
    if lock.withLock({ waiting == numbers }) { return true }
    let isStored = write(steps.flatMap { try? JSON.encode($0) }, as: number)
    lock.withLock {
      isIncomplete = !isStored
      if isStored { waiting = numbers }
    }
    return isStored
  }

  /// Whether waiting steps are in no entry, because the store is full.
  var lacksChanges: Bool { lock.withLock { isIncomplete } }

  // MARK: Entries of other clients

  /// Returns the uncommitted steps of all other clients, in their order, the oldest first.
  func others() -> [JournaledSteps] {
    var others: [JournaledSteps] = []
    for names in otherEntries() {
      guard let steps = newest(of: names) else { continue }
      let index = others.firstIndex { $0.order > steps.order } ?? others.count
      others.insert(steps, at: index)
    }
    return others
  }

  /// Returns the names of the entries of each other client, the newest first.
  private func otherEntries() -> [[EntryName]] {
    var clients: [[EntryName]] = []
    for key in (try? store.keys()) ?? [] {
      guard let name = EntryName(key, prefix), name.client != client else { continue }
      if let index = clients.firstIndex(where: { $0[0].client == name.client }) {
        let position = clients[index].firstIndex { $0.number < name.number }
        clients[index].insert(name, at: position ?? clients[index].count)
      } else {
        clients.append([name])
      }
    }
    return clients
  }

  /// Returns the steps of the newest readable entry of a client, with the names of that entry and
  /// of the older ones. It contains the uncommitted steps of the older ones.
  /// - Parameter names: The names of the client's entries, the newest first.
  private func newest(of names: [EntryName]) -> JournaledSteps? {
    var newest: JournaledSteps?
    for name in names {
      if newest == nil, let bytes = try? store.slot(for: name.key).read().bytes {
        newest = JournaledSteps(of: name.client, bytes)
        if newest == nil { reportUnreadable(name.key) }
      }
      newest?.names.append(name.key)
    }
    return newest
  }

  private func reportUnreadable(_ name: KeyName) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        This program cannot read the journal "\(name)". Open the program that wrote it, or remove \
        it.
        """))
  }

  /// Removes the entries of committed steps of another client.
  func remove(_ steps: JournaledSteps) {
    for name in steps.names { try? store.discard(name) }
  }

  // MARK: Copies

  /// Returns the copy of a stored value: empty if the value was removed, nil if there is no copy.
  func copy(of key: KeyName) -> [UInt8]? {
    (try? copySlot(key).read())?.bytes
  }

  /// Removes the copies of all values, to make room.
  private func removeCopies() {
    for name in (try? store.keys()) ?? [] where name.bytes.starts(with: copyPrefix.bytes) {
      _ = try? store.slot(for: name).replace(by: nil)
    }
  }

  /// Stores a copy of a value, if it differs from the present copy.
  func keepCopy(_ stored: StoredRevision) {
    let slot = copySlot(stored.key)
    let known = (try? slot.read())?.bytes
    let text = stored.bytes ?? []
    if ItemContents(known) != ItemContents(text) { _ = try? slot.replace(by: text) }
  }

  private func copySlot(_ key: KeyName) -> any StoreSlot {
    store.slot(for: KeyName(bytes: copyPrefix.bytes + key.bytes))
  }
}

/// The parts of the name of an entry: `PREFIX CLIENT.NUMBER`.
private struct EntryName {
  let key: KeyName
  let client: UTF8Text
  let number: Int

  /// Nil for the name of another item. A client's name has no dot: with more dots, the item is of
  /// another revision store, whose scope begins with this one's.
  init?(_ key: KeyName, _ prefix: UTF8Text) {
    guard key.bytes.starts(with: prefix.bytes) else { return nil }
    let rest = Array(key.bytes[prefix.bytes.count...])
    guard let dot = rest.firstIndex(of: UInt8(ascii: ".")),
      let number = UTF8Text(Array(rest[(dot + 1)...])).number, number > 0
    else { return nil }
    self.key = key
    self.number = number
    client = UTF8Text(Array(rest[..<dot]))
  }
}
