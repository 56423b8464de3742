import SharingCore

/// A ``StorageCoding``, whatever the type of its value.
struct AnyStorageCoding: Sendable {
  /// The bytes of the value at an address; nil where nothing shall be stored. It is given what it
  /// has written last, and which elements of an array have changed since.
  let update: @Sendable (UnsafeRawPointer, inout EncodedJSON, [Int]?) throws(AnyError) -> [UInt8]?
  /// Calls the closure with the address of the value that the bytes stand for, valid during the
  /// call. Of an array it keeps the text, to bring that up to date.
  let read: Reader
  /// Hands over an array of which only some elements differ, and answers whether it could; nil for
  /// what is no array.
  let deliverChanges: (@Sendable (_StoredChanges) -> Bool)?

  typealias Reader =
    @Sendable (
      [UInt8], inout EncodedJSON, (UnsafeMutableRawPointer) -> Void
    ) throws(AnyError) -> Void

  /// Calls the closure with the address of the value that the bytes stand for, valid during the
  /// call.
  func decode(
    _ bytes: [UInt8], _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(AnyError) {
    var text = EncodedJSON()
    try read(bytes, &text, body)
  }
}

extension StorageError {
  @inline(never)
  convenience init(unencodable error: JSONError) {
    self.init(
      .unencodable, key: nil, "The value cannot be stored: \(error.text)", ErrorCause(error))
  }

  @inline(never)
  convenience init(corrupt error: JSONError) {
    self.init(.corrupt(offset: error.offset), key: nil, error.text, ErrorCause(error))
  }
}
