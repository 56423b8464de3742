extension Shared {
  /// Creates a wrapper of an optional's value; returns nil if the optional is nil.
  ///
  /// ```swift
  /// if let user = Shared($currentUser) {
  ///   user.name.withLock { $0 = "Ada" }
  /// }
  /// ```
  /// If the optional becomes nil later, the wrapper keeps the last value that it read, and a write
  /// changes only this copy. If the optional has a value again, the wrapper follows that.
  public init?(_ base: Shared<Value?>) {
    guard let reference = OptionalReference<Value>.value(in: base.handle) else { return nil }
    self.init(reference)
  }

  /// Unwraps an optional element: `Shared($todos[id: id])`.
  public init?(_ element: Shared<Value>?) {
    guard let element else { return nil }
    self = element
  }
}

extension SharedReader {
  /// Creates a reader of an optional's value; returns nil if the optional is nil.
  ///
  /// ```swift
  /// if let user = SharedReader($currentUser) { show(user) }
  /// ```
  /// If the optional becomes nil later, the reader keeps the last value that it read.
  public init?(_ base: some SharedReadable<Value?>) {
    let handle = base.reader.handle
    guard let reference = OptionalReference<Value>.value(in: handle) else { return nil }
    self.init(reference)
  }

  /// Creates a reader of an optional element: `SharedReader($todos[id: id])`.
  public init?(_ element: (some SharedReadable<Value>)?) {
    guard let element else { return nil }
    self = element.reader
  }
}
