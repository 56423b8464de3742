import CHost
import SharingCore

/// A browser tab's `localStorage` or `sessionStorage`, or the part of its address behind `#`,
/// through the functions of the page's shim.
package final class BrowserStore: KeyValueStore {
  /// The tab's `localStorage`, which all tabs of an origin share.
  package static let local = BrowserStore(area: Int32(SHARING_AREA_LOCAL))
  /// The tab's `sessionStorage`.
  static let session = BrowserStore(area: Int32(SHARING_AREA_SESSION))
  /// The part of the page's address behind `#`.
  static let location = BrowserStore(area: Int32(SHARING_AREA_LOCATION))

  /// All areas, indexed by their numbers.
  static var all: [BrowserStore] { [local, session, location] }

  private let area: Int32
  /// The listeners that are notified of another tab's changes.
  let hub = ChangeHub()

  private init(area: Int32) {
    self.area = area
  }

  /// Whether the program runs in a browser with this area, and may use it.
  package var access: Access {
    switch sharing_storage_probe(area) {
    case 0: .noHost
    case 1...: .granted
    default: .denied
    }
  }

  package enum Access { case noHost, granted, denied }

  /// This store if the browser grants access to it, otherwise a new store in memory.
  var orMemory: any KeyValueStore { access == .granted ? self : MemoryStore() }

  /// The slot of an item.
  package func slot(for key: KeyName) -> any StoreSlot { BrowserSlot(key, area: area, hub) }

  /// The names of all items of the area.
  ///
  /// The names are read one by one. If another tab adds or removes items meanwhile, some may be
  /// missed.
  /// - Throws: ``SharingCore/StorageError`` if the page refuses to list them.
  package func keys() throws(StorageError) -> [KeyName] {
    var keys: [KeyName] = []
    while let name = try name(at: keys.count) { keys.append(KeyName(bytes: name)) }
    return keys
  }

  /// Removes an item whose key is never used again. The page frees its handle.
  package func discard(_ key: KeyName) throws(StorageError) {
    try BrowserSlot(key, area: area, hub).discard()
  }

  private func name(at index: Int) throws(StorageError) -> [UInt8]? {
    try BoundaryCall("Listing the page's storage", for: nil).bytes {
      sharing_storage_key(area, Int32(index), $0, $1)
    }
  }
}
