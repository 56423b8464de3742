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
