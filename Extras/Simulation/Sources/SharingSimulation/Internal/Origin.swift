import SharingCore
import SimulatedRevisions
import WasiStorage

/// The shared state of the tabs of one origin: the stored items, the `storage` events under way,
/// and the database of committed values.
///
/// It follows HTML's specification of `localStorage`, except for the order of events. A write that
/// changes nothing makes no event, and the writing tab gets none. An event names the changed item,
/// and the program then reads the newest text. HTML delivers all events to one tab in order; here
/// only the events of one key are in order, and events of different keys arrive in any order.
final class Origin: @unchecked Sendable {
  var items: [KeyName: [UInt8]]
  /// The waiting events of each tab, in the order of their writes; a nil key stands for all items.
  private(set) var events: [Int: [KeyName?]] = [:]
  /// The tabs of which an event or a notification was lost.
  var missed: Set<Int> = []
  /// The number of writes.
  private(set) var writeCount = 0
  /// The writes since the last call of `takeWrites()`.
  private var writes: [Write] = []
  /// The number of ids that tabs have made.
  private var idCount: Int64 = 0

  let database = SimulatedDatabase()
  let journals = SimulatedJournals()

  /// A write that has arrived at the store.
  struct Write {
    let key: KeyName
    /// The stored bytes; nil for a removed item.
    let bytes: [UInt8]?
    /// Whether the same bytes were stored before.
    let isIdle: Bool
    let isTorn: Bool
  }

  init(_ items: [KeyName: [UInt8]]) {
    self.items = items
  }

  /// Starts the delivery of events to a tab.
  func opens(_ tab: Int) {
    events[tab] = []
    missed.remove(tab)
  }

  /// Ends the delivery of events to a tab.
  func closes(_ tab: Int) {
    events[tab] = nil
  }

  /// Returns the time of the next id: a millisecond after that of the one before it.
  func timeOfID() -> Timestamp {
    idCount += 1
    return Timestamp(millisecondsSince1970: idCount)
  }

  /// Stores or removes an item.
  /// - Parameter tab: The writing tab; nil for another program.
  func write(_ bytes: [UInt8]?, for key: KeyName, by tab: Int?, isTorn: Bool = false) {
    writeCount += 1
    let isIdle = !isTorn && items[key] == bytes
    writes.append(Write(key: key, bytes: bytes, isIdle: isIdle, isTorn: isTorn))
    guard !isIdle else { return }
    items[key] = bytes
    sendEvent(of: key, except: tab)
  }

  /// Removes all items, as another program does.
  func clear() {
    database.store.clear()
    journals.clear()
    guard !items.isEmpty else { return }
    items = [:]
    sendEvent(of: nil, except: nil)
  }

  /// Removes a waiting event of a tab.
  /// - Returns: Whether there was one.
  func take(_ key: KeyName?, for tab: Int) -> Bool {
    guard let index = events[tab]?.firstIndex(of: key) else { return false }
    events[tab]?.remove(at: index)
    return true
  }

  /// The oldest waiting event of the first tab that has one.
  var nextEvent: (tab: Int, key: KeyName?)? {
    let tab = events.keys.sorted().first { events[$0]?.isEmpty == false }
    return tab.flatMap { tab in events[tab]?.first.map { (tab, $0) } }
  }

  /// Returns the writes since the last call.
  func takeWrites() -> [Write] {
    defer { writes = [] }
    return writes
  }

  private func sendEvent(of key: KeyName?, except writer: Int?) {
    for tab in events.keys where tab != writer { events[tab]?.append(key) }
  }
}
