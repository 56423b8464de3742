/// Sets up the environment that wrappers use, at the program's entry, before any of them is made.
///
/// ```swift
/// prepareSharing {
///   $0.stores.local = FileStore(folder: "state")
///   $0.onIssue = { log.error("\($0)") }
/// }
/// ```
/// In a test with an environment of its own, it is that one's. Once a wrapper with a key has been
/// made, it is too late: what it shares would not be what the others do. Then nothing is set up,
/// and an issue says so.
/// - Parameter prepare: Receives the ``SharingEnvironment/current`` environment.
/// - Throws: What the closure throws.
public func prepareSharing<Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line,
  _ prepare: (SharingEnvironment) throws(Failure) -> Void
) throws(Failure) {
  let environment = SharingEnvironment.current
  guard environment.canBePrepared(at: CallSite(fileID: fileID, line: line)) else { return }
  try prepare(environment)
}

extension SharingEnvironment {
  /// Whether no key has been used yet; otherwise it is reported.
  fileprivate func canBePrepared(at site: CallSite) -> Bool {
    if references.isUnused { return true }
    report(
      SharingIssue(
        """
        The environment is in use, so nothing was set up: a wrapper with a key was made before. Call \
        prepareSharing first, at the program's entry.
        """, at: site))
    return false
  }
}
