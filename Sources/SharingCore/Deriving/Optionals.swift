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
  public init?(_ base: Shared<Value?>) {
    self.init(SharedReader<Value?>(base))
  }

  /// Creates a reader of an optional element: `SharedReader($todos[id: id])`.
  public init?(_ element: Shared<Value>?) {
    guard let element else { return nil }
    self.init(element)
  }

  /// Unwraps an optional reader of an element.
  public init?(_ element: SharedReader<Value>?) {
    guard let element else { return nil }
    self = element
  }

  /// Creates a reader of an optional's value; returns nil if the optional is nil.
  ///
  /// If the optional becomes nil later, the reader keeps the last value that it read.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = OptionalReference<Value>.value(in: base.handle) else { return nil }
    self.init(reference)
  }
}
