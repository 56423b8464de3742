import CHost

/// What a program shows its state on, and what tells it what people do: the page in a browser,
/// lines of text elsewhere, or a ``PageRecorder`` in tests.
///
/// In a page the HTML says where a name shows: `<output data-text="count">` is the text that was
/// set under "count". JavaScript/page.d.ts has all it can say; JavaScript/sharing.d.ts shows how to
/// hand `start` an object of your own.
public final class Page {
  /// Where it shows.
  enum Output {
    case browser
    case terminal
    /// Nowhere: what is asked for is tried.
    case rehearsal
    case recorder((_ name: StaticString, _ text: [UInt8]) -> Void)
  }

  /// Whether the program runs in a browser.
  nonisolated(unsafe) public internal(set) static var isInBrowser = false
  /// Whether `main` has begun a program: without `@main`, Swift makes one that does nothing.
  nonisolated(unsafe) package static var hasProgram = false
  /// The page in the browser.
  nonisolated(unsafe) static let browser = Page(to: .browser)

  let output: Output
  /// What a person can do.
  private(set) var actions: [Action] = []
  private var tokens: [ObservationToken] = []
  private var isRefused = false
  private var kept: (() -> Void)?
  /// Adds what is wrong with the values of ``bindErrors(of:)``.
  var collectErrors: (inout ErrorSummary) -> Void = { _ in }
  var warning: UTF8Text = ""
  var errorToken: ObservationToken?
  /// Whether all that a terminal should show was written: nobody may read it, or the disk be full.
  private(set) var isComplete = true

  init(to output: Output) {
    self.output = output
  }

  /// Whether it is lines of text: what a page shows in many places is said once there.
  public var isTerminal: Bool {
    if case .terminal = output { true } else { false }
  }

  /// Whether it is anything at all that shows.
  var isShown: Bool {
    if case .rehearsal = output { false } else { true }
  }

  /// Shows a text under a name: where the page binds it, or as a line `name: text`.
  public func set(_ name: StaticString, _ text: UTF8Text) {
    if !isTerminal { return send(name, text.bytes) }
    if !text.isEmpty { writeLine("\(name): \(text)", to: 1) }
  }

  /// Shows under a name whether something is so: as "true", or as an empty text. A terminal does
  /// not.
  public func set(_ name: StaticString, _ isSo: Bool) {
    if !isTerminal { send(name, (isSo ? "true" : "" as UTF8Text).bytes) }
  }

  /// Shows what is wrong, under the name "notice" or on standard error; an empty text says that
  /// nothing is.
  public func warn(_ message: UTF8Text) {
    if !isTerminal { return send("notice", message.bytes) }
    if !message.isEmpty { writeLine(message, to: 2) }
  }

  /// Shows why what a person has asked for was not done, until the next time; also the same reason
  /// again, which JavaScript/page.js has removed before.
  func refuse(_ reason: UTF8Text) {
    if !reason.isEmpty || isRefused { set("refused", reason) }
    isRefused = !reason.isEmpty
  }

  /// Lets a person do something: `data-click="NAME"` in the page, `NAME` on a command line.
  func add(_ action: Action) {
    actions.append(action)
  }

  /// Keeps the program as long as the page is there.
  func keep(app value: some Any) {
    kept = { withExtendedLifetime(value) {} }
  }

  /// Keeps an observation going as long as the page is there.
  ///
  /// ```swift
  /// page.keep($count.publisher.sink { … })
  /// ```
  public func keep(_ token: ObservationToken) {
    tokens.append(token)
  }

  /// Ends all observations, and releases the program, whose closures may hold the page.
  func stop() {
    tokens = []
    errorToken = nil
    collectErrors = { _ in }
    actions = []
    kept = nil
  }

  /// Hands the page what belongs where it binds a name.
  func send(_ name: StaticString, _ text: [UInt8]) {
    switch output {
    case .browser:
      _ = sharing_page_set(name.utf8Start, Int32(name.utf8CodeUnitCount), text, Int32(text.count))
    case .recorder(let record): record(name, text)
    case .terminal, .rehearsal: break
    }
  }

  private func writeLine(_ line: UTF8Text, to stream: Int32) {
    if !Page.write(line, to: stream) { isComplete = false }
  }

  /// Writes a line to standard output (1) or standard error (2).
  /// - Returns: Whether that was possible.
  @discardableResult
  static func write(_ line: UTF8Text, to stream: Int32) -> Bool {
    let line = ("\(line)\n" as UTF8Text).bytes
    return sharing_stream_write(stream, line, Int32(line.count)) >= 0
  }

  /// Ends the program.
  static func exit(_ status: Int32) -> Never { sharing_exit(status) }
}
