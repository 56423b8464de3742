/// One running `withLock` of a thread. It lies on the thread's stack; the thread's state links to
/// it.
@usableFromInline
struct Mutation {
  /// The changed reference.
  let target: Unmanaged<Reference>
  let site: CallSite
  /// The reason for which the connection reads its store first.
  let reason: FreshenReason
  /// The mutation that encloses this one.
  let outer: UnsafeMutablePointer<Mutation>?

  init(
    of target: Unmanaged<Reference>, at site: CallSite, _ reason: FreshenReason,
    within outer: UnsafeMutablePointer<Mutation>?
  ) {
    self.target = target
    self.site = site
    self.reason = reason
    self.outer = outer
  }

  /// Stops the program: its closure uses the same value again.
  func refuse(_ what: UTF8Text, at inner: CallSite?) -> Never {
    SharingIssue(
      """
      \(what) is nested in the withLock of the same value at \(site.text). Use the value that is \
      passed to the outer closure.
      """, at: inner ?? site
    ).stop()
  }
}
