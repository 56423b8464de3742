/// The status of loading and saving a value. It is itself a shared value, so that each part is
/// read, changed and observed like any other (rule R10). The names differ from `Shared`'s own
/// properties, which would take precedence in `status.isLoading`.
struct SharedStatus {
  var loading: Bool
  var saving: Bool
  var loadFailure: AnyError?
  var saveFailure: AnyError?
}

extension CellPersistence {
  /// Sets the outcome of a load: nil, or the error.
  func setLoadError(_ error: AnyError?) {
    guard error != nil || unobservedStatus?.current.loadFailure != nil else { return }
    isLoadErrorNew = error != nil
    set(error, as: status.loadFailure)
  }

  /// Whether the last save failed, so that the value is only in memory.
  var hasSaveError: Bool { unobservedStatus?.current.saveFailure != nil }

  /// Sets the outcome of a save: nil, or the error.
  func setSaveError(_ error: AnyError?) {
    guard error != nil || hasSaveError else { return }
    set(error, as: status.saveFailure)
  }

  private func set(_ error: AnyError?, as failure: Shared<AnyError?>) {
    failure.withLock { $0 = error }
  }
}
