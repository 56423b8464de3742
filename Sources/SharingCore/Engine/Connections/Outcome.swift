/// What a key hands over, whatever the type of its value: what receives it need not know the type,
/// and so is there once and not once for each.
package enum Outcome {
  /// The value at an address, valid during the call. Whoever takes the value swaps it for another
  /// one.
  case value(UnsafeMutableRawPointer)
  /// Nothing is stored: the default. What saves says with this that it is done.
  case nothing
  case failure(AnyError)

  /// Hands a result over.
  static func deliver<Value>(
    _ result: Result<Value?, AnyError>, to receive: (Outcome) -> Void
  ) {
    switch result {
    case .success(var value?): withUnsafeMutablePointer(to: &value) { receive(.value($0)) }
    case .success(nil): receive(.nothing)
    case .failure(let error): receive(.failure(error))
    }
  }

  /// The result, of a value of a known type.
  func result<Value>() -> Result<Value?, AnyError> {
    switch self {
    case .value(let address): .success(address.assumingMemoryBound(to: Value.self).pointee)
    case .nothing: .success(nil)
    case .failure(let error): .failure(error)
    }
  }

  /// Whether something is done.
  var completion: Result<Void, AnyError> {
    guard let failure else { return .success(()) }
    return .failure(failure)
  }

  var failure: AnyError? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
