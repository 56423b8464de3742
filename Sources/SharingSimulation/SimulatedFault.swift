/// A failure in a tab, mostly in a call of one of its stores.
public enum SimulatedFault: String, CaseIterable, Sendable {
  /// There is no room for a write or commit; the old stored bytes are intact.
  case quotaExceeded
  /// The host refuses to read, write or remove, to load or to commit.
  case denied
  /// The tab is gone: between two turns, or just before a call.
  case crash
  /// The tab ends while it writes, and half of the text is stored, followed by a zero byte: a store
  /// must not do that, but a disk can. Commits and journals are stored completely or not at all:
  /// for them, this is a crash.
  case torn
  /// A commit is stored, but its answer is lost: the tab is told that it has failed.
  case lostAnswer
  /// A commit takes so long that it is given up, and arrives all the same, later.
  case lateCommit
  /// A tab reads a journal as it was before another tab's last write: the processes of a browser do
  /// not see each other's writes at once.
  case outdated

  var isOfCommitsOnly: Bool { self == .lostAnswer || self == .lateCommit || self == .outdated }
}
