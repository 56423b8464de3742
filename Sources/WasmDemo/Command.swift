import CHost
import SharingCore
import WasiStorage

/// The program on a command line: `WasmDemo increment increment`.
@main
struct Command {
  static func main() {
    let status = run(Arguments.all)
    if status != 0 { sharing_exit(status) }
  }

  /// Shows the state and does one action after the other; none of them if one is unknown.
  /// - Returns: The exit status: 0, 1 for an unknown action or a value that was not stored, 2 for
  ///   none at all.
  private static func run(_ names: [[UInt8]]) -> Int32 {
    SharingEnvironment.current.onIssue = { Page.terminal.warn($0.text) }
    let app = App(on: .terminal)
    guard !names.isEmpty else {
      Page.terminal.warn("Say what to do: \(app.actionNames).")
      return 2
    }
    if let unknown = names.first(where: { !app.knows($0) }) {
      Page.terminal.warn(
        """
        There is no action "\(UTF8Text(unknown))", so nothing was done. There are: \
        \(app.actionNames).
        """)
      return 1
    }
    app.show()
    for name in names { batch { app.perform(name) } }
    return app.isSaved ? 0 : 1
  }
}
