import SharingCore
import SharingJSON

/// A type-erased ``StorageCoding``.
package struct AnyStorageCoding: Sendable {
  /// The type of the value. Codings of one key may have different types.
  package let valueType: ValueType
  /// Returns the bytes of the value at an address; nil to remove the item. Receives the text of the
  /// last call, and the elements of an array that have changed since.
  package let update: Updater
  /// Decodes the bytes and calls the closure with the value's address, valid during the call. Keeps
  /// the text of an array, for incremental updates.
  package let read: Reader
  /// Decodes only the elements of an array that differ; nil if the coding has no such elements.
  let patch: Patcher?
  /// Writes stored members that the type lacks; nil for a type without members.
  let memberWriter: _UnknownMemberWriter?
  /// The form of the stored text.
  package let form: _StoredForm
  /// The bytes of nil if the default is another value; nil if the coding has none.
  let nilBytes: [UInt8]?

  package typealias Updater =
    @Sendable (UnsafeRawPointer, inout EncodedJSON, [Int]?) throws(AnyError) -> [UInt8]?
  package typealias Reader =
    @Sendable (
      [UInt8], inout EncodedJSON, (UnsafeMutableRawPointer) -> Void
    ) throws(AnyError) -> Void
  package typealias Patcher =
    @Sendable (UnsafeRawPointer, _ bytes: [UInt8], inout EncodedJSON) -> (any _ValuePatch)?

  /// - Parameter readsVersions: Whether `read` handles a text with a version. Otherwise a value of
  ///   a newer version is rejected (rule R19).
  init<Value>(
    of type: Value.Type, _ form: _StoredForm, nilBytes: [UInt8]?, readsVersions: Bool = false,
    update: @escaping Updater, read: @escaping Reader,
    patch: Patcher? = nil,
    memberWriter: _UnknownMemberWriter? = nil
  ) {
    valueType = ValueTypeOf<Value>()
    self.memberWriter = memberWriter
    self.form = form
    self.nilBytes = nilBytes
    self.update = update
    self.read = readsVersions ? read : Self.refusingVersions(read, update)
    self.patch = patch
  }

  /// Returns a reader that rejects a value of a newer version.
  private static func refusingVersions(
    _ read: @escaping Reader, _ update: @escaping Updater
  ) -> Reader {
    { (bytes, text, body) throws(AnyError) in
      if let version = VersionedJSON.laterVersion(of: bytes) {
        // The type itself may have a member of that name: then encoding writes it again.
        let rewritten = rewritten(bytes, read, update)
        guard rewritten.flatMap({ VersionedJSON.laterVersion(of: $0) }) == version else {
          throw VersionedJSON.newer(version, 1)
        }
      }
      try read(bytes, &text, body)
    }
  }

  /// Decodes the bytes and encodes the value again; nil if that fails.
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

  /// Decodes the bytes and calls the closure with the value's address, valid during the call.
  package func decode(
    _ bytes: [UInt8], _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(AnyError) {
    var text = EncodedJSON()
    try read(bytes, &text, body)
  }

  /// Whether the bytes decode.
  package func decodes(_ bytes: [UInt8]) -> Bool { (try? decode(bytes) { _ in }) != nil }

  /// Returns the bytes to store for nil if the default is another value (rule R17).
  /// - Returns: The bytes; nil to remove the item.
  /// - Throws: ``SharingCore/StorageError`` if the bytes would decode to another value.
  func checkedNilBytes() throws(AnyError) -> [UInt8]? {
    guard let nilBytes else { return nil }
    guard try parts(of: nilBytes).known == nil else {
      throw StorageError(
        .unencodable, key: nil,
        """
        nil has no plain text of its own here, and without an item the default would be shown, \
        which is not nil. Use .localStorage, or make nil the default.
        """)
    }
    return nilBytes
  }

  /// Encodes the value at an address.
  package func text(
    of value: UnsafeRawPointer, _ json: inout EncodedJSON, storesNil: Bool
  ) throws(AnyError) -> [UInt8]? {
    if let bytes = try update(value, &json, nil) { return bytes }
    return storesNil ? try checkedNilBytes() : nil
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

/// The type of a stored value. Embedded Swift cannot compare metatypes, but can downcast classes.
///
/// ```swift
/// ValueTypeOf<Int>().isSame(as: ValueTypeOf<String>())  // false
/// ```
package class ValueType: @unchecked Sendable {
  /// Returns whether both are the same type.
  package func isSame(as other: ValueType) -> Bool { fatalError("isSame(as:) is overridden") }
}

/// The type `Value`.
final class ValueTypeOf<Value>: ValueType, @unchecked Sendable {
  override func isSame(as other: ValueType) -> Bool { other is ValueTypeOf<Value> }
}
