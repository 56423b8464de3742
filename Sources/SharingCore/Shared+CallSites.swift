// The forms in which swift-sharing hands on a call site, for helpers that are written for it.

extension Shared {
  /// Changes the value in place for a helper that hands on where it was called; see
  /// ``withLock(_:fileID:line:)``.
  ///
  /// ```swift
  /// func increment(
  ///   fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  ///   line: UInt = #line, column: UInt = #column
  /// ) {
  ///   $count.withLock(
  ///     { $0 += 1 }, fileID: fileID, filePath: filePath, line: line, column: column)
  /// }
  /// ```
  /// - Parameters:
  ///   - operation: Changes the value.
  ///   - filePath: Not used: messages name the module and the file.
  ///   - column: Not used: messages name the line.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws. What it had changed until then is observed and saved.
  @discardableResult
  @inlinable
  public func withLock<Output, Failure: Error>(
    _ operation: (inout Value) throws(Failure) -> Output,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) throws(Failure) -> Output {
    try withLock(operation, fileID: fileID, line: line)
  }
}

extension Shared where Value: Equatable {
  /// Asserts how the value has changed for a helper that hands on where it was called; see
  /// ``assert(_:fileID:line:)``.
  /// - Parameters:
  ///   - updateValueToExpected: Changes the earlier value to the expected one.
  ///   - filePath: Not used: messages name the module and the file.
  ///   - column: Not used: messages name the line.
  /// - Throws: What the closure throws; then nothing has been asserted.
  public func assert<Failure: Error>(
    _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) throws(Failure) {
    try assert(updateValueToExpected, fileID: fileID, line: line)
  }
}
