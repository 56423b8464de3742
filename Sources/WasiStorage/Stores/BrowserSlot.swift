import CHost
import SharingCore

/// The slot of an item of a page's storage.
final class BrowserSlot: StoreSlot, @unchecked Sendable {
  private let key: KeyName
  private let area: Int32
  private let hub: ChangeHub
  /// The page's handle of the item; negative until it is requested.
  private var number: Int32 = -1
  /// The bytes and the stamp of the last read or write.
  private var known: (bytes: [UInt8]?, stamp: Int32) = (nil, 0)

  init(_ key: KeyName, area: Int32, _ hub: ChangeHub) {
    self.key = key
    self.area = area
    self.hub = hub
  }

  func stamp() -> Int32 { max(0, call(sharing_storage_stamp)) }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    let call = BoundaryCall("Reading the page's storage", for: key)
    let stamp = self.call(sharing_storage_stamp)
    try call.check(stamp)
    if stamp != known.stamp {
      known = (try call.bytes { sharing_storage_get(number, $0, $1) }, stamp)
    }
    return known
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    let code = call { sharing_storage_set($0, bytes ?? [], bytes?.byteCount32 ?? -1) }
    try BoundaryCall("Changing the page's storage", for: key).check(code)
    known = (bytes, code)
    hub.notify(key, from: self)
    return code
  }

  /// Removes the item for good, and frees its handle.
  func discard() throws(StorageError) {
    let code = call { sharing_storage_set($0, [], Int32(SHARING_DISCARD)) }
    try BoundaryCall("Changing the page's storage", for: key).check(code)
    number = -1
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    hub.subscribe(to: key, as: self, onChange)
  }

  /// Calls a function of the page with the item's handle.
  /// - Returns: The function's result; a negative code if the item has no handle.
  private func call(_ function: (Int32) -> Int32) -> Int32 {
    if number < 0 { number = sharing_storage_item(area, key.bytes, key.bytes.byteCount32) }
    return number < 0 ? number : function(number)
  }
}
