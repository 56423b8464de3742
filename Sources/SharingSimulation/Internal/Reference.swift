import SharingCore
import WasiStorage

/// One program alone, whose writes and commits never fail: what it makes of the actions that have
/// succeeded in several tabs is what they must have made together.
struct Reference<Tab: SimulatedTab> {
  private let origin: Origin
  private let names: [KeyName]
  private let committed: Set<KeyName>
  private let shown: [[any Equatable]]

  /// - Parameters:
  ///   - names: The names of the values.
  ///   - committed: Those of them that are in a revision store.
  ///   - shown: What the tab of each action has shown before that.
  init(
    _ simulation: Simulation<Tab>, storing names: [KeyName], committed: Set<KeyName>,
    shown: [[any Equatable]]
  ) {
    origin = Origin(simulation.items)
    (self.names, self.committed) = (names, committed)
    self.shown = shown
  }

  /// Repeats the actions of a ledger. An action reads the values as its tab has shown them, out of
  /// date or not, and in `withLock` as they are here.
  /// - Parameters:
  ///   - index: The value whose entries they are.
  ///   - own: The value that an action which has changed it reads as it is here in any case.
  /// - Returns: The values that a new tab shows then.
  func replay(
    _ entries: [Ledger.Entry], of index: Int, except own: Int?
  ) -> [any Equatable] {
    var current: (number: Int, tab: RunningTab<Tab>)?
    func perform(_ done: Ledger.Action) {
      let number = done.tab
      if current?.number != number {
        current = (number, RunningTab(number, over: origin, isAlone: true))
      }
      guard let action = Tab.actions.first(where: { $0.name == done.name }) else { return }
      let stored = origin.items
      current?.tab.show(shown[done.shown], except: done.isChange ? own : nil)
      origin.restore(stored)
      current?.tab.act(action, done.number)
      current?.tab.hide()
      if !done.isChange { current = nil }
    }
    for entry in entries {
      switch entry {
      case .action(let done): perform(done)
      case .stored(let bytes):
        current = nil
        for name in names { set(name, to: bytes) }
      case .recovered(let actions, let bytes, let isMerged, let sum):
        let (name, before) = (names[index], number(names[index]))
        for done in actions { perform(done) }
        let isAdded = sum != nil && number(name) == sum.map { before + $0 }
        if !isMerged || isAdded || origin.database.store.stored(name).bytes == bytes { continue }
        current = nil
        set(name, to: bytes)
      }
    }
    return RunningTab<Tab>(0, over: origin, isAlone: true).watched.map { $0.value }
  }

  /// The number that is stored under a name; 0 where that is none.
  private func number(_ name: KeyName) -> Int {
    let bytes = origin.database.store.stored(name).bytes
    return bytes.flatMap { try? JSON.decode(Int.self, from: $0) } ?? 0
  }

  /// Has something stored that no action has made.
  private func set(_ name: KeyName, to bytes: [UInt8]?) {
    if committed.contains(name) {
      origin.database.set(name, to: bytes)
    } else {
      origin.write(bytes, for: name, by: nil)
    }
  }
}
