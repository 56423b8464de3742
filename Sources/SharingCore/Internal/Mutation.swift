/// One of a thread's `withLock`s under way: it is kept on the thread's stack, and linked from there.
struct Mutation {
  let site: CallSite
  var root: ObjectIdentifier?
  /// The one in whose closure it runs.
  var outer: UnsafeMutablePointer<Mutation>?

  init(site: CallSite) {
    self.site = site
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
