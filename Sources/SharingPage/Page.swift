import CHost

/// Shows the state of a program, and receives the actions of people: the page in a browser, lines
/// of text in a command, or a `PageRecorder` in tests.
///
/// In a page, the HTML binds names: `<output data-text="count">` shows the text set under "count".
/// JavaScript/page.d.ts lists all bindings; JavaScript/sharing.d.ts shows how to pass an object of
/// your own to `start`.
public final class Page {
  /// Where the state is shown.
  package enum Output {
    case browser
    case terminal
    case recorder((_ name: StaticString, _ text: [UInt8]) -> Void)
  }

  /// Whether the program runs in a browser.
  nonisolated(unsafe) public internal(set) static var isInBrowser = false
  /// Whether `main` has started a program; without `@main`, Swift adds a `main` that does nothing.
  nonisolated(unsafe) package static var hasProgram = false
  /// The page in the browser.
  nonisolated(unsafe) static let browser = Page(to: .browser)

  let output: Output
  /// The actions that people can ask for.
  private(set) var actions: [Action] = []
  private var tokens: [ObservationToken] = []
  private var isRefused = false
  /// The refusals of the action that is running; nil if none is.
  private var refusals: [UTF8Text]?
  private var kept: (() -> Void)?
  /// Functions that add the errors of the values of `bindErrors(of:)`.
  var errorSources: [(inout ErrorSummary) -> Void] = []
  /// The text of these errors.
  private var problem: UTF8Text = ""
  private var details: UTF8Text = ""
  /// The text that another release is open.
  private var isOutdated = false
  /// Whether the page shows that a change is refused.
  private var isUnsaved = false
  /// The text of the last warning.
  private var warning: UTF8Text = ""
  var errorToken: ObservationToken?
  /// Whether all output to the terminal was written; a closed pipe or a full disk prevents it.
  private(set) var isComplete = true

  package init(to output: Output) {
    self.output = output
  }

  /// Whether the output is lines of text. A text that a page shows in many places is printed once.
  public var isTerminal: Bool {
    if case .terminal = output { true } else { false }
  }

  /// Shows a text under a name: where the page binds it, or as a line `name: text`.
  public func set(_ name: StaticString, _ text: UTF8Text) {
    if !isTerminal {
      send(name, text.bytes)
    } else if !text.isEmpty {
      writeLine("\(name): \(text)", to: 1)
    }
  }

  /// Shows a `String`, a number, or another value with a description under a name. In WebAssembly,
  /// a ``SharingCore/UTF8Text`` is smaller.
  ///
  /// ```swift
  /// page.set("name", user.name)
  /// ```
  @_disfavoredOverload
  public func set(_ name: StaticString, _ value: some CustomStringConvertible) {
    set(name, UTF8Text(value.description))
  }

  /// Shows a condition under a name: as "true", or as an empty text. A terminal does not show it.
  public func set(_ name: StaticString, _ isSo: Bool) {
    if !isTerminal { send(name, (isSo ? "true" : "" as UTF8Text).bytes) }
  }

  /// Shows a warning under the name "storage-error", after the errors of `bindErrors(of:)`, or on
  /// standard error. An empty text removes the last warning.
  package func warn(_ message: UTF8Text) {
    warning = message
    showProblems(message)
  }

  /// Shows the errors of values, and the last warning. The developer gets the details.
  func show(problem: UTF8Text, details: UTF8Text) {
    let isNew = details != self.details
    if problem == self.problem, !isNew { return }
    (self.problem, self.details) = (problem, details)
    if isNew, !isTerminal { send("storage-details", details.bytes) }
    showProblems(details.isEmpty ? problem : isNew ? details : "")
  }

  /// Shows that another release has stored a value that this one cannot read, and lets the browser
  /// ask before the page is left while a change is refused.
  func show(isOutdated: Bool, isUnsaved: Bool) {
    if isTerminal { return }
    if isOutdated != self.isOutdated {
      self.isOutdated = isOutdated
      set("outdated", isOutdated)
    }
    if isUnsaved != self.isUnsaved {
      self.isUnsaved = isUnsaved
      set("unsaved", isUnsaved)
    }
  }

  /// - Parameter new: The part that has changed.
  private func showProblems(_ new: UTF8Text) {
    if isTerminal {
      if !new.isEmpty { writeLine(new, to: 2) }
      return
    }
    var text = problem
    if warning != problem, !warning.isEmpty { text += text.isEmpty ? warning : " \(warning)" }
    send("storage-error", text.bytes)
  }

  /// Refuses the action of a person: the page shows the reason under "refused" until the next
  /// action, a command ends with it, and ``perform(_:with:)`` throws it.
  ///
  /// ```swift
  /// page.on("remove", "ID") { id in
  ///   guard let id = UniqueID(id) else { return page.refuse("There is no habit \(id).") }
  ///   $habits.remove(id: id)
  /// }
  /// ```
  /// `refuse` does not end the action: return after it. Outside of an action, the page shows the
  /// reason at once. In a form, it can name the field to mend:
  ///
  /// ```swift
  /// page.refuse("Enter a whole number above 0.", field: "minutes")
  /// // <input name="minutes"> <span data-error="minutes"></span>
  /// ```
  /// - Parameters:
  ///   - reason: A sentence for the person.
  ///   - field: The name of the form's field to mend. Its `data-error="FIELD"` shows the reason,
  ///     and the field is invalid until it changes.
  public func refuse(_ reason: UTF8Text, field: StaticString? = nil) {
    if let field, !isTerminal { set("refused-field", "\(field)") }
    if refusals != nil {
      refusals?.append(reason)
    } else if isTerminal {
      writeLine(reason, to: 2)
    } else {
      show(refusal: reason)
    }
  }

  /// Refuses the action of a person, with a `String`.
  @_disfavoredOverload
  public func refuse(_ reason: String, field: StaticString? = nil) {
    refuse(UTF8Text(reason), field: field)
  }

  /// Runs an action in one turn.
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

  /// Shows the reason of a refusal until the next action. Shows an equal reason again, since
  /// JavaScript/page.js has removed it before.
  func show(refusal reason: UTF8Text) {
    if !reason.isEmpty || isRefused { set("refused", reason) }
    isRefused = !reason.isEmpty
  }

  /// Adds an action: `data-click="NAME"` in the page, `NAME` on a command line.
  func add(_ action: Action) {
    if self.action(named: action.name) != nil {
      SharingEnvironment.current.onIssue(
        SharingIssue(
          """
          Two actions are called "\(action.name)": only the first one runs. Give each action and \
          each field of bind(_:to:) a name of its own.
          """))
    }
    actions.append(action)
  }

  /// Keeps the program until the page ends.
  func keep(app value: some Any) {
    kept = { withExtendedLifetime(value) {} }
  }

  /// Keeps an observation until the page ends.
  ///
  /// ```swift
  /// page.keep($count.publisher.sink { … })
  /// ```
  public func keep(_ token: ObservationToken) {
    tokens.append(token)
  }

  /// Ends all observations, and releases the program, whose closures may hold the page.
  package func stop() {
    tokens = []
    errorToken = nil
    errorSources = []
    actions = []
    kept = nil
  }

  /// Sends bytes to the elements of the page that bind a name.
  func send(_ name: StaticString, _ text: [UInt8]) {
    switch output {
    case .browser:
      _ = sharing_page_set(name.utf8Start, Int32(name.utf8CodeUnitCount), text, Int32(text.count))
    case .recorder(let record): record(name, text)
    case .terminal: break
    }
  }

  private func writeLine(_ line: UTF8Text, to stream: Int32) {
    if !Page.write(line, to: stream) { isComplete = false }
  }

  /// Writes a line to standard output (1) or standard error (2).
  /// - Returns: Whether the line was written.
  @discardableResult
  static func write(_ line: UTF8Text, to stream: Int32) -> Bool {
    let line = ("\(line)\n" as UTF8Text).bytes
    return sharing_stream_write(stream, line, Int32(line.count)) >= 0
  }

  /// Ends the program.
  static func exit(_ status: Int32) -> Never { sharing_exit(status) }
}
