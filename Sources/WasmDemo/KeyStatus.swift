import SharingCore

/// What is known of loading and saving a key's value.
struct KeyStatus {
  let isLoading: Bool
  let loadError: AnyError?
  let saveError: AnyError?

  init<Value>(_ value: Shared<Value>) {
    isLoading = value.isLoading
    loadError = value.loadError
    saveError = value.saveError
  }
}

extension Counter {
  /// What is known of loading and saving it.
  var status: KeyStatus { KeyStatus($count) }
}
