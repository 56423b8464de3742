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
    guard let reference = OptionalReference<Value>.value(in: base.box) else { return nil }
    self.init(reference)
  }
}

extension SharedReader {
  /// The value of a shared optional, to be read; nil when there is none.
  ///
  /// When the optional becomes nil later, this keeps the last value that it has seen.
  public init?(_ base: SharedReader<Value?>) {
    guard let reference = OptionalReference<Value>.value(in: base.box) else { return nil }
    self.init(reference)
  }
}
