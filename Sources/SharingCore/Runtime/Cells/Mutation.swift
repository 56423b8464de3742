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
      \(what) is nested in the withLock of the same value at \(site.text). Use the argument \
      of the outer closure.
      """, at: inner ?? site
    ).stop()
  }
}

// MARK: Exclusive access

// A thread must not read, change or save a cell that it is changing.
extension Scheduler {
  /// Stops the program if this thread is changing the cell: a read may find a half-written value.
  func checkRead(of cell: Cell) {
    if thread.pointee.mutation != nil { refuse(cell, at: nil, "A read") }
  }

  /// Stops the program if this thread is already changing the cell.
  func checkChange(of cell: Cell, by mutation: UnsafeMutablePointer<Mutation>) {
    let site = mutation.pointee.site
    refuse(cell, at: site, "A withLock at \(site.text)")
  }

  /// Stops the program if this thread is changing the cell: no load, save or reset is possible.
  func checkRequest(of cell: Cell) {
    if thread.pointee.mutation != nil { refuse(cell, at: nil, "A load, save or reset") }
  }

  private func refuse(
    _ cell: Cell, at site: CallSite?, _ what: @autoclosure () -> UTF8Text
  ) {
    var next = thread.pointee.mutation
    while let mutation = next {
      if mutation.pointee.target._withUnsafeGuaranteedRef({ $0.cell === cell }) {
        mutation.pointee.refuse(what(), at: site)
      }
      next = mutation.pointee.outer
    }
  }
}
