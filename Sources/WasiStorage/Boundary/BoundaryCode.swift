import CHost
import SharingCore

/// The meaning of a negative result of a host function.
package enum BoundaryCode: Error {
  case missing, denied, quota, nameTooLong, nameInvalid, folder, noFile, tooLarge, busy, failed

  /// Nil when the result is not negative.
  package init?(_ result: Int32) {
    if result >= 0 { return nil }
    switch Int(result) {
    case Int(SHARING_MISSING): self = .missing
    case Int(SHARING_DENIED): self = .denied
    case Int(SHARING_QUOTA): self = .quota
    case Int(SHARING_NAME_TOO_LONG): self = .nameTooLong
    case Int(SHARING_NAME_INVALID): self = .nameInvalid
    case Int(SHARING_FOLDER): self = .folder
    case Int(SHARING_NO_FILE): self = .noFile
    case Int(SHARING_TOO_LARGE): self = .tooLarge
    case Int(SHARING_BUSY): self = .busy
    default: self = .failed
    }
  }
}

extension BoundaryCode {
  /// The reason that a ``SharingCore/StorageError`` has for this code.
  var reason: StorageError.Reason {
    switch self {
    case .denied: .denied
    case .quota: .quotaExceeded
    case .nameTooLong: .nameTooLong
    case .missing, .nameInvalid, .folder, .noFile, .tooLarge, .busy, .failed: .other
    }
  }

  /// The cause and the remedy, as the end of a sentence.
  var explanation: StaticString {
    switch self {
    case .missing: "its folder or storage does not exist."
    case .denied:
      """
      access is denied. Allow site data, or give the program access to the folder and to the \
      targets of its links.
      """
    case .quota: "there is no room left. Free some, then change or save it again."
    case .nameTooLong:
      "the name has more than 255 bytes, or the path is too long. Use a shorter one."
    case .nameInvalid: "no file can have that name. Use another key."
    case .folder: "a folder has that name. Move it away."
    case .noFile: "a pipe, socket, device or circle of links has that name. Move it away."
    case .tooLarge: "it is larger than the available memory. Move it away."
    case .busy:
      """
      the browser accepts no more changes of the address for some seconds. Change it again \
      later.
      """
    case .failed: "the host gave no reason."
    }
  }
}
