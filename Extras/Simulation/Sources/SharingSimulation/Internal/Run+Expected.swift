import SharingCore
import WasiStorage

// The expected values: those of a single program, of the newest release, whose writes and commits
// never fail. It repeats the successful actions of all tabs.
extension Run {
  /// Repeats the actions that a stored value must contain. An action reads the values that its tab
  /// has shown, out of date or not, and in `withLock` the values of this program.
  /// - Parameter own: The name of a value that actions which have changed it always read from this
  ///   program.
  /// - Returns: The part to compare of the value that a new tab shows afterwards.
  func expected(_ name: KeyName, except own: KeyName?) -> any Equatable {
    let origin = simulation.makeOrigin()
    var current: RunningTab?
    for entry in commitLedger.entries[name] ?? ledgers[name]?.entries ?? [] {
      switch entry {
      case .action(let action):
        if current?.number != action.tab { current = newTab(action.tab, over: origin) }
        let tab = current!
        let items = origin.items
        tab.show(shown[action.shown], except: action.isChange ? own : nil)
        origin.items = items
        tab.turn { tab.program.perform(action.name, action.number) }
        tab.turn { tab.clock.callAll() }
        if !action.isChange { current = nil }
      case .stored(let bytes):
        current = nil
        if commitLedger.entries[name] != nil {
          origin.database.set(name, to: bytes)
        } else {
          origin.write(bytes, for: name, by: nil)
        }
      }
    }
    let last = newTab(0, over: origin)
    return last.watched.first { $0.name == name }!.base.compared()
  }

  private func newTab(_ number: Int, over origin: Origin) -> RunningTab {
    RunningTab(simulation.newest, at: number, over: origin, isAlone: true)
  }
}
