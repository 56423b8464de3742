/// A property wrapper that shares its value with its copies, with every wrapper of an equal key,
/// and with the store behind the key.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
///
/// count                        // read
/// $count.withLock { $0 += 1 }  // change, observe, save
/// $user.name                   // a Shared<String> that is a part of a Shared<User>
/// ```
/// In a native class that is `@Observable`, mark it `@ObservationIgnored`: it notifies Swift's
/// Observation of changes itself.
///
/// ```swift
/// @Observable final class Model {
///   @ObservationIgnored @Shared(.inMemory("count")) var count = 0
/// }
/// ```
/// It is not `Hashable`, because its value changes while its identity does not. It is not
/// `Codable`, because decoding cannot restore the sharing.
@propertyWrapper @dynamicMemberLookup
public struct Shared<Value> {
  @usableFromInline let handle: Handle

  @usableFromInline
  init(_ reference: Reference) {
    handle = Handle(reference)
  }

  /// The wrapper for a property that is handed a `Shared`, as in `Row(todo: $todo)`.
  public init(projectedValue: Self) {
    self = projectedValue
  }

  /// The value. To change it, use ``withLock(_:fileID:filePath:line:column:)``.
  public var wrappedValue: Value {
    @inlinable
    get {
      handle.value()
    }
    @available(
      *, deprecated,
      message: "Use '$value.withLock { $0 = … }': a separate read and write may lose a change."
    )
    // An assignment has no call site: Swift hands a setter none.
    nonmutating set { withLock({ $0 = newValue }, line: CallSite.unknownLine) }
  }

  /// The wrapper itself. Pass it to other code that shares the value, derive parts of it, or point
  /// it at another value.
  ///
  /// ```swift
  /// $count = Shared(wrappedValue: 0, .inMemory("other"))
  /// ```
  /// Wrappers that were derived before keep following the old value.
  public var projectedValue: Self {
    get { self }
    nonmutating set { handle.point(at: newValue.handle.reference) }
  }

  /// Changes the value in place, with exclusive access; for `withLock`.
  @inlinable
  @inline(__always)
  func change<Output, Failure: Error>(
    _ operation: (inout Value) throws(Failure) -> Output, _ fileID: StaticString, _ line: UInt
  ) throws(Failure) -> Output {
    try withUnsafeTemporaryAllocation(of: Mutation.self, capacity: 1) {
      (buffer) throws(Failure) -> Output in
      let mutation = buffer.baseAddress!
      guard
        let address = handle.beginChange(
          mutation, isUpdate: false, fileID: fileID, line: line)
      else {
        return try endChange(mutation, by: operation)
      }
      defer { handle.endChange(mutation, of: nil) }
      return try operation(&address.assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Changes the value in place with a closure that may run again. Use it if the new value depends
  /// on the old one.
  ///
  /// ```swift
  /// $count.update { $0 += 1 }
  /// ```
  /// The closure runs now, and its change shows at once. Some keys lose no change, such as
  /// `.indexedDB`. Under these, if another program commits first, the closure runs again on the
  /// newer value, in order with the other closures that are not stored yet. Two programs that count
  /// to 1,000 at the same moment lose no step. Its effect is applied exactly once.
  ///
  /// So the closure must be pure: it changes only its argument, and uses only that argument and
  /// captured constants. Read other shared values before it; nesting follows the rules of
  /// ``withLock(_:fileID:filePath:line:column:)``.
  ///
  /// Under every other key, this is `withLock` without a result. Use `withLock` if the new value
  /// does not depend on the old one, or if you need a result.
  public func update(
    _ operation: @escaping @Sendable (inout Value) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    handle.update(fileID: fileID, line: line) {
      operation(&$0.assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Changes a part that is found at each change: an element or the value of an optional.
  @inlinable
  @inline(never)
  func endChange<Output, Failure: Error>(
    _ mutation: UnsafeMutablePointer<Mutation>,
    by operation: (inout Value) throws(Failure) -> Output
  ) throws(Failure) -> Output {
    var outcome: Result<Output, Failure>?
    handle.endChange(mutation) { address, _ in
      let value = address.assumingMemoryBound(to: Value.self)
      do throws(Failure) {
        outcome = .success(try operation(&value.pointee))
      } catch {
        outcome = .failure(error)
      }
      return nil
    }
    return try outcome!.get()
  }
}

extension Shared: @unchecked Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {}

extension Shared: Identifiable where Value: Identifiable {
  /// The value's id.
  public var id: Value.ID { wrappedValue.id }
}
