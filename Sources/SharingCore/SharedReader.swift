/// A property wrapper that reads and observes a shared value.
///
/// ```swift
/// @SharedReader(.inMemory("count")) var count = 0
/// ```
/// It reads like ``Shared`` and cannot write. Like `Shared`, it is neither `Hashable` nor
/// `Codable`.
@propertyWrapper @dynamicMemberLookup
public struct SharedReader<Value> {
  @usableFromInline let handle: Handle

  @usableFromInline
  init(_ reference: Reference) {
    handle = Handle(reference)
  }

  init(_ handle: Handle) {
    self.handle = handle
  }

  /// Creates a reader that follows a handle, until the reader itself is pointed elsewhere.
  init(following handle: Handle) {
    self.handle = FollowingHandle(handle)
  }

  /// Creates a reader of its own value, until you point it elsewhere.
  ///
  /// ```swift
  /// @SharedReader(value: Settings()) var settings
  /// $settings.load(.remoteSettings)
  /// ```
  public init(value: sending Value) {
    self.init(TypedCell(value))
  }

  /// Creates a reader of the value that a ``Shared`` or another reader refers to now.
  ///
  /// ```swift
  /// let reader = SharedReader($count)
  /// ```
  public init(_ base: some SharedReadable<Value>) {
    self.init(base.reader.handle.reference)
  }

  /// Creates the wrapper of a property that receives a `SharedReader`.
  public init(projectedValue: Self) {
    self = projectedValue
  }

  /// Returns a reader of a constant value.
  ///
  /// ```swift
  /// let preview = CounterView(count: .constant(42))
  /// ```
  public static func constant(_ value: sending Value) -> Self {
    Self(value: value)
  }

  /// The value.
  @inlinable
  public var wrappedValue: Value {
    handle.value()
  }

  /// The wrapper itself. Pass it on, derive parts of it, or point it at another value.
  public var projectedValue: Self {
    get { self }
    nonmutating set { handle.point(at: newValue.handle.reference) }
  }
}

extension SharedReader: @unchecked Sendable where Value: Sendable {}

extension SharedReader: Equatable where Value: Equatable {}

extension SharedReader: Identifiable where Value: Identifiable {
  /// The value's id.
  public var id: Value.ID { wrappedValue.id }
}
