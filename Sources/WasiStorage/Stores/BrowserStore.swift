import CHost
import SharingCore

/// A browser tab's `localStorage` or `sessionStorage`, or what stands behind `#` in its address,
/// through the functions that the page's shim provides.
public final class BrowserStore: KeyValueStore {
  /// The tab's `localStorage`: all tabs of an origin share it.
  static let local = BrowserStore(area: Int32(SHARING_AREA_LOCAL))
  /// The tab's `sessionStorage`.
  static let session = BrowserStore(area: Int32(SHARING_AREA_SESSION))
  /// What stands behind `#` in the page's address.
  static let location = BrowserStore(area: Int32(SHARING_AREA_LOCATION))

  /// All areas, at the places of their numbers.
  static var all: [BrowserStore] { [local, session, location] }

  private let area: Int32
  /// Whom the page tells of what another tab has changed.
  let hub = ChangeHub()

  private init(area: Int32) {
    self.area = area
  }

  /// Whether there is a browser with this area that lets the program use it.
  var access: Access {
    switch sharing_storage_probe(area) {
    case 0: .noHost
    case 1...: .granted
    default: .denied
    }
  }

  enum Access { case noHost, granted, denied }

  /// This store where the browser grants it, or else one in memory.
  var orMemory: any KeyValueStore { access == .granted ? self : MemoryStore() }

  /// The slot of an item, which the page finds by a number, and can compare faster than hand over.
  public func slot(for key: KeyName) -> any StoreSlot { BrowserSlot(key, area: area, hub) }

  /// The names of all items of the area.
  ///
  /// They are asked for one by one: of what another tab adds or removes meanwhile some may be
  /// missed.
  /// - Throws: ``SharingCore/StorageError`` when the page refuses to tell.
  public func keys() throws(StorageError) -> [KeyName] {
    var keys: [KeyName] = []
    while let name = try name(at: keys.count) { keys.append(KeyName(bytes: name)) }
    return keys
  }

  /// Removes an item whose key is never used again: the page forgets its number for it.
  package func discard(_ key: KeyName) throws(StorageError) {
    try BrowserSlot(key, area: area, hub).discard()
  }

  private func name(at index: Int) throws(StorageError) -> [UInt8]? {
    try BoundaryCall("listing the page's storage", for: nil).bytes {
      sharing_storage_key(area, Int32(index), $0, $1)
    }
  }
}
