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

/// Keeps what survives the end of a tab, in a store that can be written at once: the uncommitted
/// steps of each client, and copies of stored values for the first paint.
///
/// An entry never changes, and no two have one name: a client writes its next entry, with all its
/// uncommitted steps, and then removes the former one. So a program that has committed an entry
/// removes that one by its name, whatever its client writes meanwhile.
final class Journal: @unchecked Sendable {
  private let store: any ListedStore
  let client: UTF8Text
  private let prefix: UTF8Text
  private let copyPrefix: UTF8Text
  /// The item that tells running programs of a new entry of changes that wait for another release.
  private let bell: KeyName
  private let lock = Lock()
  /// The numbers of the client's stored entries. Guarded by the lock, as the property below.
  private var entries: [Int] = []
  /// The number of the newest entry, also if it could not be stored.
  private var lastNumber = 0
  /// The numbers of the steps that wait, in the newest entry; nil before these steps wait.
  private var waiting: [Int]?
  /// Whether there was no room for the last changes that wait.
  private var isIncomplete = false

  /// - Parameters:
  ///   - scope: The part of the items' names that stands for one of several stores.
  ///   - appName: The name of the app; empty if it has none.
  init(in store: any ListedStore, _ scope: UTF8Text, of client: UTF8Text, _ appName: UTF8Text) {
    self.store = store
    self.client = client
    // With a slash, so that no name begins like one of an app without a name.
    let place: UTF8Text = appName.isEmpty ? "sharing" : "sharing/\(appName)"
    prefix = "\(place).journal\(scope)."
    copyPrefix = "\(place).copy\(scope)."
    bell = KeyName(bytes: UTF8Text("\(place).waiting\(scope)").bytes)
  }

  /// Creates another journal of a program.
  /// - Parameters:
  ///   - journal: The first one. Its client's name and a number are the new client's name.
  ///   - number: A number that no other journal of the program has.
  init(_ journal: Journal, _ number: Int) {
    (store, prefix, copyPrefix) = (journal.store, journal.prefix, journal.copyPrefix)
    bell = journal.bell
    client = "\(journal.client)~\(number)"
  }

  private func name(_ number: Int) -> KeyName {
    let name: UTF8Text = "\(prefix)\(client).\(number)"
    return KeyName(bytes: name.bytes)
  }

  // MARK: The client's own entries

  /// Writes the client's steps in place of its entries with lower numbers.
  /// - Parameter bytes: Nil if there are none.
  /// - Returns: Whether they are stored.
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

  /// Returns the number of the last step that waits if another program has removed its entry, since
  /// that is stored; nil otherwise.
  func takeRemoved() -> Int? {
    guard let number = lock.withLock({ entries.last }),
      let content = try? store.slot(for: name(number)).read(), content.bytes == nil
    else { return nil }
    return lock.withLock {
      defer { (entries, waiting) = ([], []) }
      return waiting?.max()
    }
  }

  /// Tells running programs that changes wait for another release.
  /// - Parameters:
  ///   - clients: The clients that have made them.
  ///   - number: A number that the program has not used for this before.
  func ringBell(for clients: [UTF8Text], _ number: Int) {
    var text: UTF8Text = "\(client).\(number)"
    for client in clients { text += " \(client)" }
    _ = try? store.slot(for: bell).replace(by: text.bytes)
  }

  /// The text of the last ring, with the clients for which a program has rung.
  var rung: [UInt8] { (try? store.slot(for: bell).read().bytes) ?? [] }

  /// Calls a function when another program has rung.
  func onBell(_ body: @escaping @Sendable () -> Void) -> SharedSubscription {
    store.slot(for: bell).subscribe(body)
  }

  /// Stores an entry.
  /// - Returns: Whether it is stored. Its steps are committed in any case.
  private func keep(_ bytes: [UInt8], _ number: Int) -> Bool {
    let slot = store.slot(for: name(number))
    if (try? slot.replace(by: bytes)) != nil { return true }
    removeCopies()
    return (try? slot.replace(by: bytes)) != nil || keepInPlace(bytes, slot, number)
  }

  /// Stores an entry for which there is no room beside the former one: removes that first, and
  /// stores it again if the new one still has no room.
  private func keepInPlace(_ bytes: [UInt8], _ slot: any StoreSlot, _ number: Int) -> Bool {
    let former = lock.withLock { entries.last { $0 < number } }.map { store.slot(for: name($0)) }
    guard let former, let text = try? former.read().bytes, (try? former.replace(by: nil)) != nil
    else { return false }
    if (try? slot.replace(by: bytes)) != nil { return true }
    // Another program may have taken the room. A lost entry does not count as a removed one.
    if (try? former.replace(by: text)) == nil { lock.withLock { (entries, waiting) = ([], []) } }
    return false
  }

  /// Writes changes that wait, unless the newest entry has them.
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

  /// Whether the newest entry lacks changes that wait, since there was no room for them.
  var lacksChanges: Bool { lock.withLock { isIncomplete } }

  // MARK: Those of others

  /// Returns the steps of other clients, the oldest first.
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
        let place = clients[index].firstIndex { $0.number < name.number } ?? clients[index].count
        clients[index].insert(name, at: place)
      } else {
        clients.append([name])
      }
    }
    return clients
  }

  /// Returns the newest entry that can be read. It contains the uncommitted steps of the entries
  /// before it.
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
        This program cannot read the journal in the item "\(name)", so its changes stay there. Open \
        the program that wrote it, or remove the item.
        """))
  }

  /// Removes the entries of another client after its steps are committed.
  func remove(_ steps: JournaledSteps) {
    for name in steps.names { try? store.discard(name) }
  }

  // MARK: Copies

  /// Returns this browser's copy of a stored value: empty if the value was removed, nil if there is
  /// no copy.
  func copy(of key: KeyName) -> [UInt8]? {
    (try? copySlot(key).read())?.bytes
  }

  private func removeCopies() {
    for name in (try? store.keys()) ?? [] where name.bytes.starts(with: copyPrefix.bytes) {
      _ = try? store.slot(for: name).replace(by: nil)
    }
  }

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

/// The name of a journal entry: the prefix, the client and a number.
private struct EntryName {
  let key: KeyName
  let client: UTF8Text
  let number: Int

  /// Nil for another item. One with more dots is of another store, whose scope begins as this one.
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
