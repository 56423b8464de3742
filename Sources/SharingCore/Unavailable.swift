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
  /// Not there: what is read has a key, or is shared by somebody.
  @available(
    *, unavailable,
    message:
      "Say what is read: by a key, '@SharedReader(.localStorage(\"…\")) var value = …', or as its own, '@SharedReader(value: …) var value'."
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

  /// Not there: a value that is shared has a key, or is a wrapper's own.
  ///
  /// Without the last parameter, which takes nothing, `@Shared var count: Int` would make its
  /// structure's memberwise initializer take a value, and not a wrapper.
  @available(
    *, unavailable,
    message:
      "Say with whom the value is shared: by a key, '@Shared(.localStorage(\"…\")) var value = …', or as its own, '@Shared(value: …) var value'."
  )
  public init(wrappedValue: Value, _ nothing: Never...) {
    fatalError("not available")
  }

  /// Not there: a key's value needs a default.
  @available(*, unavailable, message: "Assign a default: '@Shared(…) var value = …'")
  public init(_ key: some SharedKey<Value>) {
    fatalError("not available")
  }
}
