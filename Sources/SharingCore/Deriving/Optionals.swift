extension Shared {
  /// The value of a shared optional, shared; nil when there is none.
  ///
  /// ```swift
  /// if let user = Shared($currentUser) {
  ///   user.name.withLock { $0 = "Ada" }
  /// }
  /// ```
  /// When the optional becomes nil later, this keeps the last value that it has seen, and what is
  /// written goes there only; when the optional has a value again, it follows that.
  public init?(_ base: Shared<Value?>) {
    guard let reference = OptionalReference<Value>.value(in: base.handle) else { return nil }
    self.init(reference)
  }

  /// The element that may be there, as the `Shared` it is already: `Shared($todos[id: 3])`.
  public init?(_ element: Shared<Value>?) {
    guard let element else { return nil }
    self = element
  }
}

extension SharedReader {
  /// The value of a shared optional, to be read; nil when there is none.
  ///
  /// ```swift
  /// if let user = SharedReader($currentUser) { show(user) }
  /// ```
  public init?(_ base: Shared<Value?>) {
    self.init(SharedReader<Value?>(base))
  }

  /// The element that may be there, to be read: `SharedReader($todos[id: 3])`.
  public init?(_ element: Shared<Value>?) {
    guard let element else { return nil }
    self.init(element)
  }

  /// The element that may be there, as the reader it is already.
  public init?(_ element: SharedReader<Value>?) {
    guard let element else { return nil }
    self = element
  }

  /// The value of a shared optional, to be read; nil when there is none.
  ///
  /// When the optional becomes nil later, this keeps the last value that it has seen.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = OptionalReference<Value>.value(in: base.handle) else { return nil }
    self.init(reference)
  }
}
