import CHost
import SharingCore

/// A call of a function that stores or reads a file or a folder. The error of a failed call has the
/// action, the path, the cause and the remedy.
package struct FileCall {
  private let key: KeyName?
  private let action: StaticString
  private let path: [UInt8]

  /// - Parameters:
  ///   - action: The action in a message, with a space at its end.
  ///   - path: The file or folder.
  ///   - key: The stored or read key; nil for a call without a key.
  package init(_ action: StaticString, _ path: [UInt8], for key: KeyName?) {
    self.key = key
    self.action = action
    self.path = path
  }

  /// The host's bytes; nil if there is no such file or folder.
  @inline(never)
  package func bytes(_ fill: GrowingBuffer.Fill) throws(StorageError) -> [UInt8]? {
    let found = GrowingBuffer.read(fill)
    try check(found.code)
    return found.bytes
  }

  /// Throws if the result is a negative code.
  @inline(never)
  package func check(_ result: Int32) throws(StorageError) {
    guard result < 0 else { return }
    let (reason, explanation) = reason(of: result)
    throw StorageError(
      reason, key: key, "\(action)\(UTF8Text(path)) failed: \(explanation)")
  }

  /// The reason of an error, and the cause and the remedy as the end of its message.
  private func reason(of code: Int32) -> (StorageError.Reason, StaticString) {
    switch Int(code) {
    case Int(SHARING_MISSING): (.other, "its folder does not exist.")
    case Int(SHARING_DENIED):
      (
        .denied,
        "access is denied. Give the program access to the folder and to the targets of its links."
      )
    case Int(SHARING_BUSY):
      (.other, "it is a mount point, or the system uses it. Store another value, or unmount it.")
    case Int(SHARING_QUOTA):
      (.quotaExceeded, "there is no room left.")
    case Int(SHARING_NAME_TOO_LONG):
      (
        .nameTooLong,
        "the name has more than 255 bytes, or the path is too long. Use a shorter one."
      )
    case Int(SHARING_NAME_INVALID): (.other, "no file can have that name. Use another key.")
    case Int(SHARING_FOLDER): (.other, "a folder has that name. Move it away.")
    case Int(SHARING_NO_FILE):
      (.other, "a pipe, socket, device or circle of links has that name. Move it away.")
    case Int(SHARING_TOO_LARGE):
      (.other, "it is larger than the available memory. Move it away.")
    default: (.other, "the host gave no reason.")
    }
  }
}
