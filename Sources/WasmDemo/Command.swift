import CHost
import SharingCore
import WasiStorage

/// The program on a command line: `WasmDemo increment add "Buy milk" toggle 1`.
@main
struct Command {
  static func main() {
    let status = run(Arguments.all)
    if status != 0 { sharing_exit(status) }
  }

  /// Shows the state and does one action after the other; none of them if one cannot be done.
  /// - Returns: The exit status: 0, 1 for what cannot be done or was not stored, 2 for misuse.
  private static func run(_ words: [[UInt8]]) -> Int32 {
    SharingEnvironment.current.onIssue = { Page.terminal.warn($0.text) }
    let app = App(on: .terminal)
    do throws(Refusal) {
      let steps = try Step.all(in: words, for: app)
      if steps.contains(where: { $0.canBeRefused }) { try rehearse(words) }
      app.show()
      for step in steps { try step.run() }
      return app.isSaved ? 0 : 1
    } catch {
      Page.terminal.warn(error.message)
      return error.status
    }
  }

  /// Does everything over a copy of what is stored, so that it shows before anything is changed whether
  /// all of it can be done.
  private static func rehearse(_ words: [[UInt8]]) throws(Refusal) {
    let rehearsal = SharingEnvironment()
    rehearsal.stores.local = App.copyOfStored()
    try rehearsal.run { () throws(Refusal) in
      let app = App(on: .terminal)
      for step in try Step.all(in: words, for: app) { try step.run() }
    }
  }
}
