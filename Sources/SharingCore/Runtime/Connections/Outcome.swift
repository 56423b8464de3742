/// A result from a key, without the type of its value. So the code of receivers is not specialized
/// for each type.
package enum Outcome {
  /// The value at an address, valid during the call. A receiver may swap it for another one.
  case value(UnsafeMutableRawPointer)
  /// Nothing is stored: use the default. For a save: success.
  case nothing
  case failure(AnyError)

  /// Delivers a result.
  static func deliver<Value>(
    _ result: Result<Value?, AnyError>, to receive: (Outcome) -> Void
  ) {
    switch result {
    case .success(var value?): withUnsafeMutablePointer(to: &value) { receive(.value($0)) }
    case .success(nil): receive(.nothing)
    case .failure(let error): receive(.failure(error))
    }
  }

  /// Returns the result with a typed value.
  func result<Value>() -> Result<Value?, AnyError> {
    switch self {
    case .value(let address): .success(address.assumingMemoryBound(to: Value.self).pointee)
    case .nothing: .success(nil)
    case .failure(let error): .failure(error)
    }
  }

  /// Success, or the failure.
  var completion: Result<Void, AnyError> {
    guard let failure else { return .success(()) }
    return .failure(failure)
  }

  var failure: AnyError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}

/// Takes over an outcome, and returns a closure that passes it on to the program.
package typealias OutcomeCallback = @Sendable (Outcome) -> () -> Void

/// The effect of an outcome that was delivered to a value, or taken over for one.
package struct Delivery {
  /// The value's new revision, 0 if unknown; nil if the value was not replaced.
  package let revision: UInt32?
  /// Completes the request. Call it once, without a lock: it calls code of the program (rule R7).
  package let complete: () -> Void

  /// Completes the request.
  /// - Returns: The revision.
  @discardableResult
  package func finish() -> UInt32? {
    complete()
    return revision
  }
}

/// The difference of a stored array from the one in memory. Not for programs.
///
/// It is prepared without a lock, since that decodes elements (rule R7), and applied under the
/// cell's lock. Arrays of storable elements make patches; other values are replaced as a whole.
public protocol _ValuePatch: AnyObject {
  /// The elements that the patch changes.
  var changes: ElementChanges { get }

  /// Changes the value at an address in place: a copy would retain each of thousands of elements.
  /// Destroys no element, since the value is under its lock.
  func apply(to value: UnsafeMutableRawPointer)
}
