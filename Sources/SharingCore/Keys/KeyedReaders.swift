// A static member of `SharedKey`, such as `extension SharedKey where Self == … { static var users:
// … }`, is found where a `SharedKey` is asked for, and not where any `SharedReaderKey` is taken.
extension SharedReader {
  /// A value that is read through a key that could also be written.
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

  /// An optional value that is read through a key that could also be written.
  @_disfavoredOverload
  public init<Wrapped>(
    _ key: some SharedKey<Value>, fileID: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(
      SharingEnvironment.current.references.readable(
        key, TypedCell(nil, isKeyed: true), .now, at: CallSite(fileID: fileID, line: line)))
  }

  /// A value that is read through a key with a default of its own that could also be written.
  @_disfavoredOverload
  public init(
    _ key: (some SharedKey<Value>).Default, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      SharingEnvironment.current.references.readable(
        key.base, LazyCell(key.defaultValue), .now, at: CallSite(fileID: fileID, line: line)))
  }

  /// The same, with another default than the key's own.
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
