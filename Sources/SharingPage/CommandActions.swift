/// The actions of a command line: `WasmDemo increment add "Buy milk" toggle 7RHX`.
enum CommandActions {
  /// Shows the state and runs the actions in order, up to the first that is refused. If one is
  /// unknown or lacks words, runs none.
  /// - Parameter start: Starts the program on a page.
  /// - Returns: The exit status: 0, 1 if an action is refused or a value is not stored, 2 for
  ///   misuse.
  static func run(_ words: [[UInt8]], _ start: (Page) -> Void) -> Int32 {
    let page = Page(to: .terminal)
    var status: Int32 = 0
    do throws(CommandError) {
      guard words.allSatisfy(Arguments.isText) else { throw .notUTF8 }
      start(page)
      try perform(try calls(words.map { UTF8Text($0) }, of: page), on: page)
    } catch {
      page.warn(error.message)
      status = error.status
    }
    // A debounced save that fails later would not change the status.
    SharingEnvironment.current.stores.flush()
    if !page.isComplete {
      page.warn("The output cannot be written, so not everything was shown.")
    }
    if status != 0 { return status }
    return page.isSaved && page.isComplete ? 0 : 1
  }

  /// An action, with its words.
  private struct Call {
    let action: Action
    let texts: [UTF8Text]
  }

  /// Finds the actions that the words name.
  private static func calls(
    _ words: [UTF8Text], of page: Page
  ) throws(CommandError) -> [Call] {
    // Every run shows the state before its first action.
    if page.action(named: "show") == nil { page.on("show") {} }
    if words.isEmpty { throw .empty(page) }
    var calls: [Call] = []
    var index = 0
    while index < words.count {
      guard let action = page.action(named: words[index]) else {
        throw .unknown(words[index], page)
      }
      let next = index + 1 + action.words.count
      guard next <= words.count else { throw .incomplete(action) }
      calls.append(Call(action: action, texts: Array(words[(index + 1)..<next])))
      index = next
    }
    return calls
  }

  /// Runs each action as one turn, until one is refused.
  private static func perform(_ calls: [Call], on page: Page) throws(CommandError) {
    for (done, call) in calls.enumerated() {
      do throws(ActionError) {
        try page.perform { () throws(ActionError) in try call.action.run(call.texts) }
      } catch {
        throw .refused(error, after: done)
      }
    }
  }
}
