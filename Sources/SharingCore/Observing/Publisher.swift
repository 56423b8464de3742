extension SharedReadable {
  /// The value now, and after each change.
  ///
  /// ```swift
  /// let token = $count.publisher.sink { print($0) }
  /// ```
  /// A value that is `Equatable` is told when it is another one than before, which the publisher
  /// remembers for that; any other after each turn in which it was changed, loaded, or the wrapper
  /// pointed elsewhere.
  public var publisher: SharedPublisher<Value> { SharedPublisher(reader.handle) }
}

extension SharedReadable where Value: Equatable {
  /// The value now, and whenever it is another one.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(distinctOf: reader.handle)
  }
}

extension Shared {
  /// The value now, and after each change; see `publisher` of ``SharedReadable``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(handle) }
}

extension Shared where Value: Equatable {
  /// The value now, and whenever it is another one; see `publisher` of ``SharedReadable``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(distinctOf: handle) }
}

/// What a shared value is, as it changes; see `publisher` of ``SharedReadable``.
///
/// ```swift
/// $count.publisher.dropFirst().map(Action.countUpdated).sink { send($0) }.store(in: &tokens)
/// ```
public struct SharedPublisher<Output> {
  let handle: Handle
  private let attach: Attach

  /// Makes what an observer runs: it reads a value from a source, and hands on what becomes of it.
  typealias Attach = (
    _ source: PublisherSource, _ receive: @escaping (Output) -> Void
  ) -> () -> Void

  init(_ handle: Handle) {
    self.init(handle) { source, receive in
      {
        guard let value: Output = source.value() else { return }
        Scheduler.current.endRecording()
        receive(value)
      }
    }
  }

  fileprivate init(_ handle: Handle, _ attach: @escaping Attach) {
    self.handle = handle
    self.attach = attach
  }

  /// Calls a closure with the value at once, and again after each turn in which it has changed.
  ///
  /// ```swift
  /// var tokens: Set<ObservationToken> = []
  /// $count.publisher.sink { print($0) }.store(in: &tokens)
  /// ```
  /// What the closure reads of other shared values does not matter, unlike in
  /// ``observe(fileID:line:_:)``; it runs where that does.
  /// - Returns: A token; the closure is called until it is cancelled or dropped.
  @_disfavoredOverload
  public func sink(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ receiveValue: @escaping (Output) -> Void
  ) -> ObservationToken {
    let site = CallSite(fileID: fileID, line: line)
    return ObservationToken(ObserverIsolation(), at: site, body(of: receiveValue))
  }

  /// What an observer runs for a subscriber.
  func body(
    reading source: PublisherSource? = nil, of receive: @escaping (Output) -> Void
  ) -> () -> Void {
    attach(source ?? .kept(handle), receive)
  }
}

// MARK: Operators

extension SharedPublisher {
  /// What a closure makes of the values.
  ///
  /// ```swift
  /// $count.publisher.map { $0 * 2 }.sink { print($0) }.store(in: &tokens)
  /// ```
  public func map<Result>(
    _ transform: @escaping @Sendable (Output) -> Result
  ) -> SharedPublisher<Result> {
    SharedPublisher<Result>(handle) { [attach] source, receive in
      attach(source) { receive(transform($0)) }
    }
  }

  /// The values for which a closure answers true.
  public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> SharedPublisher {
    SharedPublisher(handle) { [attach] source, receive in
      attach(source) { if isIncluded($0) { receive($0) } }
    }
  }

  /// The values without the first ones, for each subscriber: without the one that is told at once,
  /// if not said otherwise.
  /// - Parameter count: How many are left out, 0 or more.
  public func dropFirst(_ count: Int = 1) -> SharedPublisher {
    SharedPublisher(handle) { [attach] source, receive in
      var left = count
      return attach(source) {
        if left > 0 { left -= 1 } else { receive($0) }
      }
    }
  }

  /// The values that differ from the one before; the first one in any case.
  /// - Parameter areEqual: Whether two values, the earlier one first, count as the same.
  public func removeDuplicates(
    by areEqual: @escaping @Sendable (Output, Output) -> Bool
  ) -> SharedPublisher {
    withoutRepetitions(areEqual)
  }

  fileprivate func withoutRepetitions(
    _ areEqual: @escaping (Output, Output) -> Bool
  ) -> SharedPublisher {
    SharedPublisher(handle) { [attach] source, receive in
      var last: Output?
      return attach(source) { value in
        if let last, areEqual(last, value) { return }
        last = value
        receive(value)
      }
    }
  }
}

extension SharedPublisher where Output: Equatable {
  fileprivate init(distinctOf handle: Handle) {
    self.init(handle) { source, receive in
      let subscriber = DistinctSubscriber(source, receive)
      return { subscriber.tell() }
    }
  }

  /// The values that are not equal to the one before; the first one in any case.
  public func removeDuplicates() -> SharedPublisher { withoutRepetitions(==) }
}

/// The same as `removeDuplicates` of what is read through a handle: most subscribers are those of a
/// value as it is. A change comes to each in memory, so this is one object, which is all that the
/// observer's closure holds.
private final class DistinctSubscriber<Value: Equatable> {
  private let source: PublisherSource
  private let receive: (Value) -> Void
  @exclusivity(unchecked)
  private var last: Value?

  init(_ source: PublisherSource, _ receive: @escaping (Value) -> Void) {
    self.source = source
    self.receive = receive
  }

  @inline(__always)
  func tell() {
    guard let value: Value = source.value() else { return }
    Scheduler.current.endRecording()
    if let last, last == value { return }
    last = value
    receive(value)
  }
}
