extension Shared where Value: Equatable {
  /// Asserts how the value has changed, in the scope of a ``SharedChangeTracker``.
  ///
  /// ```swift
  /// $user.withLock { $0.name = "Ada" }
  /// $user.assert { $0.name = "Ada" }
  /// $user.name.assert { $0 = "Ada" }  // the same, for a part
  /// ```
  /// Through a derived wrapper, only that part is asserted; what else has changed remains to be.
  /// - Parameter updateValueToExpected: Receives what the value was before its first change, or
  ///   when it was last asserted, and makes of it what it should be now. It is a failure when the
  ///   value is another, and when it has not changed at all.
  /// - Throws: What the closure throws; then nothing has been asserted.
  public func assert<Failure: Error>(
    _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    let site = CallSite(fileID: fileID, line: line)
    try assert(updateValueToExpected, at: site, text: valueText)
  }

  /// - Parameter text: What a value looks like in a failure; nil where nothing is known of it.
  func assert<Failure: Error>(
    _ updateValueToExpected: (inout Value) throws(Failure) -> Void, at site: CallSite,
    text: (Value) -> UTF8Text?
  ) throws(Failure) {
    let part: Reference = handle.reference
    guard let assertion = Assertion(of: part, named: sharedName(of: Value.self), at: site) else {
      return
    }
    let before: Value = assertion.before.value()
    let actual: Value = part.value()
    if before == actual { return assertion.reportNoChange() }
    var expected = before
    try updateValueToExpected(&expected)
    if expected != actual {
      assertion.reportMismatch(
        expected: paragraph(text(expected), text(actual), "(expected: -, actual: +)"),
        change: paragraph(text(before), text(actual), "(before: -, after: +)"))
    }
    assertion.settle { $0.assumingMemoryBound(to: Value.self).pointee = actual }
  }
}

extension Shared {
  /// Skips how the value, or this part of one, has changed, in the scope of a
  /// ``SharedChangeTracker``.
  ///
  /// ```swift
  /// $log.skipChanges()
  /// ```
  /// It is a failure when there is no change. ``SharedChangeTracker/reset()`` skips all values.
  public func skipChanges(fileID: StaticString = #fileID, line: UInt = #line) {
    let part: Reference = handle.reference
    let site = CallSite(fileID: fileID, line: line)
    guard let assertion = Assertion(of: part, named: sharedName(of: Value.self), at: site) else {
      return
    }
    let actual: Value = part.value()
    assertion.settle { $0.assumingMemoryBound(to: Value.self).pointee = actual }
  }
}
