import CHost
import SharingCore

/// A store whose keys can be listed.
package protocol ListedStore: KeyValueStore {
  /// The keys of all items.
  func keys() throws(StorageError) -> [KeyName]

  /// The milliseconds since 1970, for all programs that share the store.
  var time: Int64 { get }
}

extension ListedStore {
  package var time: Int64 { sharing_time_now() }
}

extension MemoryStore: ListedStore {}
extension BrowserStore: ListedStore {}

/// What survives the end of a tab, in a store that can be written at once: the steps that are shown
/// and not committed yet, by client, and copies of what is stored, for the first paint.
///
/// A page's storage cannot remove an item only if it is still what was read. So a client writes one
/// item for half a minute, and then goes on in another one. Whoever has stored what it holds marks
/// it, and it is removed when its time is over:
///
/// ```
/// sharing.journal.CLIENT+58800123     the steps, and the half minutes since 1970
/// sharing.journal.CLIENT+58800123=    a mark: the number of the last one that others have stored
/// ```
final class Journal: @unchecked Sendable {
  private let store: any ListedStore
  private let client: UTF8Text
  private var slot: any StoreSlot
  private var period = 0
  private let prefix: UTF8Text
  private let copyPrefix: UTF8Text
  /// Whether others have items that are to be removed when their time is over.
  private(set) var mustTidy = false

  /// How long a client writes one item, in milliseconds.
  static let periodLength = 30_000

  /// - Parameter scope: What the names have in them that are of one store among several.
  init(in store: any ListedStore, _ scope: UTF8Text, of client: UTF8Text) {
    self.store = store
    self.client = client
    prefix = "sharing.journal\(scope)."
    copyPrefix = "sharing.copy\(scope)."
    slot = store.slot(for: KeyName(bytes: prefix.bytes + client.bytes))
  }

  /// Keeps the client's steps, or forgets them where there are none.
  func write(_ steps: JournaledSteps) {
    if steps.isEmpty { return _ = try? slot.replace(by: nil) }
    let now = currentPeriod
    if now <= period { return _ = keep(steps, in: slot) }
    let name: UTF8Text = "\(prefix)\(client)+\(now)"
    let next = store.slot(for: KeyName(bytes: name.bytes))
    guard keep(steps, in: next) else { return }
    _ = try? slot.replace(by: nil)
    (slot, period) = (next, now)
  }

  /// Where it cannot be kept, the commit is still under way.
  private func keep(_ steps: JournaledSteps, in slot: any StoreSlot) -> Bool {
    let bytes = steps.bytes
    if (try? slot.replace(by: bytes)) != nil { return true }
    removeCopies()  // for room
    return (try? slot.replace(by: bytes)) != nil
  }

  private var currentPeriod: Int { Int(store.time / Int64(Self.periodLength)) }

  // MARK: Other clients

  /// The steps of other clients that are not marked, the oldest first. Removes what is.
  func others() -> [JournaledSteps] {
    var others: [JournaledSteps] = []
    mustTidy = false
    for name in (try? store.keys()) ?? [] {
      guard name.bytes.starts(with: prefix.bytes) else { continue }
      let rest = Array(name.bytes[prefix.bytes.count...])
      let end = rest.firstIndex(of: UInt8(ascii: "+")) ?? rest.count
      let client = UTF8Text(Array(rest[..<end]))
      // With a dot, it is of another store, whose scope begins as this one.
      guard client != self.client, !rest.contains(UInt8(ascii: ".")),
        let bytes = bytesOf(name)
      else { continue }
      if rest.last == UInt8(ascii: "=") {
        let marked = KeyName(bytes: Array(name.bytes.dropLast()))
        if bytesOf(marked) == nil { set(nil, name) }
      } else if let steps = JournaledSteps(of: client, bytes) {
        steps.name = name
        steps.period = UTF8Text(Array(rest.dropFirst(end + 1))).number ?? 0
        let marked = lastMarked(steps)
        if marked == steps.last {
          remove(steps)
          continue
        }
        if marked > 0 { set(nil, mark(steps)) }  // there are others by now
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

  /// Forgets the steps of another client that are stored: at once where it cannot write that item
  /// any more, unless it has written others there.
  func remove(_ steps: JournaledSteps) {
    // A writer may have been held up between its look at the clock and the storage.
    guard steps.period + 1 < currentPeriod else {
      mustTidy = true
      if lastMarked(steps) < steps.last { set(UTF8Text("\(steps.last)").bytes, mark(steps)) }
      return
    }
    if let bytes = bytesOf(steps.name), bytes.holdsSame(as: steps.bytes) { set(nil, steps.name) }
    set(nil, mark(steps))
  }

  private func lastMarked(_ steps: JournaledSteps) -> Int {
    bytesOf(mark(steps)).flatMap { UTF8Text($0).number } ?? 0
  }

  private func mark(_ steps: JournaledSteps) -> KeyName {
    KeyName(bytes: steps.name.bytes + [UInt8(ascii: "=")])
  }

  private func bytesOf(_ name: KeyName) -> [UInt8]? { (try? store.slot(for: name).read())?.bytes }

  private func set(_ bytes: [UInt8]?, _ name: KeyName) {
    _ = try? store.slot(for: name).replace(by: bytes)
  }

  // MARK: Copies

  /// The text of a value as it was stored when this browser has heard of it last, empty where it
  /// was removed; nil where nothing is known.
  func copy(of key: KeyName) -> [UInt8]? {
    bytesOf(copyName(key))
  }

  private func removeCopies() {
    for name in (try? store.keys()) ?? [] where name.bytes.starts(with: copyPrefix.bytes) {
      set(nil, name)
    }
  }

  func keepCopy(_ stored: StoredRevision) {
    let text = stored.bytes ?? []
    if LastKnown(copy(of: stored.key)) != LastKnown(text) { set(text, copyName(stored.key)) }
  }

  private func copyName(_ key: KeyName) -> KeyName {
    KeyName(bytes: copyPrefix.bytes + key.bytes)
  }
}
