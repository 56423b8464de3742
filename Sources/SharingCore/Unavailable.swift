// Unavailable declarations whose messages suggest a replacement.

extension SharedReader {
  /// Unavailable: a reader cannot write.
  @available(
    *, unavailable,
    message: "A SharedReader only reads: make it '@Shared', or change the value where it is shared."
  )
  @discardableResult
  public func withLock<Output, Failure: Error>(
    _ operation: (inout Value) throws(Failure) -> Output,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) -> Output {
    fatalError("not available")
  }

  /// Unavailable: assert the changes of the `Shared` value instead.
  @available(
    *, unavailable,
    message: "A SharedReader only reads: assert the changes of the '@Shared' value that it reads."
  )
  public func assert<Failure: Error>(
    _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    fatalError("not available")
  }
}

extension SharedReader {
  /// Unavailable: a reader needs a key, or a value to share.
  @available(
    *, unavailable,
    message:
      "Give the reader a key, '@SharedReader(.localStorage(\"…\")) var value = …', or a value of its own, '@SharedReader(value: …) var value'."
  )
  public init(wrappedValue: Value, _ nothing: Never...) {
    fatalError("not available")
  }
}

extension Shared {
  /// Unavailable: an assertion compares values, so the value must be `Equatable`.
  @available(
    *, unavailable,
    message:
      "Only an Equatable value can be asserted: conform its type, assert a part that is Equatable ('$value.part.assert { … }'), or write '$value.skipChanges()'."
  )
  public func assert<Failure: Error>(
    _ updateValueToExpected: (inout Value) throws(Failure) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) {
    fatalError("not available")
  }

  /// Unavailable: a shared value needs a key, or a place of its own.
  ///
  /// Without the last parameter, which takes nothing, `@Shared var count: Int` would make its
  /// structure's memberwise initializer take a value, and not a wrapper.
  @available(
    *, unavailable,
    message:
      "Give the value a key, '@Shared(.localStorage(\"…\")) var value = …', or a place of its own, '@Shared(value: …) var value'."
  )
  public init(wrappedValue: Value, _ nothing: Never...) {
    fatalError("not available")
  }

  /// Unavailable: the value of a key needs a default.
  @available(*, unavailable, message: "Assign a default: '@Shared(…) var value = …'")
  public init(_ key: some SharedKey<Value>) {
    fatalError("not available")
  }
}
