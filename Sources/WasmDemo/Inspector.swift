import SharingPage

/// A visitor's view of the stores, with actions to check that no change is lost.
final class Inspector {
  private let page: Page
  private let local: WriteTrackingStore
  private let location: WriteTrackingStore
  private var panels: [KeyPanel] = []
  private let filler = KeyName("filler")
  /// The store of the todos and the count; writing to it acts as another program.
  private let store: any KeyValueStore

  /// Watches the environment's stores from now on.
  init(on page: Page) {
    self.page = page
    let stores = SharingEnvironment.current.stores
    store = stores.local
    local = WriteTrackingStore(over: store)
    location = WriteTrackingStore(over: stores.location)
    stores.local = local
    stores.location = location
  }

  /// Shows the stores, and lets a visitor act as another program in them.
  func start(_ counter: Counter, _ todos: TodoList) {
    panels = [
      KeyPanel("todos-sharing", KeyName("todos-sharing"), in: local, on: page) { todos.status },
      KeyPanel("count", KeyName("count"), in: local, on: page) { ValueStatus(counter.$count) },
      KeyPanel("# in the address", KeyName(""), in: location, on: page) { todos.routeStatus },
    ]
    for panel in panels { panel.show() }
    on("damage", "Damaged. See the message on the page.") {
      [self] (key) throws(StorageError) in try panel(key)?.corrupt()
    }
    on("clear", "Cleared.") { [self] (key) throws(StorageError) in try panel(key)?.clear() }
    on("export", "Exported.") { [self] (_) throws(StorageError) in try export() }
    on("import", "Imported.") { [store] (document) throws(StorageError) in
      try StoreDocument.import(document.bytes, to: store)
    }
    on("fill", "The storage is full. Change something and see.") { [self] _ in fill() }
    on("free", "There is room again.") { [self] (_) throws(StorageError) in
      try store.remove(filler)
    }
    on("clear-copies", "No copy is left.") { [self] (_) throws(StorageError) in try clearCopies() }
    on("clear-all", "Nothing is stored any more.") { [self] (_) throws(StorageError) in
      try clearCopies()
      for panel in panels { try panel.clear() }
      try store.remove(filler)
    }
  }

  /// Adds an action of the visitor, and the text that the page shows afterwards.
  private func on(
    _ name: StaticString, _ answer: StaticString,
    _ run: @escaping (_ word: UTF8Text) throws(StorageError) -> Void
  ) {
    page.on(name, "KEY") { [page] word in
      do throws(StorageError) {
        try run(word)
        page.set("answer", "\(answer)")
      } catch {
        page.set("answer", error.text)
      }
    }
  }

  private func panel(_ name: UTF8Text) -> KeyPanel? {
    panels.first { $0.name == name }
  }

  private func export() throws(StorageError) {
    var keys = copies
    for panel in panels { keys.append(KeyName(bytes: panel.name.bytes)) }
    page.set("document", UTF8Text(try StoreDocument.export(keys, of: store)))
  }

  private func clearCopies() throws(StorageError) {
    for key in copies { try store.remove(key) }
  }

  /// The possible keys of copies of damaged and replaced values, at most ten of each. Listing all
  /// keys of the store, also those of other programs, would add 2 kB (gzip).
  private var copies: [KeyName] {
    var keys: [KeyName] = []
    for panel in panels {
      var suffix: UTF8Text = ""
      for number in 2...11 {
        keys.append(KeyName(bytes: ("\(panel.name).corrupt\(suffix)" as UTF8Text).bytes))
        keys.append(KeyName(bytes: ("\(panel.name).replaced\(suffix)" as UTF8Text).bytes))
        suffix = ".\(number)"
      }
    }
    return keys
  }

  /// Fills the store with a useless item.
  private func fill() {
    var (size, more) = (0, 1 << 22)
    while more > 0, size < 1 << 24 {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: size + more)
      if (try? store.set(text, for: filler)) != nil { size += more } else { more /= 2 }
    }
  }
}
