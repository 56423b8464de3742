import SharingCommits
import SharingCore
import SimulatedRevisions
import WasiStorage

/// A release of the simulated program.
struct Release {
  /// 0 is the oldest one.
  let number: Int
  let program: any SimulatedTab.Type
}

/// The value of each revision of each key, as each release shows it.
struct CommitHistory {
  private var versions: [KeyName: [Int64: Version]] = [:]

  private struct Version {
    let bytes: [UInt8]?
    var shown: [Int: Shown] = [:]
  }

  /// The value of a revision in a new tab.
  struct Shown {
    let value: any Equatable
    let isReadable: Bool
  }

  /// Records a stored revision.
  mutating func note(_ stored: StoredRevision) {
    versions[stored.key, default: [:]][stored.revision] = Version(bytes: stored.bytes)
  }

  /// Returns the value that a release shows for a revision; nil for an unknown revision or value.
  mutating func shown(_ name: KeyName, at revision: Int64, by release: Release) -> Shown? {
    guard let version = versions[name]?[revision] else { return nil }
    if let shown = version.shown[release.number] { return shown }
    let origin = Origin([:])
    origin.database.set(name, to: version.bytes)
    let tab = RunningTab(release, at: 0, over: origin, isAlone: true)
    guard let value = tab.watched.first(where: { $0.name == name }) else { return nil }
    let shown = Shown(value: value.value, isReadable: value.base.loadError() == nil)
    versions[name]?[revision]?.shown[release.number] = shown
    return shown
  }
}
