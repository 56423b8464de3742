extension Page {
  /// Runs a closure when a person asks for an action: in a page with `data-click="increment"` (also
  /// `-dblclick`, `-input`, `-change`, `-enter`, `-escape`, `-focusout`), on a command line with
  /// the word `increment`. Its changes are one turn.
  ///
  /// ```swift
  /// page.on("increment") { $count.withLock { $0 += 1 } }
  /// ```
  public func on(_ name: StaticString, _ run: @escaping () throws(ActionError) -> Void) {
    add(Action(name, "", count: 0) { (_, _) throws(ActionError) in try run() })
  }

  /// Runs a closure with a text: in a page the key of the row, or the text of the field, on a
  /// command line the next word.
  ///
  /// ```swift
  /// page.on("add", "TITLE") { title in $todos.append(Todo(title: title)) }
  /// ```
  /// - Parameters:
  ///   - name: The name.
  ///   - word: The meaning of the text, for the message to a person who leaves it out.
  ///   - run: Runs the action, or refuses it: `page.refuse("…")`.
  public func on(
    _ name: StaticString, _ word: StaticString,
    _ run: @escaping (UTF8Text) throws(ActionError) -> Void
  ) {
    add(Action(name, " \(word)", count: 1) { (text, _) throws(ActionError) in try run(text) })
  }

  /// Runs a closure with two texts: in a page the key of the row and the text of its field, on a
  /// command line the next two words.
  ///
  /// ```swift
  /// page.on("edit", "ID", "TITLE") { id, title in … }
  /// ```
  /// Write the closure at the call. In WebAssembly, a closure from a variable that throws nothing
  /// stopped the program when it was called (Swift 6.3.1).
  public func on(
    _ name: StaticString, _ word: StaticString, _ rest: StaticString,
    _ run: @escaping (UTF8Text, UTF8Text) throws(ActionError) -> Void
  ) {
    add(Action(name, " \(word) \(rest)", count: 2, run))
  }

  /// Runs an action in one turn, as the browser and the command line do.
  ///
  /// ```swift
  /// try page.perform("edit", with: "3 Buy milk")
  /// ```
  /// - Parameters:
  ///   - name: The name of an action. An unknown one does nothing: an issue lists the actions of
  ///     the page, or, in a browser, an error in the console.
  ///   - text: The words that follow, with a space between them.
  /// - Throws: ``ActionError`` if the action is refused.
  public func perform(_ name: UTF8Text, with text: UTF8Text = "") throws(ActionError) {
    guard let action = action(named: name) else { return reportUnknownAction(name) }
    try perform { () throws(ActionError) in try action.run(with: text) }
  }

  /// Reports an action that the program does not have. In a browser, page.js reports it, unless the
  /// action may belong to another program of the page.
  private func reportUnknownAction(_ name: UTF8Text) {
    let message: UTF8Text = "There is no action \"\(name)\". There are: \(usage)."
    if case .browser = output {
      send("unknown-action", message.bytes)
    } else {
      SharingEnvironment.current.onIssue(SharingIssue(message))
    }
  }

  /// The actions with their words, as in `add TITLE, edit ID TITLE`.
  var usage: UTF8Text {
    var usage: UTF8Text = ""
    for action in actions {
      if !usage.isEmpty { usage += ", " }
      usage += action.usage
    }
    return usage
  }

  /// Returns the action of that name; nil if there is none.
  func action(named name: UTF8Text) -> Action? {
    actions.first { $0.name == name }
  }
}
