import SharingCore

/// A call of a host function that stores or reads something. The error of a failed call has the
/// action, the cause and the remedy.
package struct BoundaryCall {
  private let key: KeyName?
  private let action: StaticString
  private let path: [UInt8]

  /// - Parameters:
  ///   - action: The action in a message; it ends in a space in front of a path.
  ///   - path: The file or folder, if there is one.
  ///   - key: The stored or read key; nil for a call without a key.
  package init(_ action: StaticString, _ path: [UInt8] = [], for key: KeyName?) {
    self.key = key
    self.action = action
    self.path = path
  }

  /// The host's bytes; nil if it has none.
  @inline(never)
  package func bytes(_ fill: GrowingBuffer.Fill) throws(StorageError) -> [UInt8]? {
    do throws(BoundaryCode) {
      return try GrowingBuffer.read(fill)
    } catch {
      if error == .missing { return nil }
      throw failure(error)
    }
  }

  /// Throws if the result is a negative code.
  @inline(never)
  package func check(_ result: Int32) throws(StorageError) {
    if let code = BoundaryCode(result) { throw failure(code) }
  }

  @inline(never)
  private func failure(_ code: BoundaryCode) -> StorageError {
    StorageError(
      code.reason, key: key, "\(action)\(UTF8Text(path)) failed: \(code.explanation)")
  }
}
