import SharingCore

/// One program alone, whose writes never fail: what it makes of the actions that have succeeded in
/// several tabs is what they must have made together.
struct Reference<Tab: SimulatedTab> {
  private let origin: Origin
  private let names: [KeyName]
  private let shown: [[any Equatable]]

  /// - Parameter shown: What the tab of each action has shown before that.
  init(_ simulation: Simulation<Tab>, storing names: [KeyName], shown: [[any Equatable]]) {
    origin = Origin(simulation.items)
    self.names = names
    self.shown = shown
  }

  /// Repeats the actions of a ledger. An action reads the values as its tab has shown them, out of
  /// date or not, and in `withLock` as they are here.
  /// - Parameter own: The value that an action which has changed it reads as it is here in any
  ///   case.
  /// - Returns: The values that a new tab shows then.
  func replay(_ entries: [Ledger.Entry], except own: Int?) -> [any Equatable] {
    var current: (number: Int, tab: RunningTab<Tab>)?
    for entry in entries {
      switch entry {
      case .action(let done):
        let number = done.tab
        if current?.number != number { current = (number, RunningTab(number, over: origin)) }
        guard let action = Tab.actions.first(where: { $0.name == done.name }) else { continue }
        let stored = origin.items
        current?.tab.show(shown[done.shown], except: done.isChange ? own : nil)
        origin.restore(stored)
        current?.tab.act(action, done.number)
        current?.tab.hide()
        if !done.isChange { current = nil }
      case .stored(let bytes):
        current = nil
        for name in names { origin.write(bytes, for: name, by: nil) }
      }
    }
    return RunningTab<Tab>(0, over: origin).watched.map { $0.value }
  }
}
