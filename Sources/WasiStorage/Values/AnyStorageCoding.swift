import SharingCore
import SharingJSON

/// A type-erased ``StorageCoding``.
package struct AnyStorageCoding: Sendable {
  /// The type of the value. Codings of one key may have different types.
  package let valueType: ValueType
  /// Returns the bytes of the value at an address; nil to remove the item. Receives the text of the
  /// last call, and the changes of an array's elements since.
  package let update: Updater
  /// Decodes the bytes and calls the closure with the value's address, valid during the call. Keeps
  /// the text of an array, for incremental updates.
  package let read: Reader
  /// Decodes only the elements of an array that differ; nil if the values are not arrays. The only
  /// way to that code, so that a program without arrays does not link it.
  let patch: Patcher?
  /// Writes stored members that the type lacks; nil for a type without members.
  let memberWriter: _UnknownMemberWriter?
  /// Adds the members of a stored text that the type lacks to the type's own text; nil for a type
  /// without members, so that a program without such types does not link the code.
  let addMembers: MemberAdder?
  /// The version of the values that it writes; 1 for a coding without versions.
  package let version: Int
  /// The bytes to store for nil if the default is another value (rule R17); nil if the coding has
  /// none.
  let nilBytes: [UInt8]?

  package typealias Updater =
    @Sendable (UnsafeRawPointer, inout _EncodedJSON, ElementChanges) throws(AnyError) -> [UInt8]?
  package typealias Reader =
    @Sendable (
      [UInt8], inout _EncodedJSON, (UnsafeMutableRawPointer) -> Void
    ) throws(AnyError) -> Void
  /// Returns a closure that changes the elements, and returns whether the cell has taken them.
  typealias Patcher =
    @Sendable (EncodedValue, _ bytes: [UInt8], Receiver) -> (() -> Bool)?
  typealias MemberAdder =
    @Sendable (AnyStorageCoding, _ stored: [UInt8], _ text: [UInt8]) -> [UInt8]

  /// - Parameter hasVersions: Whether `update` and `read` handle a text with a version. Otherwise
  ///   such a text is rejected in both directions (rule R19).
  init<Value>(
    of type: Value.Type, version: Int = 1, nilBytes: [UInt8]?, hasVersions: Bool = false,
    update: @escaping Updater, read: @escaping Reader,
    patch: Patcher? = nil,
    memberWriter: _UnknownMemberWriter? = nil
  ) {
    valueType = ValueTypeOf<Value>()
    self.memberWriter = memberWriter
    if memberWriter == nil {
      addMembers = nil
    } else {
      addMembers = { (coding, stored, text) in coding.addingUnknownMembers(of: stored, to: text) }
    }
    self.version = version
    self.nilBytes = nilBytes
    self.update = hasVersions ? update : Self.refusingVersions(update)
    self.read = hasVersions ? read : Self.refusingVersions(read)
    self.patch = patch
  }

  /// Returns a reader that rejects a value of a newer version.
  private static func refusingVersions(_ read: @escaping Reader) -> Reader {
    { (bytes, text, body) throws(AnyError) in
      let version = VersionedJSON.version(of: bytes)
      if version > 1 { throw VersionedJSON.newer(version, 1) }
      try read(bytes, &text, body)
    }
  }

  /// Returns an updater that rejects a text that begins with the reserved member.
  private static func refusingVersions(_ update: @escaping Updater) -> Updater {
    { (value, text, changes) throws(AnyError) in
      let bytes = try update(value, &text, changes)
      if let bytes, VersionedJSON.reservedVersion(of: bytes) != nil { throw VersionedJSON.reserved }
      return bytes
    }
  }

  /// Decodes the bytes and calls the closure with the value's address, valid during the call.
  package func decode(
    _ bytes: [UInt8], _ body: (UnsafeMutableRawPointer) -> Void
  ) throws(AnyError) {
    var text = _EncodedJSON()
    try read(bytes, &text, body)
  }

  /// Whether the bytes decode.
  package func decodes(_ bytes: [UInt8]) -> Bool { (try? decode(bytes) { _ in }) != nil }

  /// Returns the error for stored bytes that do not decode. JSON may be that of another release,
  /// and must not be overwritten (rule R15).
  package func decodingError(_ error: AnyError, of bytes: [UInt8]) -> StorageError {
    let error = StorageError.from(error, otherwise: .unreadable(offset: 0))
    guard case .unreadable(let offset) = error.reason else { return error }
    guard JSON.hasOutline(bytes) else {
      return StorageError(.corrupt(offset: offset), key: nil, error.advice, ErrorCause(error))
    }
    return StorageError(
      .unreadable(offset: offset), key: nil,
      """
      The type does not decode the stored JSON. Add a migration, or reset the value, which \
      keeps a copy. \(error.advice)
      """, ErrorCause(error))
  }

  /// Encodes the value at an address.
  package func text(
    of value: UnsafeRawPointer, _ json: inout _EncodedJSON, storesNil: Bool
  ) throws(AnyError) -> [UInt8]? {
    if let bytes = try update(value, &json, .anything) { return bytes }
    return storesNil ? nilBytes : nil
  }
}

extension StorageError {
  @inline(never)
  convenience init(unencodable error: JSONError) {
    self.init(
      .unencodable, key: nil, error.text, ErrorCause(error))
  }

  @inline(never)
  convenience init(corrupt error: JSONError) {
    self.init(
      error.isOfType ? .unreadable(offset: error.offset) : .corrupt(offset: error.offset),
      key: nil, error.text, ErrorCause(error))
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
