/// A failure in a tab, mostly in a call of one of its stores.
public enum SimulatedFault: String, CaseIterable, Sendable {
  /// There is no room for a write or commit; the old stored bytes are intact.
  case quotaExceeded
  /// The host refuses to read, write or remove, to load or to commit.
  case denied
  /// The tab ends between two turns, or just before a call.
  case crash
  /// The tab ends during a write, and half of the text is stored, followed by a zero byte. A store
  /// must not do that, but a disk can. For commits and journals, this is a crash: they are stored
  /// completely or not at all.
  case torn
  /// A commit is stored, but its answer is lost: the tab gets a failure.
  case lostAnswer
  /// A commit takes too long: the tab gets a failure, and the commit arrives later.
  case lateCommit
  /// A tab reads a journal from before another tab's last write. The processes of a browser do not
  /// see each other's writes at once.
  case outdated

  var isOfCommitsOnly: Bool { self == .lostAnswer || self == .lateCommit || self == .outdated }
}
