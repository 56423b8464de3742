import SharingCore

/// One program alone, whose writes never fail: what it makes of the actions that have succeeded in
/// several tabs is what they must have made together.
struct Reference<Tab: SimulatedTab> {
  private let origin: Origin
  private let names: [KeyName]

  init(_ simulation: Simulation<Tab>, storing names: [KeyName]) {
    origin = Origin(simulation.items)
    self.names = names
  }

  /// Does what a ledger says.
  /// - Returns: The values that a new tab shows then.
  func replay(_ entries: [Ledger.Entry]) -> [any Equatable] {
    var current: (number: Int, tab: RunningTab<Tab>)?
    for entry in entries {
      switch entry {
      case .action(let number, let name, let argument):
        if current?.number != number { current = (number, RunningTab(number, over: origin)) }
        guard let action = Tab.actions.first(where: { $0.name == name }) else { continue }
        current?.tab.act(action, argument)
        current?.tab.hide()
      case .stored(let bytes):
        current = nil
        for name in names { origin.write(bytes, for: name, by: nil) }
      }
    }
    return RunningTab<Tab>(0, over: origin).watched.map { $0.value }
  }
}
