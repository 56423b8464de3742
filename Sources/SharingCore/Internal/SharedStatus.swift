/// What is known of loading and saving a value: itself a shared value, so that each part of it is
/// read, changed and observed like any other (rule R10). The names are not those of `Shared`'s own
/// properties, which would come first in `status.isLoading`.
struct SharedStatus {
  var loading: Bool
  var loadFailure: AnyError?
  var saveFailure: AnyError?
}

extension Persistence {
  /// Notes that loading has begun or ended.
  final func setLoading(_ isLoading: Bool) {
    guard !noteLoading(isLoading), unobservedStatus?.loading != isLoading else { return }
    status.loading.withLock { $0 = isLoading }
  }

  /// Notes the outcome of loading: nil, or why there is no value.
  final func setLoadError(_ error: AnyError?) {
    guard error != nil || unobservedStatus?.loadFailure != nil else { return }
    isLoadErrorNew = error != nil
    set(error, as: status.loadFailure)
  }

  /// Whether the last save has failed: the value is in memory only.
  final var hasSaveError: Bool { unobservedStatus?.saveFailure != nil }

  /// Notes the outcome of saving: nil, or why the value was not stored.
  final func setSaveError(_ error: AnyError?) {
    guard error != nil || hasSaveError else { return }
    set(error, as: status.saveFailure)
  }

  private final func set(_ error: AnyError?, as failure: Shared<AnyError?>) {
    failure.withLock { $0 = error }
  }
}
