import SharingCore
import WasiStorage

/// What the page tells of one key: what is stored, how much, who wrote it and when, what went wrong.
final class KeyPanel: @unchecked Sendable {
  /// What the page calls it.
  let name: UTF8Text
  private let key: KeyName
  private let store: WatchedStore
  private let page: Page
  private let status: () -> KeyStatus
  private var token: ObservationToken?
  private var subscription: SharedSubscription?

  init(
    _ name: UTF8Text, _ key: KeyName, in store: WatchedStore, on page: Page,
    _ status: @escaping () -> KeyStatus
  ) {
    self.name = name
    self.key = key
    self.store = store
    self.page = page
    self.status = status
  }

  /// Shows it, now and whenever it changes.
  func show() {
    showText(isNew: false)
    subscription = store.subscribe(to: key) { [self] in showText(isNew: true) }
    token = observe { [self] in showStatus(status()) }
  }

  /// Stores text that does not decode, as another program does it.
  func damage() throws(StorageError) {
    var bytes = try store.bytes(for: key) ?? []
    bytes.append(UInt8(ascii: "{"))
    try store.base.set(bytes, for: key)
  }

  /// Removes what is stored, as another program does it.
  func clear() throws(StorageError) { try store.base.remove(key) }

  private func showText(isNew: Bool) {
    let bytes = (store.isWriting ? store.written : try? store.bytes(for: key)) ?? []
    let plural: StaticString = bytes.count == 1 ? "" : "s"
    let old: StaticString = bytes.isEmpty ? "never" : "before this visit"
    let new: StaticString = store.isWriting ? "this tab" : "another tab"
    show(
      """
      "label":"What is stored under \(name)","text":\(json(UTF8Text(Array(bytes[0..<min(300, bytes.count)])))),\
      "size":"\(bytes.count) byte\(plural)","by":"\(isNew ? new : old)",\
      "written":"\(isNew ? "now" as StaticString : "")"
      """)
  }

  private func showStatus(_ status: KeyStatus) {
    show(
      """
      "loading":"\(status.isLoading ? "yes" as StaticString : "no")",\
      "loadError":\(json(status.loadError)),"saveError":\(json(status.saveError))
      """)
  }

  /// Shows some members of the row, as JSON.
  private func show(_ members: UTF8Text) {
    page.bind("keys", "{\"key\":\"\(name)\",\(members)}")
  }

  private func json(_ error: AnyError?) -> UTF8Text {
    json(error.map { message(of: $0) } ?? "")
  }

  private func json(_ text: UTF8Text) -> UTF8Text {
    var writer = JSONWriter()
    text.encode(into: &writer)
    return UTF8Text(writer.bytes)
  }
}
