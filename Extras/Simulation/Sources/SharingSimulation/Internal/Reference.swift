import SharingCore
import WasiStorage

/// A single program, of the newest release, whose writes and commits never fail. It repeats the
/// successful actions of several tabs, and its values are those that the tabs must have stored
/// together.
struct Reference {
  private let origin: Origin
  private let release: Release
  /// Whether the merge of a journal is as good as its actions.
  private let takesMerges: Bool
  private let names: [KeyName]
  private let committed: Set<KeyName>
  private let shown: [[KeyName: any Equatable]]

  /// - Parameters:
  ///   - names: The names of the values.
  ///   - committed: The names of values in a revision store.
  ///   - shown: The values that the tab of each action has shown before the action.
  init(
    _ simulation: Simulation, storing names: [KeyName], committed: Set<KeyName>,
    shown: [[KeyName: any Equatable]]
  ) {
    origin = Origin(simulation.items)
    (release, takesMerges) = (simulation.newest, simulation.releases.count == 1)
    (self.names, self.committed) = (names, committed)
    self.shown = shown
  }

  /// Repeats the actions of a ledger. An action reads the values that its tab has shown, out of
  /// date or not, and in `withLock` the values of this program.
  /// - Parameters:
  ///   - name: The name of the value of the entries.
  ///   - own: The name of a value that actions which have changed it always read from this
  ///     program.
  /// - Returns: The part to compare of the value that a new tab shows afterwards; nil if it does
  ///   not have the value.
  func replay(
    _ entries: [Ledger.Entry], of name: KeyName, except own: KeyName?
  ) -> (any Equatable)? {
    var current: (number: Int, tab: RunningTab)?
    func perform(_ done: Ledger.Action) {
      let number = done.tab
      if current?.number != number {
        current = (number, RunningTab(release, at: number, over: origin, isAlone: true))
      }
      let stored = origin.items
      current?.tab.show(shown[done.shown], except: done.isChange ? own : nil)
      origin.restore(stored)
      current?.tab.act(done.name, done.number)
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
        let before = number(name)
        for done in actions { perform(done) }
        if !takesMerges { continue }
        let isAdded = sum != nil && number(name) == sum.map { before + $0 }
        if !isMerged || isAdded || origin.database.store.stored(name).bytes == bytes { continue }
        current = nil
        set(name, to: bytes)
      }
    }
    let last = RunningTab(release, at: 0, over: origin, isAlone: true)
    return last.watched.first { $0.name == name }?.base.compared()
  }

  /// Returns the number stored under a name; 0 if no number is stored.
  private func number(_ name: KeyName) -> Int {
    let bytes = origin.database.store.stored(name).bytes
    return bytes.flatMap { try? JSON.decode(Int.self, from: $0) } ?? 0
  }

  /// Stores a value that no action has made.
  private func set(_ name: KeyName, to bytes: [UInt8]?) {
    if committed.contains(name) {
      origin.database.set(name, to: bytes)
    } else {
      origin.write(bytes, for: name, by: nil)
    }
  }
}
