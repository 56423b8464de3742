import CHost
import SharingCore
import WasiStorage

/// One value under each kind of key, for tests that drive a browser.
///
/// An event of a value's name adds its text to the value; what is there is shown under that name.
final class Values {
  @Shared(.localStorage("count")) var count = 0
  @Shared(.localStorage("list")) var list: [String] = []
  @Shared(.localStorage("soon", saving: .debounced(milliseconds: 20))) var soon = ""
  @Shared(.localStorage("draft", saving: .debounced(milliseconds: 3_600_000))) var draft = ""
  @Shared(.sessionStorage("visit")) var visit = ""
  @Shared(.locationHash) var route = "home"
  @Shared(.appStorage("name")) var name: String?
  @Shared(.fileStorage("notes.json")) var notes: [String] = []
  @Shared(
    .localStorage(
      "tags", version: 2, migrations: [StorageMigration(from: 1) { (old: String) in [old] }]))
  var tags: [String] = []
  private var tokens: [ObservationToken] = []

  /// Shows everything, now and whenever it changes.
  func show() {
    tokens = [
      observe { [self] in bind("count", "\(count)") },
      observe { [self] in bind("list", joined(list)) },
      observe { [self] in bind("soon", UTF8Text(soon)) },
      observe { [self] in bind("draft", UTF8Text(draft)) },
      observe { [self] in bind("visit", UTF8Text(visit)) },
      observe { [self] in bind("route", UTF8Text(route)) },
      observe { [self] in bind("name", name.map { UTF8Text($0) } ?? "nobody") },
      observe { [self] in bind("notes", joined(notes)) },
      observe { [self] in bind("tags", joined(tags)) },
      observe { [self] in bind("problem", problem) },
    ]
  }

  /// Does what an event says.
  func perform(_ event: UTF8Text, _ text: String) {
    let actions: [(name: UTF8Text, run: () -> Void)] = [
      ("count", { self.$count.withLock { $0 += 1 } }),
      ("list", { self.$list.withLock { $0.append(text) } }),
      ("soon", { self.$soon.withLock { $0 += text } }),
      ("draft", { self.$draft.withLock { $0 += text } }),
      ("visit", { self.$visit.withLock { $0 += text } }),
      ("route", { self.$route.withLock { $0 = text } }),
      ("name", { self.$name.withLock { $0 = text } }),
      ("forget name", { self.$name.withLock { $0 = nil } }),
      ("notes", { self.$notes.withLock { $0.append(text) } }),
      ("tags", { self.$tags.withLock { $0.append(text) } }),
      ("reset list", { self.$list.reset() }),
      ("export", { self.export() }),
      ("import", { self.import(text) }),
    ]
    actions.first { $0.name == event }?.run()
  }

  private func export() {
    let document = try? StoreDocument.export(SharingEnvironment.current.stores.local)
    bind("document", UTF8Text(document ?? []))
  }

  private func `import`(_ text: String) {
    let store = SharingEnvironment.current.stores.local
    do throws(StorageError) {
      try StoreDocument.import(UTF8Text(text).bytes, to: store)
    } catch {
      bind("document", error.text)
    }
  }

  /// What is wrong with any of the values.
  private var problem: UTF8Text {
    let errors = [
      $count.saveError, $count.loadError, $list.saveError, $list.loadError, $draft.saveError,
      $draft.loadError, $tags.saveError, $tags.loadError,
    ]
    guard let error = errors.compactMap({ $0 }).first else { return "" }
    return StorageError.from(error, otherwise: .other).text
  }

  private func joined(_ texts: [String]) -> UTF8Text {
    var joined: UTF8Text = ""
    for text in texts { joined += joined.isEmpty ? UTF8Text(text) : ", \(UTF8Text(text))" }
    return joined
  }

  private func bind(_ name: StaticString, _ text: UTF8Text) {
    let text = text.bytes
    _ = sharing_page_set(name.utf8Start, Int32(name.utf8CodeUnitCount), text, Int32(text.count))
  }
}
