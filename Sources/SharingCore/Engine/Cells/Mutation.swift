/// One of a thread's `withLock`s under way: it is kept on the thread's stack, and linked from
/// there.
@usableFromInline
struct Mutation {
  /// What is changed.
  let target: Unmanaged<Reference>
  let site: CallSite
  /// Why the connection looks at its store before it.
  let reason: FreshenReason
  /// The one in whose closure it runs.
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

  /// Stops what uses the same value inside this mutation.
  func refuse(_ what: UTF8Text, at inner: CallSite?) -> Never {
    SharingIssue(
      """
      \(what) is nested in the withLock of the same value at \(site.text). Use the value that the \
      outer closure was given.
      """, at: inner ?? site
    ).stop()
  }
}
