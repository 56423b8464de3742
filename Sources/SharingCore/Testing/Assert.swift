extension Shared where Value: Equatable {
  /// Asserts the changes of the value.
  /// - Parameter text: Returns the text of a value for a failure, nil if there is none.
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
    assertion.acceptCurrentValue { $0.assumingMemoryBound(to: Value.self).pointee = actual }
  }
}

extension Shared {
  /// Skips the changes of the value or of this part, in the scope of a ``SharedChangeTracker``.
  ///
  /// ```swift
  /// $log.skipChanges()
  /// ```
  /// It fails if there is no change. ``SharedChangeTracker/reset()`` skips the changes of all
  /// values.
  public func skipChanges(fileID: StaticString = #fileID, line: UInt = #line) {
    let part: Reference = handle.reference
    let site = CallSite(fileID: fileID, line: line)
    guard let assertion = Assertion(of: part, named: sharedName(of: Value.self), at: site) else {
      return
    }
    let actual: Value = part.value()
    assertion.acceptCurrentValue { $0.assumingMemoryBound(to: Value.self).pointee = actual }
  }
}
