extension SharedReadable {
  /// A publisher of the value now, and after each change.
  ///
  /// ```swift
  /// let token = $count.publisher.sink { print($0) }
  /// ```
  /// An `Equatable` value is published only if it differs from the last one, which the publisher
  /// keeps. Any other value is published after each turn that changes it, loads it, or points the
  /// wrapper elsewhere.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(handle: reader.handle, areEqual: nil)
  }
}

extension SharedReadable where Value: Equatable {
  /// A publisher of the value now, and whenever it differs from the last one.
  public var publisher: SharedPublisher<Value> {
    SharedPublisher(handle: reader.handle, areEqual: ==)
  }
}

// Without these, each read of a subscriber would go through a reader that follows the wrapper.
extension Shared {
  /// A publisher of the value now, and after each change; see `publisher` of ``SharedReadable``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(handle: handle, areEqual: nil) }
}

extension Shared where Value: Equatable {
  /// A publisher of the value now, and whenever it differs from the last one; see `publisher` of
  /// ``SharedReadable``.
  public var publisher: SharedPublisher<Value> { SharedPublisher(handle: handle, areEqual: ==) }
}

/// The values of a shared value as it changes; see `publisher` of ``SharedReadable``.
///
/// ```swift
/// $count.publisher.sink { send(.countUpdated($0)) }.store(in: &tokens)
/// ```
public struct SharedPublisher<Output> {
  let handle: Handle
  /// Returns whether two values are equal; nil if they cannot be compared.
  let areEqual: ((Output, Output) -> Bool)?

  /// Returns the closure that an observer runs for a subscriber.
  func body(of receive: @escaping (Output) -> Void) -> () -> Void {
    let subscriber = Subscriber(handle, areEqual, receive)
    return { subscriber.notify() }
  }
}

/// A subscriber of a publisher, as one object: each change costs memory accesses, so the observer's
/// closure holds this object only.
final class Subscriber<Value> {
  private let handle: Handle
  private let areEqual: ((Value, Value) -> Bool)?
  private let receive: (Value) -> Void
  @exclusivity(unchecked)
  private var last: Value?

  init(
    _ handle: Handle, _ areEqual: ((Value, Value) -> Bool)?, _ receive: @escaping (Value) -> Void
  ) {
    self.handle = handle
    self.areEqual = areEqual
    self.receive = receive
  }

  /// Passes the value on, unless it equals the last one.
  func notify() {
    // The subscriber retains the handle, so no reference is counted for it.
    let value: Value = Unmanaged.passUnretained(handle)._withUnsafeGuaranteedRef {
      let value: Value = $0.valueInCaller()
      return value
    }
    Scheduler.current.endRecording()
    if let areEqual {
      if let last, areEqual(last, value) { return }
      last = value
    }
    receive(value)
  }
}
