import SharingCore

/// A ``StorageCoding``, whatever the type of its value.
struct AnyStorageCoding: Sendable {
  /// The type of the value. Two codings of one key may be of two types.
  let valueType: ValueType
  /// The bytes of the value at an address; nil where nothing shall be stored. It is given what it
  /// has written last, and which elements of an array have changed since.
  let update: Updater
  /// Calls the closure with the address of the value that the bytes stand for, valid during the
  /// call. Of an array it keeps the text, to bring that up to date.
  let read: Reader
  /// Hands over an array of which only some elements differ, and answers whether it could; nil for
  /// what is no array.
  let deliverChanges: (@Sendable (_StoredChanges) -> Bool)?
  /// Writes members that the type does not have; nil for a type without members.
  let memberWriter: _UnknownMemberWriter?
  /// How the value is written.
  let form: _StoredForm
  /// The bytes of nil where the default is another value; nil if the coding has none.
  let nothing: [UInt8]?

  typealias Updater =
    @Sendable (UnsafeRawPointer, inout EncodedJSON, [Int]?) throws(AnyError) -> [UInt8]?
  typealias Reader =
    @Sendable (
      [UInt8], inout EncodedJSON, (UnsafeMutableRawPointer) -> Void
    ) throws(AnyError) -> Void

  /// - Parameter readsVersions: Whether `read` knows what to do with a text that says its version.
  ///   Otherwise a value of a newer version is refused (rule R19).
  init<Value>(
    of type: Value.Type, _ form: _StoredForm, nothing: [UInt8]?, readsVersions: Bool = false,
    update: @escaping Updater, read: @escaping Reader,
    deliverChanges: (@Sendable (_StoredChanges) -> Bool)? = nil,
    memberWriter: _UnknownMemberWriter? = nil
  ) {
    valueType = ValueTypeOf<Value>()
    self.memberWriter = memberWriter
    self.form = form
    self.nothing = nothing
    self.update = update
    self.read = readsVersions ? read : Self.refusingVersions(read, update)
    self.deliverChanges = deliverChanges
  }

  /// A reader that refuses what a newer program has stored with a version.
  private static func refusingVersions(
    _ read: @escaping Reader, _ update: @escaping Updater
  ) -> Reader {
    { (bytes, text, body) throws(AnyError) in
      if let version = VersionedJSON.laterVersion(of: bytes) {
        // A value may have a member of that name itself: then that is written again.
        let rewritten = rewritten(bytes, read, update)
        guard rewritten.flatMap({ VersionedJSON.laterVersion(of: $0) }) == version else {
          throw VersionedJSON.newer(version, 1)
        }
      }
      try read(bytes, &text, body)
    }
  }

  /// The bytes as the value is written that they stand for; nil if they stand for none.
  private static func rewritten(
    _ bytes: [UInt8], _ read: Reader, _ update: @escaping Updater
  ) -> [UInt8]? {
    var (text, rewritten) = (EncodedJSON(), [UInt8]?.none)
    try? read(bytes, &text) { value in
      var json = EncodedJSON()
      rewritten = (try? update(value, &json, nil)) ?? nil
    }
    return rewritten
  }

  /// Calls the closure with the address of the value that the bytes stand for, valid during the
  /// call.
  func decode(
    _ bytes: [UInt8], _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(AnyError) {
    var text = EncodedJSON()
    try read(bytes, &text, body)
  }

  /// The bytes to store for nil where the default is another value (rule R17).
  /// - Returns: Nil where the item shall be removed.
  /// - Throws: ``SharingCore/StorageError`` where those bytes would be another value.
  func bytesOfNothing() throws(AnyError) -> [UInt8]? {
    guard let nothing else { return nil }
    guard try normalized(nothing) == nil else {
      throw StorageError(
        .unencodable, key: nil,
        """
        nil has no plain text of its own here, and without an item the default would be shown, \
        which is another value. Use .localStorage, or make nil the default.
        """)
    }
    return nothing
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
