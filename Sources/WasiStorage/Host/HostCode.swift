import CHost
import SharingCore

/// What a negative result of a host function means.
enum HostCode: Error {
  case missing, denied, quota, nameTooLong, failed

  /// Nil when the result is not negative.
  init?(_ result: Int32) {
    if result >= 0 { return nil }
    switch Int(result) {
    case Int(SHARING_MISSING): self = .missing
    case Int(SHARING_DENIED): self = .denied
    case Int(SHARING_QUOTA): self = .quota
    case Int(SHARING_NAME_TOO_LONG): self = .nameTooLong
    default: self = .failed
    }
  }
}

extension HostCode {
  /// What kind of trouble that is.
  var reason: StorageError.Reason {
    switch self {
    case .denied: .denied
    case .quota: .quotaExceeded
    case .nameTooLong: .nameTooLong
    case .missing, .failed: .other
    }
  }

  /// What went wrong and what helps, as the end of a sentence.
  var explanation: StaticString {
    switch self {
    case .missing: "the place to store it does not exist."
    case .denied: "access is denied. Allow site data, or make the folder writable."
    case .quota: "there is no room left. Free some, then change or save it again."
    case .nameTooLong: "the name is too long. Use a shorter key or folder."
    case .failed: "the host gave no reason."
    }
  }
}
