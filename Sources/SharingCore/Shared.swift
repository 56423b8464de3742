/// A property wrapper whose value is shared: by its copies, by every wrapper with an equal key, and
/// by the store behind the key.
///
/// ```swift
/// @Shared(.inMemory("count")) var count = 0
///
/// count                        // read
/// $count.withLock { $0 += 1 }  // change, observe, save
/// $user.name                   // a Shared<String> that is a part of a Shared<User>
/// ```
/// Natively, in a class that is `@Observable`, it is left to itself, since it tells Swift's
/// Observation of changes, too:
///
/// ```swift
/// @Observable final class Model {
///   @ObservationIgnored @Shared(.inMemory("count")) var count = 0
/// }
/// ```
/// It is not `Hashable`, because its value changes while its identity does not, and not `Codable`,
/// because decoding cannot know whom to share with.
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

  /// The value. To change it, use ``withLock(_:fileID:line:)``.
  public var wrappedValue: Value {
    @inlinable
    get {
      handle.value()
    }
    @available(
      *, deprecated,
      message: "Use '$value.withLock { $0 = … }': a read and a write apart may lose a change."
    )
    // An assignment has no call site: Swift hands a setter none.
    nonmutating set { withLock({ $0 = newValue }, line: CallSite.unknownLine) }
  }

  /// The wrapper itself: hand it to whom the value shall be shared with, derive parts of it, or
  /// point it elsewhere.
  ///
  /// ```swift
  /// $count = Shared(wrappedValue: 0, .inMemory("other"))
  /// ```
  /// What has been derived before keeps following the old value.
  public var projectedValue: Self {
    get { self }
    nonmutating set { handle.point(at: newValue.handle.reference) }
  }

  /// Changes the value in place, with exclusive access.
  ///
  /// ```swift
  /// let isLast = $todos.withLock { todos in
  ///   todos.removeLast()
  ///   return todos.isEmpty
  /// }
  /// ```
  /// Before the closure runs, the key looks whether its store holds something newer. Afterwards
  /// observers run and the value is saved, unless a ``batch(_:)`` is open: then when that ends.
  /// Using the same value inside the closure, other than through its argument, stops the program.
  /// A `withLock` or a read of another value may be nested, in the same order on every thread: two
  /// threads that nest two values in opposite orders wait for each other, which stops the program
  /// with both places.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws. What it had changed until then is observed and saved.
  @discardableResult
  @inlinable
  public func withLock<Output, Failure: Error>(
    _ operation: (inout Value) throws(Failure) -> Output,
    fileID: StaticString = #fileID, line: UInt = #line
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

  /// Changes the value in place by a closure that may run again: for a new value that depends on
  /// the old one.
  ///
  /// ```swift
  /// $count.update { $0 += 1 }
  /// ```
  /// It runs now, and what it has changed shows at once. Under a key that loses nothing, such as
  /// `.indexedDB`, it runs again, in order with the others that are not stored yet, where another
  /// program was first: of two programs that count to 1,000 at the same moment, none loses a step.
  /// Its effect is applied exactly once. So it must be pure: it changes its argument, by that
  /// argument and by constants that it captures, and nothing else. Other shared values are
  /// read before it; nesting has the rules of ``withLock(_:fileID:line:)``.
  ///
  /// Under every other key, it is ``withLock(_:fileID:line:)`` without a result. Use that where the
  /// new value does not depend on the old one, and where something has to be returned.
  public func update(
    _ operation: @escaping @Sendable (inout Value) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    handle.update(fileID: fileID, line: line) {
      operation(&$0.assumingMemoryBound(to: Value.self).pointee)
    }
  }

  /// Changes a value that has to be found in place: an element, the value of an optional.
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
