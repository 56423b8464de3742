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

/// Keeps what survives the end of a tab, in a store that can be written at once: the steps that are
/// shown and not committed yet, by client, and copies of what is stored, for the first paint.
///
/// An entry never changes, and no two have one name: a client that has more to keep writes another
/// entry, with all that is not committed, and removes those before it later. So a program that has
/// stored an entry removes that one by its name, whatever its client writes meanwhile.
final class Journal: @unchecked Sendable {
  private let store: any ListedStore
  private let client: UTF8Text
  private let prefix: UTF8Text
  private let copyPrefix: UTF8Text
  private let lock = Lock()
  /// The client's entries that are there. Guarded by the lock, as what follows.
  private var entries: [(number: Int, size: Int)] = []
  /// The number of the newest entry, also where that was never written.
  private var lastNumber = 0

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
  }

  private func name(_ number: Int) -> KeyName {
    let name: UTF8Text = "\(prefix)\(client).\(number)"
    return KeyName(bytes: name.bytes)
  }

  // MARK: The client's own entries

  /// How many entries of the client may lie in the store, and how many bytes: little beside the
  /// five million characters of a page's `localStorage`.
  private static let mostEntries = 16
  private static let mostBytes = 16_384

  /// Writes the client's steps in place of its entries with lower numbers. Some of those entries
  /// stay until the journal is tidied: in a page, a removal takes half the time of a write.
  /// - Parameter bytes: Nil if there are none.
  func write(_ bytes: [UInt8]?, as number: Int) {
    if let bytes, !keep(bytes, number) { return }
    let isMuch = lock.withLock {
      if let bytes { entries.append((number, bytes.count)) }
      lastNumber = max(lastNumber, number)
      return entries.count > Self.mostEntries
        || entries.reduce(0) { $0 + $1.size } > Self.mostBytes
    }
    if isMuch { tidy() }
  }

  /// Removes the client's entries before the newest one.
  func tidy() {
    let outdated = lock.withLock {
      let outdated = entries.filter { $0.number < lastNumber }
      entries.removeAll { $0.number < lastNumber }
      return outdated
    }
    for entry in outdated { try? store.discard(name(entry.number)) }
  }

  /// - Returns: Whether the entry is there. If not, its commit is under way all the same.
  private func keep(_ bytes: [UInt8], _ number: Int) -> Bool {
    let slot = store.slot(for: name(number))
    if (try? slot.replace(by: bytes)) != nil { return true }
    // For room.
    tidy()
    removeCopies()
    return (try? slot.replace(by: bytes)) != nil || keepInPlace(bytes, slot, number)
  }

  /// Keeps an entry that has no room beside the one before it: that is removed first, and comes
  /// back if there is no room either.
  private func keepInPlace(_ bytes: [UInt8], _ slot: any StoreSlot, _ number: Int) -> Bool {
    let former = lock.withLock { entries.last { $0.number < number } }
      .map { store.slot(for: name($0.number)) }
    guard let former, let text = try? former.read().bytes, (try? former.replace(by: nil)) != nil
    else { return false }
    if (try? slot.replace(by: bytes)) != nil { return true }
    _ = try? former.replace(by: text)
    return false
  }

  // MARK: Those of others

  /// The steps of other clients, the oldest first.
  func others() -> [JournaledSteps] {
    var others: [JournaledSteps] = []
    for (client, names) in otherClients() {
      guard let steps = newest(of: client, names) else { continue }
      let index = others.firstIndex { $0.order > steps.order } ?? others.count
      others.insert(steps, at: index)
    }
    return others
  }

  /// The clients that have entries, and the names of those, the newest first.
  private func otherClients() -> [(client: UTF8Text, names: [EntryName])] {
    var clients: [(client: UTF8Text, names: [EntryName])] = []
    for key in (try? store.keys()) ?? [] {
      guard let name = EntryName(key, prefix), name.client != client else { continue }
      if let index = clients.firstIndex(where: { $0.client == name.client }) {
        let names = clients[index].names
        let place = names.firstIndex { $0.number < name.number } ?? names.count
        clients[index].names.insert(name, at: place)
      } else {
        clients.append((name.client, [name]))
      }
    }
    return clients
  }

  /// The newest entry that can be read. It contains the uncommitted steps of the entries before it.
  private func newest(of client: UTF8Text, _ names: [EntryName]) -> JournaledSteps? {
    var newest: JournaledSteps?
    for name in names {
      if newest != nil {
        newest?.names.append(name.key)
      } else if let bytes = try? store.slot(for: name.key).read().bytes {
        newest = JournaledSteps(of: client, bytes)
        newest?.isInOlderForm = name.number == 0
        newest?.names = [name.key]
        if newest == nil { reportUnreadable(name.key) }
      }
    }
    return newest
  }

  private func reportUnreadable(_ name: KeyName) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        This program cannot read the journal in the item "\(name)", so its changes are not stored, \
        and the item stays. Open the program that wrote it, or remove the item.
        """))
  }

  /// Forgets the steps of another client that are stored.
  func remove(_ steps: JournaledSteps) {
    for name in steps.names where !steps.isInOlderForm || holds(steps.bytes, name) {
      try? store.discard(name)
    }
  }

  /// Whether an item in the older form, in which a client has only one, is still the same.
  private func holds(_ text: [UInt8], _ name: KeyName) -> Bool {
    guard let bytes = try? store.slot(for: name).read().bytes else { return false }
    return bytes.holdsSame(as: text)
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

/// The name of an item with steps of a client: behind the prefix, the client and a number.
private struct EntryName {
  let key: KeyName
  let client: UTF8Text
  /// 0 in the older form, in which there is none.
  let number: Int

  /// Nil for another item. One with more dots is of another store, whose scope begins as this one.
  init?(_ key: KeyName, _ prefix: UTF8Text) {
    guard key.bytes.starts(with: prefix.bytes) else { return nil }
    let name = key.bytes[prefix.bytes.count...]
    let dot = name.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    var number = 0
    if dot < name.endIndex {
      guard let last = UTF8Text(Array(name[(dot + 1)...])).number, last > 0 else { return nil }
      number = last
    }
    self.key = key
    self.number = number
    client = UTF8Text(Array(name[..<dot]))
  }
}
