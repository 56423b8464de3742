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
        There is no action "\(name)", so nothing was done. There are: \(usage(of: page)).
        """)
  }

  static var notUTF8: CommandError {
    CommandError(status: 2, message: "An argument is not UTF-8. Nothing was done.")
  }

  static func incomplete(_ action: Action) -> CommandError {
    CommandError(status: 2, message: "Arguments are missing: \(action.usage). Nothing was done.")
  }

  static func empty(_ page: Page) -> CommandError {
    CommandError(status: 2, message: "Name an action: \(usage(of: page)).")
  }

  /// Lists the actions with their words.
  private static func usage(of page: Page) -> UTF8Text {
    var usage: UTF8Text = ""
    for action in page.actions {
      if !usage.isEmpty { usage += ", " }
      usage += action.usage
    }
    return usage
  }
}
