import SharingPage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// One value under each kind of key, for tests that drive a browser.
///
/// An event of a value's name adds its text to the value; what is there is shown under that name.
@main
struct KeyProgram: PageApp, CommandApp {
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

  static func prepare() {
    prepareSharing { $0.stores.appName = "keys" }
  }

  func start(on page: Page) {
    page.bind("count") { "\(count)" }
    page.bind("list") { joined(list) }
    page.bind("soon") { UTF8Text(soon) }
    page.bind("draft") { UTF8Text(draft) }
    page.bind("visit") { UTF8Text(visit) }
    page.bind("route") { UTF8Text(route) }
    page.bind("route-problem") { $route.saveError.map { message(of: $0) } ?? "" }
    page.bind("name") { name.map { UTF8Text($0) } ?? "nobody" }
    page.bind("notes") { joined(notes) }
    page.bind("tags") { joined(tags) }
    page.bind("problem") { problem }

    page.on("count") { $count.withLock { $0 += 1 } }
    page.on("list", "TEXT") { text in $list.withLock { $0.append(text.description) } }
    page.on("soon", "TEXT") { text in $soon.withLock { $0 += text.description } }
    page.on("draft", "TEXT") { text in $draft.withLock { $0 += text.description } }
    page.on("visit", "TEXT") { text in $visit.withLock { $0 += text.description } }
    page.on("route", "TEXT") { text in $route.withLock { $0 = text.description } }
    page.on("name", "TEXT") { text in $name.withLock { $0 = text.description } }
    page.on("forget name") { $name.withLock { $0 = nil } }
    page.on("notes", "TEXT") { text in $notes.withLock { $0.append(text.description) } }
    page.on("tags", "TEXT") { text in $tags.withLock { $0.append(text.description) } }
    page.on("tally") { countTally(on: page) }
    page.on("expect tally", "NUMBER") { number in
      @Shared(.indexedDB("tally")) var tally = 0
      if number != "\(tally)" { page.refuse("The tally is \(tally).") }
    }
    page.on("own session") { SharingEnvironment.current.stores.session = MemoryStore() }
    if EngineName.world.isAvailable {
      startReading(on: page)
    }
    page.on("print", "TEXT") { text in print(text) }
    page.on("print a part", "TEXT") { text in print(text, terminator: "") }
    page.on("two types") {
      @Shared(.localStorage("count")) var text = ""
      $text.withLock { $0 += "1" }
    }
    page.on("reset list") { $list.reset() }
    page.on("export") { export(to: page) }
    page.on("import", "DOCUMENT") { document in `import`(document, on: page) }
  }

  /// A number that loses nothing.
  private func countTally(on page: Page) {
    @Shared(.indexedDB("tally")) var tally = 0
    $tally.update { $0 += 1 }
    page.set("tally", "\(tally)")
  }

  /// A count in an engine that others change, and one that the user may not change.
  private func startReading(on page: Page) {
    @SharedReader(.engine("public.count", in: .world)) var read = 0
    page.bind("read") { $read.isLoading ? "loading" : "\(read)" }
    page.bind("read-problem") { $read.loadError.map { message(of: $0) } ?? "" }
    @Shared(.engine("people.ann", in: .world)) var ann = 0
    page.bind("ann-problem") { $ann.saveError.map { message(of: $0) } ?? "" }
    page.on("ann") { $ann.update { $0 += 1 } }
  }

  private func export(to page: Page) {
    let store = SharingEnvironment.current.stores.local
    let keys = try? (store as? BrowserStore)?.keys()
    let document = try? StoreDocument.export((keys ?? []).sorted { $0.precedes($1) }, of: store)
    page.set("document", UTF8Text(document ?? []))
  }

  private func `import`(_ document: UTF8Text, on page: Page) {
    let store = SharingEnvironment.current.stores.local
    do throws(StorageError) {
      try StoreDocument.import(document.bytes, to: store)
    } catch {
      page.set("document", error.text)
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
}
