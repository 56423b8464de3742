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
    self.init(
      SharingEnvironment.current.references.readable(
        key, TypedCell(wrappedValue(), isKeyed: true), .now,
        at: CallSite(fileID: fileID, line: line)))
  }

  /// Reads an optional value through a writable key.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(
      SharingEnvironment.current.references.readable(
        key, TypedCell(nil, isKeyed: true), .now, at: CallSite(fileID: fileID, line: line)))
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
    self.init(
      SharingEnvironment.current.references.readable(
        key.base, TypedCell(wrappedValue(), isKeyed: true), .now,
        at: CallSite(fileID: fileID, line: line)))
  }
}
