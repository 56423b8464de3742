import SharingCommits
import SharingCore
import SimulatedPrograms
import WasiStorage

/// One run of a program of a ``CommitWorld``, from its start to its end, of one release.
final class ExploredProgram {
  let program: Program
  let release: Release
  private(set) var values: [ExploredValue] = []
  private var tokens: [ObservationToken] = []
  /// The turn of another thread that is open, its change, and those that were made after it.
  /// Changes of one value by several threads are saved when the first of these turns ends.
  var open: (turn: OpenTurn, value: ExploredValue, changes: [Int])?
  /// The last revision of each key.
  var revisions: [Int64] = [0, 0]

  init(_ program: Program, _ release: Release, _ setting: CommitSetting) {
    self.program = program
    self.release = release
    program.run {
      batch { values = setting.keys.map { value(of: $0, setting) } }
      tokens = values.map { $0.observe() }
    }
  }

  private func value(of key: ExploredKey, _ setting: CommitSetting) -> ExploredValue {
    let store = program.store!
    switch (key, release) {
    case (.score, .older):
      return ExploredContents(key, 0, .revisions("score", in: store, coding: .json(version: 1)))
    case (.score, .newer):
      let migration = StorageMigration(from: 1) { (old: Int) in old * 10 }
      return ExploredContents(
        key, 0,
        .revisions("score", in: store, coding: .json(version: 2, migrations: [migration])),
        unit: 10)
    case (.notes, .older):
      return ExploredContents(key, [EarlyNote](), .revisions("notes", in: store))
    case (.notes, .newer) where setting.sharesNotes:
      return ExploredContents(key, [MarkedNote](), .revisions("notes", in: store))
    case (.notes, .newer):
      return ExploredContents(key, [LateNote](), .revisions("notes", in: store))
    }
  }

  func value(_ key: ExploredKey) -> ExploredValue? { values.first { $0.key == key } }

  /// Runs a turn.
  func turn(_ body: () -> Void) { program.run { batch(body) } }

  /// Begins a turn of another thread, with a change of the first value.
  func begin(_ change: Int) {
    let value = values[0]
    open = (OpenTurn(of: program) { value.add(change) }, value, [change])
  }

  /// Ends the turn of the other thread.
  func finish() {
    guard let (turn, value, changes) = open else { return }
    open = nil
    turn.end()
    value.own.append(changes[0])
  }

  /// Releases its values, before the program ends.
  func end() {
    tokens = []
    values = []
  }
}
