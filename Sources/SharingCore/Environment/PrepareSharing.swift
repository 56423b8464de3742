/// Sets up the environment of wrappers, at the program's entry, before you create any.
///
/// ```swift
/// prepareSharing {
///   $0.stores.local = FileStore(folder: "state")
///   $0.onIssue = { log.error("\($0)") }
/// }
/// ```
/// In a test with its own environment, it sets up that one. After the first wrapper with a key, it
/// is too late: that wrapper would share through another setup than later ones. Then an issue is
/// reported and nothing is set up.
/// - Parameter prepare: Receives the ``SharingEnvironment/current`` environment.
/// - Throws: The error of the closure.
public func prepareSharing<Failure: Error>(
  fileID: StaticString = #fileID, line: UInt = #line,
  _ prepare: (SharingEnvironment) throws(Failure) -> Void
) throws(Failure) {
  let environment = SharingEnvironment.current
  guard environment.canBePrepared(at: CallSite(fileID: fileID, line: line)) else { return }
  try prepare(environment)
}

extension SharingEnvironment {
  /// Returns whether no key was used yet; reports an issue if one was.
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
