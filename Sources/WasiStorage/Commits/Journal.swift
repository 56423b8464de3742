import SharingCore

/// A store whose keys can be listed.
package protocol ListedStore: KeyValueStore {
  /// The keys of all items.
  func keys() throws(StorageError) -> [KeyName]
}

extension MemoryStore: ListedStore {}
extension BrowserStore: ListedStore {}

/// What survives the end of a tab, in a store that can be written at once: the steps that are shown
/// and not committed yet, by client, and copies of what is stored, for the first paint.
final class Journal: @unchecked Sendable {
  private let store: any ListedStore
  private let client: UTF8Text
  private let slot: any StoreSlot
  private let prefix: UTF8Text
  private let copyPrefix: UTF8Text

  /// - Parameters:
  ///   - scope: The part of the names that is of one store among several.
  ///   - appName: The name of the app, or an empty text.
  init(in store: any ListedStore, _ scope: UTF8Text, of client: UTF8Text, _ appName: UTF8Text) {
    self.store = store
    self.client = client
    // With a slash, so that no name begins as one of an app without a name.
    let place: UTF8Text = appName.isEmpty ? "sharing" : "sharing/\(appName)"
    prefix = "\(place).journal\(scope)."
    copyPrefix = "\(place).copy\(scope)."
    slot = store.slot(for: KeyName(bytes: prefix.bytes + client.bytes))
  }

  private func name(_ client: UTF8Text) -> KeyName {
    KeyName(bytes: prefix.bytes + client.bytes)
  }

  /// Keeps the client's steps, or forgets them where there are none.
  func write(_ bytes: [UInt8]?) {
    if (try? slot.replace(by: bytes)) != nil { return }
    removeCopies()  // for room
    // Where it cannot be kept all the same, the commit is still under way.
    _ = try? slot.replace(by: bytes)
  }

  /// The steps of other clients, the oldest first.
  func others() -> [JournaledSteps] {
    var others: [JournaledSteps] = []
    for name in (try? store.keys()) ?? [] {
      guard name.bytes.starts(with: prefix.bytes), name != self.name(client) else { continue }
      let client = UTF8Text(Array(name.bytes[prefix.bytes.count...]))
      // With a dot, it is of another store, whose scope begins as this one.
      guard !client.bytes.contains(UInt8(ascii: ".")),
        let bytes = try? store.slot(for: name).read().bytes
      else { continue }
      if let steps = JournaledSteps(of: client, bytes) {
        let index = others.firstIndex { $0.order > steps.order } ?? others.count
        others.insert(steps, at: index)
      } else {
        reportUnreadable(name)
      }
    }
    return others
  }

  private func reportUnreadable(_ name: KeyName) {
    SharingEnvironment.current.onIssue(
      SharingIssue(
        """
        The item "\(name)" is no journal that this program can read, so what it may hold is not \
        stored, and the item stays. Open the program that wrote it, or remove the item.
        """))
  }

  /// Forgets the steps of another client, unless it has written others meanwhile.
  func remove(_ steps: JournaledSteps) {
    let slot = store.slot(for: name(steps.client))
    if let bytes = try? slot.read().bytes, bytes.holdsSame(as: steps.bytes) {
      _ = try? slot.replace(by: nil)
    }
  }

  // MARK: Copies

  /// The text of a value as it was stored when this browser has heard of it last, empty where it
  /// was removed; nil where nothing is known.
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
    if LastKnown(known) != LastKnown(text) { _ = try? slot.replace(by: text) }
  }

  private func copySlot(_ key: KeyName) -> any StoreSlot {
    store.slot(for: KeyName(bytes: copyPrefix.bytes + key.bytes))
  }
}
