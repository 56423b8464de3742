import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// One run of a program of a ``CommitWorld``, from its start to its end, of one release.
final class ExploredProgram {
  let program: Program
  let release: Release
  private(set) var values: [ExploredValue] = []
  private var tokens: [ObservationToken] = []
  /// The last revision of each key.
  var revisions: [Int64] = [0, 0]

  init(_ program: Program, _ release: Release, _ keys: [ExploredKey]) {
    self.program = program
    self.release = release
    program.run {
      batch { values = keys.map { value(of: $0) } }
      tokens = values.map { $0.observe() }
    }
  }

  private func value(of key: ExploredKey) -> ExploredValue {
    let store = program.store!
    switch (key, release) {
    case (.score, .older):
      return ExploredContents(key, 0, .revisions("score", in: store, version: 1))
    case (.score, .newer):
      let migration = StorageMigration(from: 1) { (old: Int) in old * 10 }
      return ExploredContents(
        key, 0, .revisions("score", in: store, version: 2, migrations: [migration]), unit: 10)
    case (.notes, .older):
      return ExploredContents(key, [EarlyNote](), .revisions("notes", in: store))
    case (.notes, .newer):
      return ExploredContents(key, [LateNote](), .revisions("notes", in: store))
    }
  }

  func value(_ key: ExploredKey) -> ExploredValue? { values.first { $0.key == key } }

  /// Runs a turn.
  func turn(_ body: () -> Void) { program.run { batch(body) } }

  /// Releases its values, before the program ends.
  func end() {
    tokens = []
    values = []
  }
}
