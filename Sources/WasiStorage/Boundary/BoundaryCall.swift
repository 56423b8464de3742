import SharingCore

/// A call of a host function that stores or reads something, and what the program tells of it when
/// it fails: what it was doing, what went wrong, what helps.
struct BoundaryCall {
  private let key: KeyName?
  private let action: StaticString
  private let path: [UInt8]

  /// - Parameters:
  ///   - action: What the call does; it ends in a space in front of a path.
  ///   - path: The file or folder, where there is one.
  ///   - key: What is stored or read; nil for a call that is about no key.
  init(_ action: StaticString, _ path: [UInt8] = [], for key: KeyName?) {
    self.key = key
    self.action = action
    self.path = path
  }

  /// The bytes that the host has; nil when it has none.
  @inline(never)
  func bytes(_ fill: GrowingBuffer.Fill) throws(StorageError) -> [UInt8]? {
    do throws(BoundaryCode) {
      return try GrowingBuffer.read(fill)
    } catch {
      if error == .missing { return nil }
      throw failure(error)
    }
  }

  /// Throws when the result of the function says so.
  @inline(never)
  func check(_ result: Int32) throws(StorageError) {
    if let code = BoundaryCode(result) { throw failure(code) }
  }

  @inline(never)
  private func failure(_ code: BoundaryCode) -> StorageError {
    StorageError(
      code.reason, key: key, "\(action)\(UTF8Text(path)) failed: \(code.explanation)")
  }
}
