import SharingPage

extension EngineName {
  fileprivate static let world: EngineName = "world"
}

/// A program whose environment has stores and a receiver of issues of its own, for tests that run
/// it as a command. Each store is a folder below the current one.
@main
struct PreparedProgram: PageApp, CommandApp {
  @Shared(.localStorage("value")) var local = 0
  @Shared(.appStorage("value", store: FileStore(folder: "app"))) var app = 0
  @Shared(.sessionStorage("value")) var session = 0
  @Shared(.fileStorage("value")) var file = 0
  @Shared(.indexedDB("value")) var committed = 0
  @Shared(.engine("value", in: .world)) var engine = 0
  @Shared(.revisions("value", in: FolderRevisionStore(folder: "own"))) var own = 0
  @Shared(.localStorage("draft", saving: .debounced(milliseconds: 3_600_000))) var draft = 0

  /// Keys that are made once, by the first wrapper.
  static let key: LocalStorageKey<Int> = .localStorage("static")
  static let committedKey: RevisionKey<Int> = .indexedDB("static")

  static func prepare() {
    prepareSharing {
      $0.stores.local = FileStore(folder: "local")
      $0.stores.session = FileStore(folder: "session")
      $0.stores.files = FileStore(folder: "files")
      $0.stores.revisions = FolderRevisionStore(folder: "revisions")
      $0.engines.use(for: .world) { _ in FolderRevisionStore(folder: "world") }
      $0.onIssue = { print("issue: \($0.message)") }
    }
  }

  func start(on page: Page) {
    let values = [$local, $app, $session, $file, $committed, $engine, $own]
    page.on("count") {
      for value in values { value.update { $0 += 1 } }
    }
    page.on("expect", "NUMBERS") { expected in
      let numbers = values.map { "\($0.wrappedValue)" }.joined(separator: " ")
      if UTF8Text(numbers) != expected { page.refuse("The values are \(numbers).") }
    }
    page.on("draft") { $draft.withLock { $0 += 1 } }
    page.on("count static") {
      @Shared(Self.key) var number = 0
      @Shared(Self.committedKey) var committed = 0
      $number.update { $0 += 1 }
      $committed.update { $0 += 1 }
      page.set("committed", "\(committed)")
    }
    page.on("misuse") { SharingEnvironment.current.stores.local = MemoryStore() }
    page.on("engine") { if !EngineName.world.isAvailable { page.refuse("There is no engine.") } }
    page.bindErrors(of: $draft)
  }
}
