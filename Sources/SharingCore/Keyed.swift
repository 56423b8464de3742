extension Shared {
  /// A value that is shared through a key, with a default for as long as nothing is stored.
  ///
  /// ```swift
  /// @Shared(.inMemory("count")) var count = 0
  /// ```
  /// - Parameters:
  ///   - wrappedValue: The default; the first wrapper's counts, and it is not saved.
  ///   - key: Where the value comes from and goes to.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(.writable(key, wrappedValue, at: CallSite(fileID: fileID, line: line)))
  }

  /// An optional value that is shared through a key: nil for as long as nothing is stored.
  ///
  /// ```swift
  /// @Shared(.inMemory("user")) var user: User?
  /// ```
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(wrappedValue: nil, key, fileID: fileID, line: line)
  }

  /// A value that is shared through a key with a default of its own.
  ///
  /// ```swift
  /// @Shared(.isOn) var isOn
  /// ```
  public init(
    _ key: (some SharedKey<Value>).Default, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: key.defaultValue(), key.base, fileID: fileID, line: line)
  }

  /// A value that is shared through a key, with another default than the key's own.
  ///
  /// ```swift
  /// @Shared(.isOn) var isOn = true
  /// ```
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: (some SharedKey<Value>).Default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue(), key.base, fileID: fileID, line: line)
  }

  /// Not there, so that the compiler can say what is missing.
  @available(*, unavailable, message: "Assign a default: '@Shared(…) var value = …'")
  public init(_ key: some SharedKey<Value>) {
    fatalError("not available")
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
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedReaderKey<Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(.readable(key, wrappedValue, at: CallSite(fileID: fileID, line: line)))
  }

  /// An optional value that is read through a key: nil for as long as nothing is stored.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(wrappedValue: nil, key, fileID: fileID, line: line)
  }

  /// A value that is read through a key with a default of its own.
  public init(
    _ key: (some SharedReaderKey<Value>).Default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: key.defaultValue(), key.base, fileID: fileID, line: line)
  }

  /// A value that is read through a key, with another default than the key's own.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: (some SharedReaderKey<Value>).Default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue(), key.base, fileID: fileID, line: line)
  }
}

extension Reference {
  /// The reference of a key, which the caller reads.
  static func readable<Key: SharedReaderKey>(
    _ key: Key, _ initialValue: () -> Key.Value, at site: CallSite
  ) -> Reference {
    SharingEnvironment.current.references.reference(for: key, initialValue: initialValue, at: site)
  }

  /// The reference of a key, which the caller reads and writes.
  static func writable<Key: SharedKey>(
    _ key: Key, _ initialValue: () -> Key.Value, _ load: FirstLoad = .now, at site: CallSite
  ) -> ValueReference<Key.Value> {
    let reference = SharingEnvironment.current.references.reference(
      for: key, initialValue: initialValue, load, at: site)
    // What lives in memory only is saved by living there.
    guard key.lifetime != .environment, let persistence = reference.persistence else {
      return reference
    }
    // Of equal keys the first one knows the store; a later one would start from nothing.
    let key = (persistence as? KeyPersistence<Key>)?.key ?? key
    let keyed = unsafeDowncast(persistence, to: ValuePersistence<Key.Value>.self)
    keyed.attach(to: reference) { key.answer($0, $1, $2) }
    return reference
  }
}
