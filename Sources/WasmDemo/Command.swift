import CHost
import SharingCore
import WasiStorage

/// The program on a command line: `WasmDemo increment add "Buy milk" toggle 1`.
@main
struct Command {
  static func main() {
    var status = run(Arguments.all)
    if !Page.isComplete {
      Page.terminal.warn("The output cannot be written, so not everything was shown.")
      status = max(status, 1)
    }
    if status != 0 { sharing_exit(status) }
  }

  /// Shows the state and does one action after the other; none of them if one cannot be done.
  /// - Returns: The exit status: 0, 1 for what cannot be done or was not stored, 2 for misuse.
  private static func run(_ words: [[UInt8]]) -> Int32 {
    SharingEnvironment.current.onIssue = { Page.terminal.warn($0.text) }
    // It shows what it does itself, on this thread; what others do is what the next run begins with.
    if let store = FileStore(following: .never) { SharingEnvironment.current.stores.local = store }
    let app = App(on: .terminal)
    var refusal = words.allSatisfy(Arguments.isText) ? rehearse(words) : .noText
    if refusal == nil {
      app.show()
      refusal = perform(words, with: app)
    }
    guard let refusal else { return app.isSaved ? 0 : 1 }
    Page.terminal.warn(refusal.message)
    return refusal.status
  }

  /// Does everything over a copy of what is stored, so that it shows before anything is changed whether
  /// all of it can be done.
  private static func rehearse(_ words: [[UInt8]]) -> Refusal? {
    let rehearsal = SharingEnvironment()
    rehearsal.stores.local = App.copyOfStored()
    var refusal: Refusal?
    rehearsal.run { refusal = perform(words, with: App(on: .terminal)) }
    return refusal
  }

  /// Does each action as one turn, until one cannot be done.
  private static func perform(_ words: [[UInt8]], with app: App) -> Refusal? {
    var index = 0
    while index < words.count {
      guard let action = app.actions.named(words[index]) else { return .unknown(words[index], app) }
      let last = index + action.wordCount
      guard last < words.count else { return .incomplete(action) }
      let reason = batch { action.run(words[min(index + 1, last)], words[last]) }
      if let reason { return Refusal(status: 1, message: "\(reason) Nothing was done.") }
      index = last + 1
    }
    return words.isEmpty ? .nothing(app) : nil
  }
}
