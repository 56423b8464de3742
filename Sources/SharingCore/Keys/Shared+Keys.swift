extension Shared {
  /// Shares a value through a key, with a default while nothing is stored.
  ///
  /// ```swift
  /// @Shared(.inMemory("count")) var count = 0
  /// ```
  /// - Parameters:
  ///   - wrappedValue: The default, which is not saved. If wrappers give different defaults, the
  ///     first one applies. It is evaluated at once, unless another wrapper of the key exists; the
  ///     default of a ``SharedReaderKey/Default`` is evaluated when it is shown.
  ///   - key: The key that loads and stores the value.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      SharingEnvironment.current.references.writable(
        key, TypedCell(wrappedValue(), isKeyed: true), .now,
        at: CallSite(fileID: fileID, line: line)))
  }

  /// Shares an optional value through a key; it is nil while nothing is stored.
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

  /// Shares a value through a key with its own default.
  ///
  /// ```swift
  /// @Shared(.isOn) var isOn
  /// ```
  public init(
    _ key: (some SharedKey<Value>).Default, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      SharingEnvironment.current.references.writable(
        key.base, LazyCell(key.defaultValue), .now, at: CallSite(fileID: fileID, line: line)))
  }

  /// Shares a value through a key, with another default than the key's own.
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
}

extension SharedReader {
  /// Reads a value through a key, with a default while nothing is stored.
  ///
  /// ```swift
  /// @SharedReader(.inMemory("count")) var count = 0
  /// ```
  /// - Parameters:
  ///   - wrappedValue: The default; the first wrapper's counts. It is evaluated at once, unless
  ///     there is another wrapper of the key; that of a ``SharedReaderKey/Default`` only when it is
  ///     shown.
  ///   - key: Where the value comes from.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedReaderKey<Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      SharingEnvironment.current.references.readable(
        key, TypedCell(wrappedValue(), isKeyed: true), .now,
        at: CallSite(fileID: fileID, line: line)))
  }

  /// Reads an optional value through a key; it is nil while nothing is stored.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedReaderKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(wrappedValue: nil, key, fileID: fileID, line: line)
  }

  /// Reads a value through a key with its own default.
  public init(
    _ key: (some SharedReaderKey<Value>).Default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      SharingEnvironment.current.references.readable(
        key.base, LazyCell(key.defaultValue), .now, at: CallSite(fileID: fileID, line: line)))
  }

  /// Reads a value through a key, with another default than the key's own.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: (some SharedReaderKey<Value>).Default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue(), key.base, fileID: fileID, line: line)
  }
}

// The compiler finds a static member of `SharedKey` only where a parameter is a `SharedKey`, not
// where it is any `SharedReaderKey`. An example of such a member:
// `extension SharedKey where Self == … { static var users: … }`.
extension SharedReader {
  /// Reads a value through a writable key.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: some SharedKey<Value>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue(), key, fileID: fileID, line: line)
  }

  /// Reads an optional value through a writable key.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(wrappedValue: nil, key, fileID: fileID, line: line)
  }

  /// Reads a value through a writable key with its own default.
  @_disfavoredOverload
  public init(
    _ key: (some SharedKey<Value>).Default, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      SharingEnvironment.current.references.readable(
        key.base, LazyCell(key.defaultValue), .now, at: CallSite(fileID: fileID, line: line)))
  }

  /// Reads a value through a writable key, with another default than the key's own.
  @_disfavoredOverload
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: (some SharedKey<Value>).Default,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(wrappedValue: wrappedValue(), key.base, fileID: fileID, line: line)
  }
}

extension ReferenceTable {
  /// Returns the reference of a key. If the id is new, makes the reference and loads it.
  /// - Parameter cell: A cell with the default; not evaluated if the reference exists.
  @inline(__always)
  func readable<Key: SharedReaderKey>(
    _ key: Key, _ cell: @autoclosure () -> TypedCell<Key.Value>, _ load: FirstLoad,
    at site: CallSite
  ) -> TypedCell<Key.Value> {
    reference(of: key, cell(), key._makeConnection(), load, at: site)
  }

  /// Returns the reference of a key that also saves changes.
  @inline(__always)
  func writable<Key: SharedKey>(
    _ key: Key, _ cell: @autoclosure () -> TypedCell<Key.Value>, _ load: FirstLoad,
    at site: CallSite
  ) -> TypedCell<Key.Value> {
    let reference = reference(of: key, cell(), key._makeConnection(), load, at: site)
    if let persistence = reference.persistence, !persistence.canSave {
      reportOtherUse(at: site)
    }
    return reference
  }

  @inline(__always)
  private func reference<Key: SharedReaderKey>(
    of key: Key, _ cell: @autoclosure () -> TypedCell<Key.Value>,
    _ connection: @autoclosure () -> _SharedConnection, _ load: FirstLoad, at site: CallSite
  ) -> TypedCell<Key.Value> {
    let id = key.id
    return reference(of: id, Key.Value.self)
      ?? makeReference(of: key, id, cell(), connection(), load, at: site)
  }
}
