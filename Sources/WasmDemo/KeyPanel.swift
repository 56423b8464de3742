import SharingPage

/// The panel for one key: its stored value, size, writer and time, and errors.
final class KeyPanel: @unchecked Sendable {
  /// The panel's name in the page.
  let name: UTF8Text
  private let key: KeyName
  private let store: WriteTrackingStore
  private let page: Page
  private let status: () -> ValueStatus
  private var token: ObservationToken?
  private var subscription: SharedSubscription?

  init(
    _ name: UTF8Text, _ key: KeyName, in store: WriteTrackingStore, on page: Page,
    _ status: @escaping () -> ValueStatus
  ) {
    self.name = name
    self.key = key
    self.store = store
    self.page = page
    self.status = status
  }

  /// Shows the panel, now and whenever it changes.
  func show() {
    showText(isNew: false)
    subscription = store.subscribe(to: key) { [self] in showText(isNew: true) }
    token = observe { [self] in showStatus(status()) }
  }

  /// Stores text that does not decode, as another program does.
  func corrupt() throws(StorageError) {
    var bytes = try store.bytes(for: key) ?? []
    bytes.append(UInt8(ascii: "{"))
    try store.base.set(bytes, for: key)
  }

  /// Removes the stored value, as another program does.
  func clear() throws(StorageError) { try store.base.remove(key) }

  private func showText(isNew: Bool) {
    let bytes = (store.isWriting ? store.written : try? store.bytes(for: key)) ?? []
    var row = StoredRow()
    row.key = name
    row.label = "What is stored under \(name)"
    row.text = UTF8Text(Array(bytes.prefix(300)))
    row.size = bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    if isNew {
      row.by = store.isWriting ? "this tab" : "another tab"
      row.written = true
    } else {
      row.by = bytes.isEmpty ? "never" : "before this visit"
    }
    page.set("keys", row)
  }

  private func showStatus(_ status: ValueStatus) {
    var row = StatusRow()
    row.key = name
    row.loading = status.isLoading ? "yes" : "no"
    row.loadError = status.loadError.map { message(of: $0) } ?? ""
    row.saveError = status.saveError.map { message(of: $0) } ?? ""
    page.set("keys", row)
  }
}

/// The stored value in the panel's row.
@Stored private struct StoredRow {
  var key: UTF8Text = ""
  var label: UTF8Text = ""
  var text: UTF8Text = ""
  var size: UTF8Text = ""
  var by: UTF8Text = ""
  var written = false
}

/// The status in the panel's row.
@Stored private struct StatusRow {
  var key: UTF8Text = ""
  var loading: UTF8Text = ""
  var loadError: UTF8Text = ""
  var saveError: UTF8Text = ""
}
