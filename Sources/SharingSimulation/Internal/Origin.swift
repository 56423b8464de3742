import SharingCore
import SimulatedRevisions

/// What the tabs of one origin share: the stored items, the `storage` events under way, and the
/// database of committed values.
///
/// It follows HTML's specification of `localStorage`, but for the order of events. A write that
/// changes nothing makes no event, and the tab that writes gets none. An event names the item that
/// has changed, and the program then reads what is stored by now. HTML delivers all events to one
/// tab in order; here the order is kept for one key, where nobody could see the difference, and
/// events of different keys come in any order.
final class Origin: @unchecked Sendable {
  private(set) var items: [KeyName: [UInt8]] = [:]
  /// The events that have not reached each tab, in the order in which they arose; nil: all items.
  private(set) var events: [Int: [KeyName?]] = [:]
  /// The keys of events that will never reach a tab, until another one of the key does.
  private(set) var missed: [Int: [KeyName?]] = [:]
  /// How often something has been written.
  private(set) var writeCount = 0
  /// What has been written since that was last asked for.
  private var writes: [Write] = []
  /// Texts of torn writes: they must be kept, here or elsewhere.
  var torn: [(key: KeyName, bytes: [UInt8])] = []

  /// A write that has come to the store.
  struct Write {
    let key: KeyName
    /// What was stored; nil when the item was removed.
    let bytes: [UInt8]?
    /// Whether the very same was stored before.
    let isIdle: Bool
    let isTorn: Bool
  }

  let database = SimulatedDatabase()
  let journals = SimulatedJournals()
  /// The tabs that will not hear of something that was committed.
  var missesNotifications: Set<Int> = []

  init(_ items: [KeyName: [UInt8]]) {
    self.items = items
  }

  /// A tab hears of changes from now on.
  func opens(_ tab: Int) {
    events[tab] = []
    missed[tab] = []
    missesNotifications.remove(tab)
  }

  /// A tab hears of nothing more.
  func closes(_ tab: Int) {
    events[tab] = nil
    missed[tab] = nil
  }

  /// Stores or removes an item.
  /// - Parameter tab: Who writes; nil for somebody else than the tabs.
  func write(_ bytes: [UInt8]?, for key: KeyName, by tab: Int?, isTorn: Bool = false) {
    writeCount += 1
    let isIdle = !isTorn && items[key] == bytes
    writes.append(Write(key: key, bytes: bytes, isIdle: isIdle, isTorn: isTorn))
    if isTorn, let bytes { torn.append((key, bytes)) }
    guard !isIdle else { return }
    items[key] = bytes
    tell(key, except: tab)
  }

  /// Stores what was there before, without a word to anybody.
  func restore(_ items: [KeyName: [UInt8]]) {
    self.items = items
  }

  /// Removes everything, by nobody of the tabs.
  func clear() {
    database.store.clear()
    journals.clear()
    guard !items.isEmpty else { return }
    items = [:]
    torn = []
    tell(nil, except: nil)
  }

  /// Takes away an event that has not reached a tab.
  /// - Returns: Whether there was one.
  func take(_ key: KeyName?, for tab: Int, isMissed: Bool = false) -> Bool {
    guard let index = events[tab]?.firstIndex(of: key) else { return false }
    events[tab]?.remove(at: index)
    missed[tab]?.removeAll { $0 == key || key == nil }
    if isMissed { missed[tab]?.append(key) }
    return true
  }

  /// An event that has not reached its tab, the oldest of the first tab that has one.
  var nextEvent: (tab: Int, key: KeyName?)? {
    let tab = events.keys.sorted().first { events[$0]?.isEmpty == false }
    return tab.flatMap { tab in events[tab]?.first.map { (tab, $0) } }
  }

  /// What has been written since this was last called.
  func takeWrites() -> [Write] {
    defer { writes = [] }
    return writes
  }

  private func tell(_ key: KeyName?, except writer: Int?) {
    for tab in events.keys where tab != writer { events[tab]?.append(key) }
  }
}
