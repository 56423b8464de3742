import CHost
import SharingCore

/// An item of a page's storage.
final class HostItem: StoreItem, @unchecked Sendable {
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

  func stamp() -> Int32 { max(0, look()) }

  func read() throws(StorageError) -> (bytes: [UInt8]?, stamp: Int32) {
    let call = HostCall("reading the page's storage", for: key)
    let stamp = look()
    try call.check(stamp)
    return (try call.bytes { sharing_storage_get(number, $0, $1) }, stamp)
  }

  func replace(by bytes: [UInt8]?) throws(StorageError) -> Int32 {
    let code = ask { sharing_storage_set($0, bytes ?? [], bytes?.hostCount ?? -1) }
    try HostCall("changing the page's storage", for: key).check(code)
    hub.notify(key, from: self)
    return code
  }

  func subscribe(_ onChange: @escaping @Sendable () -> Void) -> SharedSubscription {
    hub.subscribe(to: key, as: self, onChange)
  }

  /// The stamp, or a negative code.
  private func look() -> Int32 { ask(sharing_storage_stamp) }

  /// What the page answers when it is given its number for the item; a negative code when it has none.
  private func ask(_ call: (Int32) -> Int32) -> Int32 {
    if number < 0 { number = sharing_storage_item(area, key.bytes, key.bytes.hostCount) }
    return number < 0 ? number : call(number)
  }
}
