@_exported import SharingCore
@_exported import WasiStorage

/// A program that shows shared state in a page, and does what people ask for there.
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
/// The same program is a command where there is no page, under a WASI runtime and natively:
/// `Counter increment` prints what a page would show.
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

  /// The program, before it shows anything.
  init()

  /// Tells the page what the program shows, and what people can do. A command calls it twice: first
  /// over a copy of what is stored, to find out whether all that is asked for can be done.
  func start(on page: Page)

  /// The program on a command line. By default each word names one of the actions that
  /// ``start(on:)`` has given the page, and the words behind it are the action's: `edit 3 "Milk"`.
  /// - Returns: The exit status: 0, 1 for what cannot be done or stored, 2 for misuse.
  static func command(_ words: [[UInt8]]) -> Int32
}

extension PageApp {
  /// Runs the program: in a page until that is closed, elsewhere as a command.
  public static func main() {
    Page.hasProgram = true
    prepare()
    if Page.isInBrowser { return start(on: .browser) }
    let status = command(Arguments.all)
    if status != 0 { Page.exit(status) }
  }

  /// Leaves the environment as it is.
  public static func prepare() {}

  /// Does what the words name.
  public static func command(_ words: [[UInt8]]) -> Int32 {
    Command.run(words) { Self.start(on: $0) }
  }

  private static func start(on page: Page) {
    let app = Self()
    page.keep(app: app)
    batch { app.start(on: page) }
  }
}
