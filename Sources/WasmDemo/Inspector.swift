import SharingCore
import WasiStorage

/// What a visitor can see of the stores, and do to them: to find out that nothing is lost.
final class Inspector {
  private let page: Page
  private let panels: [KeyPanel]
  /// Where things are done as another program does them.
  private let store: any KeyValueStore
  private let filler = KeyName(bytes: UTF8Text("filler").bytes)

  init(of panels: [KeyPanel], over store: any KeyValueStore, on page: Page) {
    self.panels = panels
    self.store = store
    self.page = page
  }

  /// Shows it, now and whenever it changes.
  func show() {
    for panel in panels { panel.show() }
  }

  /// What a visitor can do.
  var actions: [Action] {
    [
      one("damage", "Damaged. What was stored is set aside.") { (panel) throws(StorageError) in
        let bytes = try panel.store.bytes(for: panel.key) ?? []
        try panel.store.base.set(bytes + [UInt8(ascii: "{")], for: panel.key)
      },
      one("clear", "Cleared.") { (panel) throws(StorageError) in
        try panel.store.base.remove(panel.key)
      },
      Action("export") { [self] in export() },
      Action("import", 1, "DOCUMENT") { [self] words in
        attempt("Imported.") { () throws(StorageError) in
          try StoreDocument.import(words[0], to: store)
        }
        return nil
      },
      Action("fill") { [self] in fill() },
      Action("free") { [self] in
        attempt("There is room again.") { () throws(StorageError) in try store.remove(filler) }
      },
      Action("clear-all") { [self] in
        attempt("Nothing is stored any more.") { () throws(StorageError) in
          for panel in panels { try panel.store.base.remove(panel.key) }
          try store.remove(filler)
        }
      },
    ]
  }

  /// Shows all that is kept as one document.
  private func export() {
    attempt("Exported.") { () throws(StorageError) in
      page.bind("document", UTF8Text(try StoreDocument.export(exported, of: store)))
    }
  }

  /// The items of the store that the panels tell of, and what was set aside of them.
  private var exported: [KeyName] {
    var keys: [KeyName] = []
    for panel in panels where panel.store.base === store {
      keys += [panel.key, KeyName(bytes: UTF8Text("\(panel.key).corrupt").bytes)]
    }
    return keys
  }

  /// Lets a useless item grow until the store takes no more.
  private func fill() {
    var text: [UInt8] = []
    var size = 1 << 22
    while size > 0, text.count < 1 << 24 {
      let more = text + [UInt8](repeating: UInt8(ascii: "x"), count: size)
      if (try? store.set(more, for: filler)) != nil { text = more } else { size /= 2 }
    }
    page.bind("answer", "The storage is full. Change something and see.")
  }

  /// An action for one key, whose name on the page is the word.
  private func one(
    _ name: StaticString, _ done: StaticString,
    _ run: @escaping (KeyPanel) throws(StorageError) -> Void
  ) -> Action {
    Action(name, 1, "KEY") { [self] words in
      for panel in panels where panel.name.bytes == words[0] {
        attempt(done) { () throws(StorageError) in try run(panel) }
      }
      return nil
    }
  }

  private func attempt(_ done: StaticString, _ run: () throws(StorageError) -> Void) {
    do throws(StorageError) {
      try run()
      page.bind("answer", "\(done)")
    } catch {
      page.bind("answer", error.text)
    }
  }
}
