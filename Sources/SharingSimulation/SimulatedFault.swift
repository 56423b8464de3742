/// What can go wrong in a tab, most of it in a call of its store.
public enum SimulatedFault: String, CaseIterable, Sendable {
  /// There is no room for what is written; what was stored is whole.
  case quotaExceeded
  /// The host refuses to read, write or remove.
  case denied
  /// The tab is gone: between two turns, or just before a call.
  case crash
  /// The tab is gone while it writes, and half of the text is stored, followed by a zero byte: a
  /// store must not do that, but a disk can.
  case torn

  var isOfWritesOnly: Bool { self == .quotaExceeded || self == .torn }
}
