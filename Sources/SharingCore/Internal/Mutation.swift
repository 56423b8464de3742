/// One of a thread's `withLock`s under way: it is kept on the thread's stack, and linked from there.
struct Mutation {
  let site: CallSite
  var root: ObjectIdentifier?
  /// The one in whose closure it runs.
  var outer: UnsafeMutablePointer<Mutation>?

  init(site: CallSite) {
    self.site = site
  }

  /// Stops a `withLock` of the same value inside this one, or where there is no site a read of it.
  func refuse(_ inner: CallSite?) -> Never {
    let what: UTF8Text = if let inner { "A withLock at \(inner.text)" } else { "A read" }
    SharingIssue(
      """
      \(what) is nested in the withLock of the same value at \(site.text). Use the value that the \
      outer closure was given.
      """, at: inner ?? site
    ).stop()
  }
}
