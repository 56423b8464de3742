/// The reason why a command line is not carried out.
struct CommandError: Error {
  /// The exit status: 1 for a refusal, 2 for misuse.
  let status: Int32
  let message: UTF8Text

  /// - Parameter done: The number of actions before the refused one.
  static func refused(_ error: ActionError, after done: Int) -> CommandError {
    let rest: UTF8Text =
      switch done {
      case 0: "Nothing was done."
      case 1: "1 action before it was done."
      default: "\(done) actions before it were done."
      }
    return CommandError(status: 1, message: "\(error.reason) \(rest)")
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
