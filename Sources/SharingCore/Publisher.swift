extension SharedReadable {
  /// The value now, and after each change.
  ///
  /// ```swift
  /// let token = $count.publisher.sink { print($0) }
  /// ```
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(box: reader.box)
  }
}

extension Shared {
  /// The value now, and after each change; see ``SharedReadable/publisher``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(box: box) }
}

/// What a shared value is, as it changes; see ``SharedReadable/publisher``.
public struct SharedPublisher<Value> {
  let box: Box

  /// Calls a closure with the value at once, and again after each turn in which it has changed.
  ///
  /// ```swift
  /// var tokens: Set<ObservationToken> = []
  /// $count.publisher.sink { print($0) }.store(in: &tokens)
  /// ```
  /// What the closure reads of other shared values does not matter, unlike in
  /// ``observe(fileID:line:_:)``.
  /// - Returns: A token; the closure is called until it is cancelled or dropped.
  public func sink(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ receiveValue: @escaping (Value) -> Void
  ) -> ObservationToken {
    observe(fileID: fileID, line: line) { [box] in
      let value = SharedReader<Value>(box).wrappedValue
      Turn.current.withoutObserver { receiveValue(value) }
    }
  }
}
