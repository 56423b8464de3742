import SharingCore
import SimulatedRevisions
import WasiStorage

/// One tab's access to the store of an origin, with faults.
final class TabStore: SlotlessStore, @unchecked Sendable {
  private let origin: Origin
  private let tab: Int
  private let hub = ChangeHub()
  private let faults: TabFaults
  private var stamps: [KeyName: (bytes: [UInt8]?, number: Int32)] = [:]
  private var lastStamp: Int32 = 0

  init(_ origin: Origin, _ tab: Int, _ faults: TabFaults) {
    self.origin = origin
    self.tab = tab
    self.faults = faults
  }

  func read(_ key: KeyName) throws(StorageError) -> [UInt8]? {
    try faults.check(.read, key)
    return origin.items[key]
  }

  /// Even tabs have stamps, as a browser's page; odd ones have a store without stamps.
  func stamp(of key: KeyName) -> Int32 {
    guard tab.isMultiple(of: 2), (try? faults.check(.read, key)) != nil else { return 0 }
    return stamp(of: key, origin.items[key])
  }

  func replace(_ key: KeyName, by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    try faults.check(bytes == nil ? .read : .write, key) {
      let half = bytes.map { Array($0.prefix($0.count / 2)) + [0] }
      origin.write(half, for: key, by: tab, isTorn: true)
    }
    origin.write(bytes, for: key, by: tab)
    notify(key)
    return tab.isMultiple(of: 2) ? stamp(of: key, bytes) : 0
  }

  private func stamp(of key: KeyName, _ bytes: [UInt8]?) -> Int32 {
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

  /// Notifies the program that an item, or all items if it is nil, may have changed.
  func notify(_ key: KeyName?) {
    hub.notify(key)
  }
}
