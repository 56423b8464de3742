/// A program for a page that is also a command, under a WASI runtime and natively, from the same
/// source.
///
/// ```swift
/// @main
/// struct Counter: PageApp, CommandApp {
///   @Shared(.localStorage("count")) var count = 0
///
///   func start(on page: Page) {
///     page.bind("count") { "\(count)" }
///     page.on("increment") { $count.update { $0 += 1 } }
///   }
/// }
/// ```
/// `Counter increment` prints the texts that a page would show: `count: 0`, `count: 1`. As a
/// command, the program keeps its values in files: see ``WasiStorage/DefaultStores``. In
/// WebAssembly, the target of the program also depends on WasmCommand.
public protocol CommandApp: PageApp {
  /// Runs the program on a command line. By default, each word names an action of
  /// ``PageApp/start(on:)``, and the words after it belong to the action: `edit 7RHX "Milk"`. The
  /// actions run in order, up to the first that is refused.
  /// - Returns: The exit status: 0, 1 if an action is refused or a value is not stored, 2 for
  ///   misuse.
  static func command(_ words: [[UInt8]]) -> Int32
}

extension CommandApp {
  /// Runs the program: in a page until the page is closed, elsewhere as a command. The values of
  /// `.localStorage` do not follow other programs while a command runs. A command that runs long
  /// calls `stores.useFiles()` in ``PageApp/prepare()``.
  ///
  /// A command that a signal ends stores pending changes first: see
  /// ``WasiStorage/DefaultStores/flushOnTermination()``.
  public static func main() {
    Page.hasProgram = true
    if Page.isInBrowser { return runInPage() }
    let environment = SharingEnvironment.current
    environment.onIssue = { Page.write($0.text, to: 2) }
    environment.stores.useFiles(following: .never)
    prepare()
    environment.stores.flushOnTermination()
    let status = command(Arguments.all)
    if status != 0 { Page.exit(status) }
  }

  /// Runs the actions that the words name.
  public static func command(_ words: [[UInt8]]) -> Int32 {
    CommandActions.run(words) { Self.start(on: $0) }
  }
}
