import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// The value of each revision of each key, as a program shows it.
struct CommitHistory<Tab: SimulatedTab> {
  private var versions: [KeyName: [Int64: Version]] = [:]

  private struct Version {
    let bytes: [UInt8]?
    /// The value that the program of each tab shows.
    var values: [Int: any Equatable] = [:]
  }

  /// Records a stored revision.
  mutating func note(_ stored: StoredRevision) {
    versions[stored.key, default: [:]][stored.revision] = Version(bytes: stored.bytes)
  }

  /// Returns the value that the program of a tab shows for a revision; nil for an unknown revision.
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
