@_exported import SharingCommits
@_exported import SharingCore
@_exported import WasiStorage

/// A program that shows shared state in a page, and runs the actions that people ask for there.
///
/// ```swift
/// @main
/// struct Counter: PageApp {
///   @Shared(.localStorage("count")) var count = 0
///
///   func start(on page: Page) {
///     page.bind("count") { "\(count)" }  // <output data-text="count">
///     page.on("increment") { $count.withLock { $0 += 1 } }  // <button data-click="increment">
///     page.bindErrors(of: $count)  // <p role="alert" data-text="storage-error">
///   }
/// }
/// ```
/// Without a page, under a WASI runtime and natively, the same program is a command: `Counter
/// increment` prints the texts that a page would show.
public protocol PageApp {
  /// Sets up the environment, before ``init()`` makes the first wrapper. By default, does nothing.
  ///
  /// ```swift
  /// static func prepare() {
  ///   prepareSharing { $0.stores.appName = "my-app" }
  /// }
  /// ```
  /// A ``PageRecorder`` does not call it: a test sets up an environment of its own.
  static func prepare()

  /// Creates the program, before it shows anything.
  init()

  /// Binds the program's state and actions to the page.
  func start(on page: Page)

  /// Runs the program on a command line. By default, each word names an action of ``start(on:)``,
  /// and the words after it belong to the action: `edit 3 "Milk"`. The actions run in order, up to
  /// the first that is refused.
  /// - Returns: The exit status: 0, 1 if an action is refused or a value is not stored, 2 for
  ///   misuse.
  static func command(_ words: [[UInt8]]) -> Int32
}

extension PageApp {
  /// Runs the program: in a page until the page is closed, elsewhere as a command.
  public static func main() {
    Page.hasProgram = true
    if !Page.isInBrowser { SharingEnvironment.current.onIssue = { Page.write($0.text, to: 2) } }
    prepare()
    if Page.isInBrowser { return start(on: .browser) }
    let status = command(Arguments.all)
    if status != 0 { Page.exit(status) }
  }

  /// Leaves the environment as it is.
  public static func prepare() {}

  /// Runs the actions that the words name.
  public static func command(_ words: [[UInt8]]) -> Int32 {
    Command.run(words) { Self.start(on: $0) }
  }

  private static func start(on page: Page) {
    let app = Self()
    page.keep(app: app)
    batch { app.start(on: page) }
  }
}
