/// A place in a ``SharingEnvironment`` for one object of another module, such as a default store.
///
/// Declare it once, as a static constant: its identity says which place it is.
///
/// ```swift
/// static let localStore = SharingEnvironmentSlot<MemoryStore> { MemoryStore() }
/// ```
public final class SharingEnvironmentSlot<Member: AnyObject>: Sendable {
  let make: @Sendable () -> Member

  /// - Parameter make: Makes the object at first use in each environment.
  public init(_ make: @escaping @Sendable () -> Member) {
    self.make = make
  }
}
