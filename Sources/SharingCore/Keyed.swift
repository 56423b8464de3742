extension Shared {
  /// A value that is shared through a key, with a default for as long as nothing is stored.
  ///
  /// ```swift
  /// @Shared(.inMemory("count")) var count = 0
  /// ```
  /// - Parameters:
  ///   - wrappedValue: The default; the first wrapper's counts, and it is not saved.
  ///   - key: Where the value comes from and goes to.
  public init<Key: SharedKey<Value>>(
    wrappedValue: @autoclosure () -> Value, _ key: Key,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let site = CallSite(fileID: fileID, line: line)
    let reference = SharingEnvironment.current.references.reference(
      for: key, initialValue: wrappedValue, at: site)
    reference.attach({ key.save($0, context: $1, continuation: $2) })
    self.init(reference)
  }

  /// An optional value that is shared through a key: nil for as long as nothing is stored.
  ///
  /// ```swift
  /// @Shared(.inMemory("user")) var user: User?
  /// ```
  public init<Wrapped>(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(wrappedValue: nil, key, fileID: fileID, line: line)
  }
}

extension SharedReader {
  /// A value that is read through a key, with a default for as long as nothing is stored.
  ///
  /// ```swift
  /// @SharedReader(.inMemory("count")) var count = 0
  /// ```
  /// - Parameters:
  ///   - wrappedValue: The default; the first wrapper's counts.
  ///   - key: Where the value comes from.
  public init<Key: SharedReaderKey<Value>>(
    wrappedValue: @autoclosure () -> Value, _ key: Key,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let site = CallSite(fileID: fileID, line: line)
    self.init(
      SharingEnvironment.current.references.reference(
        for: key, initialValue: wrappedValue, at: site))
  }

  /// An optional value that is read through a key: nil for as long as nothing is stored.
  public init<Wrapped>(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(wrappedValue: nil, key, fileID: fileID, line: line)
  }
}
