import SharingCore
import WasiStorage

/// What a visitor can see of the stores, and do to them: to find out that nothing is lost.
final class Inspector {
  private let page: Page
  private let local: WatchedStore
  private let location: WatchedStore
  private var panels: [KeyPanel] = []
  private let filler = KeyName("filler")

  /// Watches the environment's stores from now on.
  init(on page: Page) {
    self.page = page
    let stores = SharingEnvironment.current.stores
    local = WatchedStore(over: stores.local)
    location = WatchedStore(over: stores.location)
    stores.local = local
    stores.location = location
  }

  /// Shows it, now and whenever it changes.
  func show(_ counter: Counter, _ todos: TodoList) {
    panels = [
      KeyPanel("todos-sharing", KeyName("todos-sharing"), in: local, on: page) { todos.status },
      KeyPanel("count", KeyName("count"), in: local, on: page) { counter.status },
      KeyPanel("# in the address", KeyName(""), in: location, on: page) { todos.routeStatus },
    ]
    for panel in panels { panel.show() }
  }

  /// What a visitor can do.
  var actions: [Action] {
    [
      Action("damage KEY") { [self] key, _ in answer(.damage, key) },
      Action("clear KEY") { [self] key, _ in answer(.clear, key) },
      Action("export") { [self] in _ = answer(.export) },
      Action("import DOCUMENT") { [self] document, _ in answer(.import, document) },
      Action("fill") { [self] in _ = answer(.fill) },
      Action("free") { [self] in _ = answer(.free) },
      Action("clear-copies") { [self] in _ = answer(.clearCopies) },
      Action("clear-all") { [self] in _ = answer(.clearAll) },
    ]
  }

  private enum Deed {
    case damage, clear, export, `import`, fill, free, clearCopies, clearAll
  }

  /// Does something and says so.
  private func answer(_ deed: Deed, _ words: [UInt8] = []) -> UTF8Text? {
    do throws(StorageError) {
      page.bind("answer", "\(try done(deed, words))")
    } catch {
      page.bind("answer", error.text)
    }
    return nil
  }

  /// Does something as another program does it: in the stores themselves.
  private func done(_ deed: Deed, _ words: [UInt8]) throws(StorageError) -> StaticString {
    let store = local.base
    switch deed {
    case .damage:
      for panel in panels where panel.name.bytes == words { try panel.damage() }
      return "Damaged. The page says what has become of it."
    case .clear:
      for panel in panels where panel.name.bytes == words { try panel.clear() }
      return "Cleared."
    case .export:
      var keys = copies()
      for panel in panels { keys.append(KeyName(bytes: panel.name.bytes)) }
      page.bind("document", UTF8Text(try StoreDocument.export(keys, of: store)))
      return "Exported."
    case .import:
      try StoreDocument.import(words, to: store)
      return "Imported."
    case .fill:
      fill(store)
      return "The storage is full. Change something and see."
    case .free:
      try store.remove(filler)
      return "There is room again."
    case .clearCopies:
      for key in copies() { try store.remove(key) }
      return "No copy is left."
    case .clearAll:
      _ = try done(.clearCopies, words)
      for panel in panels { try panel.clear() }
      try store.remove(filler)
      return "Nothing is stored any more."
    }
  }

  /// Where there may be copies of what was damaged, at most ten of a key, or replaced. Listing all that
  /// the store has, which may be another program's, would be 2 kB (gzip) more.
  private func copies() -> [KeyName] {
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

  /// Lets a useless item grow until the store takes no more.
  private func fill(_ store: any KeyValueStore) {
    var (size, more) = (0, 1 << 22)
    while more > 0, size < 1 << 24 {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: size + more)
      if (try? store.set(text, for: filler)) != nil { size += more } else { more /= 2 }
    }
  }
}
