import SharingCore
import SimulatedRevisions
import WasiStorage

/// What was stored under each key, revision by revision, as a program shows it.
struct CommitHistory<Tab: SimulatedTab> {
  private var versions: [KeyName: [Int64: Version]] = [:]

  private struct Version {
    let bytes: [UInt8]?
    /// What the program of each tab shows.
    var values: [Int: any Equatable] = [:]
  }

  /// Something is stored.
  mutating func note(_ stored: StoredRevision) {
    versions[stored.key, default: [:]][stored.revision] = Version(bytes: stored.bytes)
  }

  /// What the program of a tab shows of a revision; nil for one that there never was.
  mutating func value(of name: KeyName, at revision: Int64, in tab: Int) -> (any Equatable)? {
    guard let version = versions[name]?[revision] else { return nil }
    if let value = version.values[tab] { return value }
    let origin = Origin([:])
    origin.database.set(name, to: version.bytes)
    let watched = RunningTab<Tab>(tab, over: origin, isAlone: true).watched
    guard let value = watched.first(where: { $0.name == name })?.value else { return nil }
    versions[name]?[revision]?.values[tab] = value
    return value
  }
}
