import SharingCore
import SimulatedRevisions
import WasiStorage

/// One tab's access to the store of an origin, with faults.
final class TabStore: SlotlessStore, @unchecked Sendable {
  private let origin: Origin
  private let tab: Int
  private let hub = ChangeHub()
  private let faults: TabFaults
  /// The bytes of each item that the tab has last read or written.
  private var known: [KeyName: [UInt8]?] = [:]
  /// The value of `known` before the current turn.
  private var knownBefore: [KeyName: [UInt8]?] = [:]
  private var stamps: [KeyName: (bytes: [UInt8]?, number: Int32)] = [:]
  private var lastStamp: Int32 = 0

  init(_ origin: Origin, _ tab: Int, _ faults: TabFaults) {
    self.origin = origin
    self.tab = tab
    self.faults = faults
  }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    try fail(key, nil)
    known[key] = .some(origin.items[key])
    return origin.items[key]
  }

  /// Even tabs have stamps, as a browser's page; odd ones have a store without stamps.
  func stamp(of key: KeyName) -> Int32 {
    guard tab.isMultiple(of: 2), (try? fail(key, nil)) != nil else { return 0 }
    return stamp(of: key, origin.items[key])
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try fail(key, bytes)
    known[key] = .some(bytes)
    origin.write(bytes, for: key, by: tab)
    notify(key)
    return tab.isMultiple(of: 2) ? stamp(of: key, bytes) : 0
  }

  private func stamp(of key: KeyName, _ bytes: [UInt8]?) -> Int32 {
    known[key] = .some(bytes)
    if let stamp = stamps[key], stamp.bytes == bytes { return stamp.number }
    lastStamp += 1
    stamps[key] = (bytes, lastStamp)
    return lastStamp
  }

  func follow(
    _ key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange)
  }

  /// Begins a turn.
  func turnBegins() {
    knownBefore = known
  }

  /// Whether the stored bytes of an item differ from those that the tab knew before this turn.
  func isUnseen(_ key: KeyName) -> Bool {
    knownBefore[key] != .some(origin.items[key])
  }

  /// Notifies the program that an item, or all items if it is nil, may have changed.
  func notify(_ key: KeyName?) {
    hub.notify(key)
  }

  /// - Parameter new: The text to write; nil for a call that writes no text.
  private func fail(_ key: KeyName?, _ new: [UInt8]?) throws(StorageError) {
    switch faults.next(new == nil ? .read : .write) {
    case .quotaExceeded: throw .full(key)
    case .denied: throw .refused(key)
    case .torn: tear(key, new)
    default: break
    }
    if faults.isDead { throw .gone(key) }
  }

  private func tear(_ key: KeyName?, _ new: [UInt8]?) {
    faults.die()
    guard let key, let new else { return }
    origin.write(new.prefix(new.count / 2) + [0], for: key, by: tab, isTorn: true)
  }
}
