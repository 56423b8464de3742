extension SharedReadable {
  /// A publisher of the value now, and after each change.
  ///
  /// ```swift
  /// let token = $count.publisher.sink { print($0) }
  /// ```
  /// An `Equatable` value is published only if it differs from the last one, which the publisher
  /// keeps. Any other value is published after each turn that changes it, loads it, or points the
  /// wrapper elsewhere.
  public var publisher: SharedPublisher<Value> { SharedPublisher(reader.handle) }
}

extension SharedReadable where Value: Equatable {
  /// A publisher of the value now, and whenever it differs from the last one.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(distinctOf: reader.handle)
  }
}

// Without these, a publisher would retain a reader that follows the wrapper, and its values would
// not end with the wrapper.
extension Shared {
  /// A publisher of the value now, and after each change; see `publisher` of ``SharedReadable``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(handle) }
}

extension Shared where Value: Equatable {
  /// A publisher of the value now, and whenever it differs from the last one; see `publisher` of
  /// ``SharedReadable``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(distinctOf: handle) }
}

/// The values of a shared value as it changes; see `publisher` of ``SharedReadable``.
///
/// ```swift
/// $count.publisher.dropFirst().map(Action.countUpdated).sink { send($0) }.store(in: &tokens)
/// ```
public struct SharedPublisher<Output> {
  let handle: Handle
  private let attach: Attach

  /// Makes an observer's closure: it reads a value from a source and passes the transformed one on.
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

  /// Returns the closure that an observer runs for a subscriber.
  func body(
    reading source: PublisherSource? = nil, of receive: @escaping (Output) -> Void
  ) -> () -> Void {
    attach(source ?? .kept(handle), receive)
  }
}

// MARK: Operators

extension SharedPublisher {
  /// Transforms the values with a closure.
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

  /// Passes on the results of a closure that are not nil.
  ///
  /// ```swift
  /// $user.publisher.compactMap { $0?.name }.sink { print($0) }.store(in: &tokens)
  /// ```
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Output) -> Result?
  ) -> SharedPublisher<Result> {
    SharedPublisher<Result>(handle) { [attach] source, receive in
      attach(source) { if let result = transform($0) { receive(result) } }
    }
  }

  /// Passes on the values for which a closure returns true.
  public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> SharedPublisher {
    SharedPublisher(handle) { [attach] source, receive in
      attach(source) { if isIncluded($0) { receive($0) } }
    }
  }

  /// Skips the first values of each subscriber; by default only the one that is published at once.
  /// - Parameter count: The number of values to skip, 0 or more.
  public func dropFirst(_ count: Int = 1) -> SharedPublisher {
    SharedPublisher(handle) { [attach] source, receive in
      var left = count
      return attach(source) {
        if left > 0 { left -= 1 } else { receive($0) }
      }
    }
  }

  /// Passes on the first value and each one that differs from the one before.
  /// - Parameter areEqual: Returns whether two values, the earlier one first, count as equal.
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
      return { subscriber.notify() }
    }
  }

  /// Passes on the first value and each one that is not equal to the one before.
  public func removeDuplicates() -> SharedPublisher { withoutRepetitions(==) }
}

/// `removeDuplicates` of the value of a handle, as one object: the common subscriber has no other
/// operator. Each change costs memory accesses, so the observer's closure holds this object only.
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
  func notify() {
    guard let value: Value = source.value() else { return }
    Scheduler.current.endRecording()
    if let last, last == value { return }
    last = value
    receive(value)
  }
}
