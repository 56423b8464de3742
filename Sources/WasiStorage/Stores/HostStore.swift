import CHost
import SharingCore

/// A browser tab's `localStorage` or `sessionStorage`, or what stands behind `#` in its address,
/// through the functions that the page's shim provides.
public final class HostStore: KeyValueStore {
  /// The tab's `localStorage`: all tabs of an origin share it.
  static let local = HostStore(area: Int32(SHARING_AREA_LOCAL))
  /// The tab's `sessionStorage`.
  static let session = HostStore(area: Int32(SHARING_AREA_SESSION))
  /// What stands behind `#` in the page's address.
  static let location = HostStore(area: Int32(SHARING_AREA_LOCATION))

  private let area: Int32
  private let hub = ChangeHub()

  private init(area: Int32) {
    self.area = area
  }

  /// Whether there is a host with this area that lets the program use it.
  var access: Access {
    switch sharing_storage_probe(area) {
    case 0: .noHost
    case 1...: .granted
    default: .denied
    }
  }

  enum Access { case noHost, granted, denied }

  /// The item's text in UTF-8.
  public func bytes(for key: KeyName) throws(StorageError) -> [UInt8]? {
    try item(for: key).read().bytes
  }

  /// Stores an item's text.
  public func set(_ bytes: [UInt8], for key: KeyName) throws(StorageError) {
    _ = try item(for: key).replace(by: bytes)
  }

  /// Removes an item.
  public func remove(_ key: KeyName) throws(StorageError) {
    _ = try item(for: key).replace(by: nil)
  }

  /// An item that the page finds by a number, and can compare faster than hand over.
  public func item(for key: KeyName) -> any StoreItem { HostItem(key, area: area, hub) }

  /// Follows an item's changes, in other tabs and through this store.
  public func subscribe(
    to key: KeyName, _ onChange: @escaping @Sendable () -> Void
  ) -> SharedSubscription {
    hub.subscribe(to: key, onChange)
  }

  /// The page tells that a key, or everything when it is nil, has changed in another tab.
  func changed(_ key: KeyName?) {
    hub.notify(key)
  }

  /// The store of an area's number; nil for a number that has none.
  static func store(area: Int32) -> HostStore? {
    switch area {
    case local.area: local
    case session.area: session
    case location.area: location
    default: nil
    }
  }
}

extension HostStore: ListableStore {
  /// The names of all items of the area, in the order of their bytes.
  ///
  /// They are asked for one by one: of what another tab adds or removes meanwhile some may be
  /// missed.
  public func keys() throws(StorageError) -> [KeyName] {
    var keys: [KeyName] = []
    while let name = try name(at: keys.count) { keys.append(KeyName(bytes: name)) }
    return keys.sorted()
  }

  private func name(at index: Int) throws(StorageError) -> [UInt8]? {
    try HostCall("listing the page's storage", for: nil).bytes {
      sharing_storage_key(area, Int32(index), $0, $1)
    }
  }
}
