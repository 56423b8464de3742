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
  /// Why the action that is being done is not; nil while none is.
  private var refusals: [UTF8Text]?
  private var kept: (() -> Void)?
  /// Adds what is wrong with the values of `bindErrors(of:)`.
  var collectErrors: (inout ErrorSummary) -> Void = { _ in }
  /// What is wrong with these values.
  private var problem: UTF8Text = ""
  /// What else was warned of.
  private var warning: UTF8Text = ""
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
    if !isTerminal {
      send(name, text.bytes)
    } else if !text.isEmpty {
      writeLine("\(name): \(text)", to: 1)
    }
  }

  /// Shows a `String`, a number, or anything that describes itself under a name. In WebAssembly, a
  /// ``SharingCore/UTF8Text`` is smaller.
  ///
  /// ```swift
  /// page.set("name", user.name)
  /// ```
  @_disfavoredOverload
  public func set(_ name: StaticString, _ value: some CustomStringConvertible) {
    set(name, UTF8Text(value.description))
  }

  /// Shows under a name whether something is so: as "true", or as an empty text. A terminal does
  /// not.
  public func set(_ name: StaticString, _ isSo: Bool) {
    if !isTerminal { send(name, (isSo ? "true" : "" as UTF8Text).bytes) }
  }

  /// Shows what is wrong, under the name "storage-error", behind the errors of
  /// `bindErrors(of:)`, or on standard error. An empty text removes the last warning.
  public func warn(_ message: UTF8Text) {
    warning = message
    showProblems(message)
  }

  /// Shows what is wrong with values, and what was warned of.
  func show(problem: UTF8Text) {
    if problem == self.problem { return }
    self.problem = problem
    showProblems(problem)
  }

  /// - Parameter new: The part that has changed.
  private func showProblems(_ new: UTF8Text) {
    if isTerminal {
      if !new.isEmpty { writeLine(new, to: 2) }
      return
    }
    var text = problem
    if warning != problem, !warning.isEmpty { text += text.isEmpty ? warning : " \(warning)" }
    // A page may still have the former name only.
    if send("storage-error", text.bytes) == 0 { send("notice", text.bytes) }
  }

  /// Refuses what a person has asked for: the page shows the reason under "refused" until the next
  /// action, a command ends with it, and ``perform(_:with:)`` throws it.
  ///
  /// ```swift
  /// page.on("remove", "ID") { id in
  ///   guard let id = Int(fieldText: id) else { return page.refuse("There is no habit \(id).") }
  ///   $habits.remove(id: id)
  /// }
  /// ```
  /// It does not end the action: return after it. Outside of an action, the page shows the reason
  /// at once.
  /// - Parameter reason: A sentence for the person.
  public func refuse(_ reason: UTF8Text) {
    if refusals != nil {
      refusals?.append(reason)
    } else if isTerminal {
      writeLine(reason, to: 2)
    } else {
      show(refusal: reason)
    }
  }

  /// Refuses what a person has asked for, with a `String`.
  @_disfavoredOverload
  public func refuse(_ reason: String) {
    refuse(UTF8Text(reason))
  }

  /// Does an action, in one turn.
  /// - Throws: The reason why it was refused.
  func perform(
    _ action: () throws(ActionError) -> Void
  ) throws(ActionError) {
    let outer = refusals
    refusals = []
    defer { refusals = outer }
    try batch { () throws(ActionError) in try action() }
    if let reason = refusals?.last { throw ActionError(reason) }
  }

  /// Shows why what a person has asked for was not done, until the next time; also the same reason
  /// again, which JavaScript/page.js has removed before.
  func show(refusal reason: UTF8Text) {
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
  /// - Returns: In how many places it shows.
  @discardableResult
  func send(_ name: StaticString, _ text: [UInt8]) -> Int32 {
    switch output {
    case .browser:
      return sharing_page_set(
        name.utf8Start, Int32(name.utf8CodeUnitCount), text, Int32(text.count))
    case .recorder(let record): record(name, text)
    case .terminal, .rehearsal: break
    }
    return 1
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
