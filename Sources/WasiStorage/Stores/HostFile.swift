import CHost
import SharingCore

/// Whole files by path, for the stores that keep items in files.
enum HostFile {
  /// The file's bytes; nil when there is no file.
  static func bytes(at path: [UInt8], for key: KeyName?) throws(StorageError) -> [UInt8]? {
    do throws(HostCode) {
      return try HostBuffer.read { sharing_file_get(path, path.hostCount, $0, $1) }
    } catch {
      if error == .missing { return nil }
      throw StorageError(error, key: key, "reading the file ", path)
    }
  }

  /// Replaces the file as a whole.
  static func set(_ bytes: [UInt8], at path: [UInt8], for key: KeyName) throws(StorageError) {
    let code = sharing_file_set(path, path.hostCount, bytes, bytes.hostCount)
    if let error = HostCode(code) { throw StorageError(error, key: key, "writing the file ", path) }
  }

  /// Removes the file, if there is one.
  static func remove(at path: [UInt8], for key: KeyName) throws(StorageError) {
    let code = sharing_file_remove(path, path.hostCount)
    if let error = HostCode(code) {
      throw StorageError(error, key: key, "removing the file ", path)
    }
  }
}
