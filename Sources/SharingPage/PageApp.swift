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
///     page.on("increment") { $count.update { $0 += 1 } }  // <button data-click="increment">
///     page.bindErrors(of: $count)  // <p role="alert" data-text="storage-error">
///   }
/// }
/// ```
/// A ``CommandApp`` is also a command, from the same source.
public protocol PageApp {
  /// Sets up the environment, before ``init()`` makes the first wrapper. By default, does nothing.
  ///
  /// ```swift
  /// static func prepare() {
  ///   prepareSharing { $0.stores.appName = "my-app" }
  /// }
  /// ```
  /// A `PageRecorder` does not call it: a test sets up an environment of its own.
  static func prepare()

  /// Creates the program, before it shows anything.
  init()

  /// Binds the program's state and actions to the page.
  func start(on page: Page)
}

extension PageApp {
  /// Runs the program in a page, until the page is closed. Elsewhere, writes a message to standard
  /// error and ends the program with status 2.
  public static func main() {
    Page.hasProgram = true
    if Page.isInBrowser { return runInPage() }
    Page.write(
      """
      This program is for a page. To run it as a command, too, declare its app as \
      'struct App: PageApp, CommandApp'.
      """, to: 2)
    Page.exit(2)
  }

  /// Leaves the environment as it is.
  public static func prepare() {}

  static func runInPage() {
    prepare()
    start(on: .browser)
  }

  static func start(on page: Page) {
    let app = Self()
    page.keep(app: app)
    batch { app.start(on: page) }
  }
}
