// The call sites of changes and assertions. Natively, the parameters are those of swift-sharing. In
// Embedded Swift, a path at each call would cost bytes, so helpers hand on theirs by a second form.
#if hasFeature(Embedded)
  extension Shared {
    /// Changes the value in place, with exclusive access; natively, the documented `withLock`.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure. Its changes up to that point are observed and saved.
    @discardableResult
    @inlinable
    public func withLock<Output, Failure: Error>(
      _ operation: (inout Value) throws(Failure) -> Output,
      fileID: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) -> Output {
      try change(operation, fileID, line)
    }

    /// Changes the value in place for a helper that hands on where it was called.
    @discardableResult
    @inlinable
    public func withLock<Output, Failure: Error>(
      _ operation: (inout Value) throws(Failure) -> Output,
      fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) throws(Failure) -> Output {
      try change(operation, fileID, line)
    }
  }

  extension Shared where Value: Equatable {
    /// Asserts the changes of the value; natively, the documented `assert`.
    /// - Throws: The error of the closure; then nothing is asserted.
    public func assert<Failure: Error>(
      _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
      fileID: StaticString = #fileID, line: UInt = #line
    ) throws(Failure) {
      let site = CallSite(fileID: fileID, line: line)
      try assert(updateValueToExpected, at: site, text: valueText)
    }

    /// Asserts the changes of the value for a helper that hands on where it was called.
    public func assert<Failure: Error>(
      _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
      fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) throws(Failure) {
      try assert(updateValueToExpected, fileID: fileID, line: line)
    }
  }
#else
  extension Shared {
    /// Changes the value in place, with exclusive access.
    ///
    /// ```swift
    /// let isLast = $todos.withLock { todos in
    ///   todos.removeLast()
    ///   return todos.isEmpty
    /// }
    /// ```
    /// Before the closure runs, the key reads a newer value from its store if there is one.
    /// Afterwards observers run and the value is saved; inside a ``batch(_:)``, both happen when
    /// the batch ends. Inside the closure, use the value through the argument only; any other
    /// access stops the program. You may nest a `withLock` or a read of another value, in the same
    /// order on every thread. Threads that nest two values in opposite orders deadlock, as with any
    /// lock.
    /// - Parameters:
    ///   - operation: Changes the value.
    ///   - filePath: Not used: messages name the module and the file.
    ///   - column: Not used: messages name the line.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure. Its changes up to that point are observed and saved.
    @discardableResult
    @inlinable
    public func withLock<Output, Failure: Error>(
      _ operation: (inout Value) throws(Failure) -> Output,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) throws(Failure) -> Output {
      try change(operation, fileID, line)
    }
  }

  extension Shared where Value: Equatable {
    /// Asserts the changes of the value, in the scope of a ``SharedChangeTracker``.
    ///
    /// ```swift
    /// $user.withLock { $0.name = "Ada" }
    /// $user.assert { $0.name = "Ada" }
    /// $user.name.assert { $0 = "Ada" }  // the same, for a part
    /// ```
    /// A derived wrapper asserts only its part; other changes remain to be asserted.
    /// - Parameters:
    ///   - updateValueToExpected: Receives the value before its first change, or at its last
    ///     assertion, and changes it to the expected value. The assertion fails if the actual value
    ///     differs or is unchanged.
    ///   - filePath: Not used: messages name the module and the file.
    ///   - column: Not used: messages name the line.
    /// - Throws: The error of the closure; then nothing is asserted.
    public func assert<Failure: Error>(
      _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) throws(Failure) {
      let site = CallSite(fileID: fileID, line: line)
      try assert(updateValueToExpected, at: site, text: valueText)
    }
  }
#endif
