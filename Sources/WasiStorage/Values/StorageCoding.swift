import SharingCore
import SharingJSON

/// Encodes a value as bytes, and decodes it.
///
/// ```swift
/// let lines = StorageCoding<[UInt8]>(encode: { $0 }, decode: { $0 })
/// @Shared(.localStorage("log", coding: lines)) var log: [UInt8] = []
/// ```
/// A browser's storage takes text only: bytes that are not UTF-8 cannot be saved there.
public struct StorageCoding<Value>: Sendable {
  package let untyped: AnyStorageCoding

  /// Creates a custom coding.
  /// - Parameters:
  ///   - encode: Encodes a value, equal values as equal bytes; nil removes the item. A thrown error
  ///     becomes `saveError`, and the stored bytes stay.
  ///   - decode: Decodes a value. A thrown error becomes `loadError`, and the bytes are kept: JSON
  ///     where it is, other bytes under `<key>.corrupt`.
  public init(
    encode: @escaping @Sendable (_ value: Value) throws(AnyError) -> [UInt8]?,
    decode: @escaping @Sendable (_ bytes: [UInt8]) throws(AnyError) -> Value
  ) {
    self.init(nilBytes: nil, encode: encode, decode: decode)
  }

  /// Creates a coding with more properties; see ``AnyStorageCoding``.
  init(
    nilBytes: [UInt8]?,
    encode: @escaping @Sendable (_ value: Value) throws(AnyError) -> [UInt8]?,
    decode: @escaping @Sendable (_ bytes: [UInt8]) throws(AnyError) -> Value
  ) {
    untyped = AnyStorageCoding(
      of: Value.self, nilBytes: nilBytes,
      update: { (value, _, _) throws(AnyError) in
        try encode(value.assumingMemoryBound(to: Value.self).pointee)
      },
      read: { (bytes, _, body) throws(AnyError) in
        var value = try decode(bytes)
        withUnsafeMutablePointer(to: &value) { body($0) }
      })
  }

  init(_ untyped: AnyStorageCoding) {
    self.untyped = untyped
  }

  /// Returns the value's bytes; nil to remove the item.
  func encode(_ value: Value) throws(AnyError) -> [UInt8]? {
    var text = _EncodedJSON()
    return try withUnsafePointer(to: value) { (value) throws(AnyError) in
      try untyped.update(value, &text, .anything)
    }
  }

  /// Returns the decoded value.
  package func decode(_ bytes: [UInt8]) throws(AnyError) -> Value {
    var value: Value?
    try untyped.decode(bytes) { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }
}

extension StorageCoding where Value: JSONValue {
  /// JSON in UTF-8. Nil removes the item; if the default is another value, nil is stored as `null`.
  public static var json: StorageCoding { StorageCoding(AnyStorageCoding(json: Value.self)) }
}

extension AnyStorageCoding {
  /// Creates a coding as JSON in UTF-8.
  init<Value: JSONValue>(json: Value.Type) {
    self.init(
      of: Value.self, nilBytes: Self.null,
      update: { (value, text, changes) throws(AnyError) in
        do throws(JSONError) {
          try value.assumingMemoryBound(to: Value.self).pointee._encode(over: &text, changes)
        } catch {
          throw StorageError(unencodable: error)
        }
        return text.bytes.count == 4 && text.bytes == Self.null ? nil : text.bytes
      },
      read: { (bytes, text, body) throws(AnyError) in
        do throws(JSONError) {
          var value = try Value._decode(bytes, keeping: &text)
          withUnsafeMutablePointer(to: &value) { body($0) }
        } catch {
          throw StorageError(corrupt: error)
        }
      },
      patch: Self.patcher(of: Value.self), memberWriter: Value._memberWriter)
  }

  private static func patcher<Value: JSONValue>(of _: Value.Type) -> Patcher? {
    guard let decode = Value._patch else { return nil }
    return { (encoded, bytes, receiver) in
      encoded.prepareElements(of: bytes, for: receiver, decode)
    }
  }

  static var null: [UInt8] { UTF8Text("null").bytes }
}
