import CHost
import SharingCore

/// The slot of an item of a page's storage.
final class BrowserSlot: StoreSlot, @unchecked Sendable {
  private let key: KeyName
  private let area: Int32
  private let hub: ChangeHub
  /// The page's number for the item; negative until it has been asked for.
  private var number: Int32 = -1

  init(_ key: KeyName, area: Int32, _ hub: ChangeHub) {
    self.key = key
    self.area = area
    self.hub = hub
  }

  func stamp() -> Int32 { max(0, call(sharing_storage_stamp)) }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    let call = BoundaryCall("reading the page's storage", for: key)
    let stamp = self.call(sharing_storage_stamp)
    try call.check(stamp)
    return (try call.bytes { sharing_storage_get(number, $0, $1) }, stamp)
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    let code = call { sharing_storage_set($0, bytes ?? [], bytes?.byteCount32 ?? -1) }
    try BoundaryCall("changing the page's storage", for: key).check(code)
    hub.notify(key, from: self)
    return code
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    hub.subscribe(to: key, as: self, onChange)
  }

  /// Calls a function of the page that takes its number for the item.
  /// - Returns: What that returns; a negative code when the item has no number.
  private func call(_ function: (Int32) -> Int32) -> Int32 {
    if number < 0 { number = sharing_storage_item(area, key.bytes, key.bytes.byteCount32) }
    return number < 0 ? number : function(number)
  }
}
