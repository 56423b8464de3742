import SharingPage

/// The entry of this browser, which all of its tabs write.
final class OwnEntry {
  private let key = Shared(value: KeyName(""))
  private var entry: Shared<Visitor?>?
  /// The visitor of this page; nil before arriving and after leaving.
  private var visitor: Visitor?
  private var observer: ObservationToken?

  /// Whether the entry has this key.
  func isKey(_ key: KeyName) -> Bool { self.key.wrappedValue == key }

  func stay(_ id: UTF8Text, as visitor: Visitor) {
    self.visitor = visitor
    let entry = entry ?? follow(id)
    entry.update { $0 = visitor }
  }

  func leave() {
    visitor = nil
    entry?.update { $0 = nil }
  }

  private func follow(_ id: UTF8Text) -> Shared<Visitor?> {
    let entry = Shared<Visitor?>(wrappedValue: nil, .engine("presence.\(id)", in: .world))
    self.entry = entry
    key.withLock { $0 = KeyName(bytes: id.bytes) }
    observer = observe { [self] in
      // Another tab of this browser has removed the entry, and this tab is still open.
      if entry.wrappedValue == nil, let visitor { entry.update { $0 = visitor } }
    }
    return entry
  }
}
