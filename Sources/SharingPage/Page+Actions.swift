extension Page {
  /// Does something when a person asks for it: in a page with `data-click="increment"` (also
  /// `-dblclick`, `-input`, `-change`, `-enter`, `-escape`, `-focusout`), on a command line with
  /// the word `increment`. What it changes is one turn.
  ///
  /// ```swift
  /// page.on("increment") { $count.withLock { $0 += 1 } }
  /// ```
  public func on(_ name: StaticString, _ run: @escaping () throws(ActionError) -> Void) {
    add(Action(name, "", count: 0) { (_, _) throws(ActionError) in try run() })
  }

  /// Does something with a text: in a page the key of the row, or the text of the field, on a
  /// command line the next word.
  ///
  /// ```swift
  /// page.on("add", "TITLE") { title in $todos.append(Todo(title: title)) }
  /// ```
  /// - Parameters:
  ///   - name: The name.
  ///   - word: What the text is, for the message to somebody who leaves it out.
  ///   - run: Does it, or refuses it: `page.refuse("…")`.
  public func on(
    _ name: StaticString, _ word: StaticString,
    _ run: @escaping (UTF8Text) throws(ActionError) -> Void
  ) {
    add(Action(name, " \(word)", count: 1) { (text, _) throws(ActionError) in try run(text) })
  }

  /// Does something with two texts: in a page the key of the row and the text of its field, on a
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

  /// Does what a person asks for, as the browser and the command line have it done, in one turn.
  ///
  /// ```swift
  /// try page.perform("edit", with: "3 Buy milk")
  /// ```
  /// - Parameters:
  ///   - name: The name of an action. One that does not exist does nothing: another version of the
  ///     page may know it.
  ///   - text: The words that follow, with a space between them.
  /// - Throws: ``ActionError`` when it cannot be done.
  public func perform(_ name: UTF8Text, with text: UTF8Text = "") throws(ActionError) {
    guard let action = action(named: name) else { return }
    try perform { () throws(ActionError) in try action.run(with: text) }
  }

  /// The action of that name.
  func action(named name: UTF8Text) -> Action? {
    actions.first { $0.name == name }
  }
}
