import CHost
import SharingCore

/// Whole files by path, for the stores that keep items in files.
enum HostFile {
  /// The file's bytes; nil when there is no file.
  static func bytes(at path: [UInt8], for key: KeyName?) throws(StorageError) -> [UInt8]? {
    try HostCall("reading the file ", path, for: key).bytes {
      sharing_file_get(path, path.hostCount, $0, $1)
    }
  }

  /// Replaces the file as a whole.
  static func set(_ bytes: [UInt8], at path: [UInt8], for key: KeyName) throws(StorageError) {
    let code = sharing_file_set(path, path.hostCount, bytes, bytes.hostCount)
    try HostCall("writing the file ", path, for: key).check(code)
  }

  /// Removes the file, if there is one.
  static func remove(at path: [UInt8], for key: KeyName) throws(StorageError) {
    let code = sharing_file_remove(path, path.hostCount)
    try HostCall("removing the file ", path, for: key).check(code)
  }
}
