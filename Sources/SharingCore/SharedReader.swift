/// A property wrapper whose value is shared, to be read and observed only.
///
/// ```swift
/// @SharedReader(.inMemory("count")) var count = 0
/// ```
/// It reads like ``Shared`` and has no way to write; like that, it is neither `Hashable` nor
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

  /// A reader that points where a handle points, until it is pointed elsewhere itself.
  init(following handle: Handle) {
    self.handle = FollowingHandle(handle)
  }

  /// A reader of a value of its own, for as long as it is pointed nowhere else.
  ///
  /// ```swift
  /// @SharedReader(value: Settings()) var settings
  /// $settings.load(.remoteSettings)
  /// ```
  public init(value: sending Value) {
    self.init(TypedCell(value))
  }

  /// A reader of what a ``Shared`` refers to now.
  ///
  /// ```swift
  /// let reader = SharedReader($count)
  /// ```
  public init(_ base: Shared<Value>) {
    self.init(base.handle.reference)
  }

  /// The wrapper for a property that is handed a `SharedReader`.
  public init(projectedValue: Self) {
    self = projectedValue
  }

  /// A reader of a value that nobody can change.
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

  /// The wrapper itself, to hand on, to derive parts of, or to point elsewhere.
  public var projectedValue: Self {
    get { self }
    nonmutating set { handle.point(at: newValue.handle.reference) }
  }
}

extension SharedReader: @unchecked Sendable where Value: Sendable {}
