// Exclusive access: a cell that a thread changes is neither read nor changed nor saved by it.
extension Scheduler {
  /// Stops a read of a cell that this thread is changing: the value may be half written.
  func checkRead(of cell: Cell) {
    if thread.pointee.mutation != nil { refuse(cell, at: nil, "A read") }
  }

  /// Stops a change of a cell that this thread is changing.
  @inline(never)
  func checkChange(of cell: Cell, by mutation: UnsafeMutablePointer<Mutation>) {
    let site = mutation.pointee.site
    refuse(cell, at: site, "A withLock at \(site.text)")
  }

  /// Stops what asks the key of a cell that this thread is changing.
  func checkRequest(of cell: Cell) {
    if thread.pointee.mutation != nil { refuse(cell, at: nil, "A load, save or reset") }
  }

  @inline(never)
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
