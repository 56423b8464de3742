import SharingCore
import WasiStorage

/// What the page tells of one key: what is stored, how much, who wrote it and when, what went wrong.
final class KeyPanel: @unchecked Sendable {
  /// What the page calls it.
  let name: UTF8Text
  let key: KeyName
  let store: WatchedStore
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
    showText(by: "before this visit", isNew: false)
    subscription = store.subscribe(to: key) { [self] in
      showText(by: store.isWriting ? "this tab" : "another tab", isNew: true)
    }
    token = observe { [self] in
      let status = status()
      var row = JSONRow(name)
      row.add("loading", status.isLoading ? "yes" : "no")
      row.add("loadError", text(of: status.loadError))
      row.add("saveError", text(of: status.saveError))
      page.bind("keys", row.text)
    }
  }

  private func showText(by writer: StaticString, isNew: Bool) {
    let bytes = (store.isWriting ? store.written : try? store.bytes(for: key)) ?? []
    var row = JSONRow(name)
    row.add("label", "What is stored under \(name)")
    row.add("text", UTF8Text(Array(bytes.prefix(300))))
    row.add("more", bytes.count > 300 ? "…" : "")
    row.add("size", bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes")
    row.add("by", bytes.isEmpty && !isNew ? "never" : "\(writer)")
    row.add("written", isNew ? "now" : "")
    page.bind("keys", row.text)
  }

  private func text(of error: AnyError?) -> UTF8Text {
    error.map { message(of: $0) } ?? ""
  }
}
