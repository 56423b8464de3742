/// A program on a command line: `WasmDemo increment add "Buy milk" toggle 1`.
enum Command {
  /// Shows the state and runs the actions in order; none of them if one is refused.
  /// - Parameter start: Starts the program on a page.
  /// - Returns: The exit status: 0, 1 if an action is refused or a value is not stored, 2 for
  ///   misuse.
  static func run(_ words: [[UInt8]], _ start: (Page) -> Void) -> Int32 {
    let page = Page(to: .terminal)
    let stores = SharingEnvironment.current.stores
    // A command shows only its own changes; changes by other programs are for the next run.
    if let store = FileStore(following: .never) { stores.useByDefault(local: store) }
    do throws(CommandError) {
      guard words.allSatisfy(Arguments.isText) else { throw .notUTF8 }
      let words = words.map { UTF8Text($0) }
      try rehearse(words, start)
      start(page)
      try perform(words, on: page)
    } catch {
      page.warn(error.message)
      return error.status
    }
    stores.flush()  // a debounced save that fails later would not change the status
    if !page.isComplete {
      page.warn("The output cannot be written, so not everything was shown.")
    }
    return page.isSaved && page.isComplete ? 0 : 1
  }

  /// Runs all actions on a copy of the stored values, to find a refusal before anything changes.
  private static func rehearse(
    _ words: [UTF8Text], _ start: (Page) -> Void
  ) throws(CommandError) {
    let rehearsal = SharingEnvironment()
    rehearsal.onIssue = SharingEnvironment.current.onIssue
    var copies: [CopyingStore] = []
    rehearsal.stores.rehearse(SharingEnvironment.current) { store in
      if let copy = copies.first(where: { $0.original === store }) { return copy }
      copies.append(CopyingStore(of: store))
      return copies[copies.count - 1]
    }
    try rehearsal.run { () throws(CommandError) in
      let page = Page(to: .rehearsal)
      defer { page.stop() }
      start(page)
      try perform(words, on: page)
    }
  }

  /// Runs each action as one turn, until one is refused.
  private static func perform(_ words: [UTF8Text], on page: Page) throws(CommandError) {
    // Every run shows the state before its first action.
    if page.action(named: "show") == nil { page.on("show") {} }
    if words.isEmpty { throw .empty(page) }
    var index = 0
    while index < words.count {
      guard let action = page.action(named: words[index]) else {
        throw .unknown(words[index], page)
      }
      let last = index + action.wordCount
      guard last < words.count else { throw .incomplete(action) }
      do throws(ActionError) {
        try page.perform { () throws(ActionError) in
          try action.run(words[min(index + 1, last)], words[last])
        }
      } catch {
        throw .cannotBeDone(error)
      }
      index = last + 1
    }
  }
}

/// A store in memory that begins with the values of another one, to try changes there.
private final class CopyingStore: KeyValueStore, @unchecked Sendable {
  let original: any KeyValueStore
  private let copy = MemoryStore()

  init(of original: any KeyValueStore) {
    self.original = original
  }

  func slot(for key: KeyName) -> any StoreSlot {
    let bytes = copy.bytes(for: key) == nil ? try? original.bytes(for: key) : nil
    if let bytes { copy.set(bytes, for: key) }
    return copy.slot(for: key)
  }
}

/// The reason why a command line is not carried out.
struct CommandError: Error {
  /// The exit status: 1 for a refusal, 2 for misuse.
  let status: Int32
  let message: UTF8Text

  static func cannotBeDone(_ error: ActionError) -> CommandError {
    CommandError(status: 1, message: "\(error.reason) Nothing was done.")
  }

  static func unknown(_ name: UTF8Text, _ page: Page) -> CommandError {
    CommandError(
      status: 1,
      message: """
        There is no action "\(name)", so nothing was done. There are: \(page.usage).
        """)
  }

  static var notUTF8: CommandError {
    CommandError(status: 2, message: "An argument is not UTF-8. Nothing was done.")
  }

  static func incomplete(_ action: Action) -> CommandError {
    CommandError(status: 2, message: "Arguments are missing: \(action.usage). Nothing was done.")
  }

  static func empty(_ page: Page) -> CommandError {
    CommandError(status: 2, message: "Name an action: \(page.usage).")
  }
}
