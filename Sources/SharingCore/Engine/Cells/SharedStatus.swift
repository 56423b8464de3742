/// What is known of loading and saving a value: itself a shared value, so that each part of it is
/// read, changed and observed like any other (rule R10). The names are not those of `Shared`'s own
/// properties, which would come first in `status.isLoading`.
struct SharedStatus {
  var loading: Bool
  var saving: Bool
  var loadFailure: AnyError?
  var saveFailure: AnyError?
}

extension CellPersistence {
  /// Notes the outcome of loading: nil, or why there is no value.
  func setLoadError(_ error: AnyError?) {
    guard error != nil || unobservedStatus?.current.loadFailure != nil else { return }
    isLoadErrorNew = error != nil
    set(error, as: status.loadFailure)
  }

  /// Whether the last save has failed: the value is in memory only.
  var hasSaveError: Bool { unobservedStatus?.current.saveFailure != nil }

  /// Notes the outcome of saving: nil, or why the value was not stored.
  func setSaveError(_ error: AnyError?) {
    guard error != nil || hasSaveError else { return }
    set(error, as: status.saveFailure)
  }

  private func set(_ error: AnyError?, as failure: Shared<AnyError?>) {
    failure.withLock { $0 = error }
  }
}
