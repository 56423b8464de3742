extension Page {
  /// Runs a closure when a person asks for an action: in a page with `data-click="increment"` (also
  /// `-dblclick`, `-input`, `-change`, `-enter`, `-escape`, `-focusout`), on a command line with
  /// the word `increment`. Its changes are one turn.
  ///
  /// ```swift
  /// page.on("increment") { $count.withLock { $0 += 1 } }
  /// ```
  public func on(_ name: StaticString, _ run: @escaping () throws(ActionError) -> Void) {
    add(Action(name, []) { _ throws(ActionError) in try run() })
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
    add(Action(name, [word]) { texts throws(ActionError) in try run(texts[0]) })
  }

  /// Runs a closure with two texts: in a page the key of the row and the text of its field, or two
  /// fields of a form; on a command line the next two words.
  ///
  /// ```swift
  /// page.on("edit", "ID", "TITLE") { id, title in … }
  /// page.on("add", "TITLE", "AMOUNT") { title, amount in … }
  /// // <form data-submit="add"><input name="title"><input name="amount"></form>
  /// ```
  /// Write the closure at the call. In WebAssembly, a closure from a variable that throws nothing
  /// stopped the program when it was called (Swift 6.3.1).
  public func on(
    _ name: StaticString, _ word: StaticString, _ rest: StaticString,
    _ run: @escaping (UTF8Text, UTF8Text) throws(ActionError) -> Void
  ) {
    add(Action(name, [word, rest]) { texts throws(ActionError) in try run(texts[0], texts[1]) })
  }

  /// Runs a closure with the texts of any number of words.
  ///
  /// ```swift
  /// page.on("add", words: ["TITLE", "AMOUNT", "DAY"]) { texts in … }  // texts[2] is the day
  /// ```
  /// - Parameters:
  ///   - name: The name.
  ///   - words: The meanings of the texts. A form has a field of each name.
  ///   - run: Runs the action with a text for each word, or refuses it.
  public func on(
    _ name: StaticString, words: [StaticString],
    _ run: @escaping ([UTF8Text]) throws(ActionError) -> Void
  ) {
    add(Action(name, words, run))
  }

  /// Runs an action in one turn, as the browser and the command line do.
  ///
  /// ```swift
  /// try page.perform("edit", with: "3 Buy milk")
  /// ```
  /// - Parameters:
  ///   - name: The name of an action. An unknown one does nothing: an issue lists the actions of
  ///     the page, or, in a browser, an error in the console.
  ///   - text: The words that follow, with a space between them; nil if there are none, as of a
  ///     button. An action that needs more words is refused, and an issue says so.
  /// - Throws: ``ActionError`` if the action is refused.
  public func perform(_ name: UTF8Text, with text: UTF8Text? = nil) throws(ActionError) {
    try perform(name, with: text, isForm: false)
  }

  /// Runs the action of a form in one turn, as the browser does.
  ///
  /// ```swift
  /// try page.perform("add", fields: ["title", "Buy milk", "amount", "3"])
  /// ```
  /// - Parameters:
  ///   - name: The name of an action.
  ///   - fields: The names and texts of the fields, in turn. The action gets those that its words
  ///     name, without regard to case. If one is missing, the action is refused, and an issue says
  ///     so.
  /// - Throws: ``ActionError`` if the action is refused.
  public func perform(_ name: UTF8Text, fields: [UTF8Text]) throws(ActionError) {
    let text = fields.map { $0.bytes }.joined(separator: [0])
    try perform(name, with: UTF8Text(Array(text)), isForm: true)
  }

  /// Runs an action in one turn.
  /// - Parameters:
  ///   - text: The words, or, of a form, the names and texts of the fields, separated by bytes of
  ///     0.
  func perform(_ name: UTF8Text, with text: UTF8Text?, isForm: Bool) throws(ActionError) {
    guard let action = action(named: name) else {
      return reportMistake("There is no action \"\(name)\". There are: \(usage).")
    }
    guard let texts = isForm ? action.texts(ofForm: text) : action.texts(in: text) else {
      reportMistake(
        "The action \"\(action.usage)\" needs a text from its element or its form.")
      throw ActionError("Nothing was done: there is no text here.")
    }
    try perform { () throws(ActionError) in try action.run(texts) }
  }

  /// Reports a mistake of the HTML. In a browser, page.js reports it with the element, unless the
  /// action may belong to another program of the page.
  private func reportMistake(_ message: UTF8Text) {
    if case .browser = output {
      send("mistake", message.bytes)
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

  /// Whether the page has an action of that name.
  package func hasAction(named name: UTF8Text) -> Bool { action(named: name) != nil }

  /// Returns the action of that name; nil if there is none.
  func action(named name: UTF8Text) -> Action? {
    actions.first { $0.name == name }
  }
}
