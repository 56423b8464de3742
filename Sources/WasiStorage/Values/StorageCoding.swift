import SharingCore

/// How a value is written as bytes, and read from them again.
///
/// ```swift
/// let lines = StorageCoding<[UInt8]>(encode: { $0 }, decode: { $0 })
/// @Shared(.localStorage("log", coding: lines)) var log: [UInt8] = []
/// ```
/// A page's storage takes text only: bytes that are not UTF-8 cannot be saved there.
public struct StorageCoding<Value>: Sendable {
  let untyped: AnyStorageCoding

  /// A coding of one's own.
  /// - Parameters:
  ///   - encode: Makes bytes of a value, always the same ones of the same value; nil has the item
  ///     removed. What it throws becomes `saveError`, and the stored bytes stay.
  ///   - decode: Makes a value of bytes. What it throws becomes `loadError`, and the bytes are kept
  ///     under `<key>.corrupt`.
  public init(
    encode: @escaping @Sendable (_ value: Value) throws(AnyError) -> [UInt8]?,
    decode: @escaping @Sendable (_ bytes: [UInt8]) throws(AnyError) -> Value
  ) {
    self.init(.own, nothing: nil, encode: encode, decode: decode)
  }

  /// A coding that says more of itself; see ``AnyStorageCoding``.
  init(
    _ form: _StoredForm, nothing: [UInt8]?, readsVersions: Bool = false,
    encode: @escaping @Sendable (_ value: Value) throws(AnyError) -> [UInt8]?,
    decode: @escaping @Sendable (_ bytes: [UInt8]) throws(AnyError) -> Value
  ) {
    untyped = AnyStorageCoding(
      of: Value.self, form, nothing: nothing, readsVersions: readsVersions,
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

  /// The value's bytes; nil where nothing shall be stored.
  func encode(_ value: Value) throws(AnyError) -> [UInt8]? {
    var text = EncodedJSON()
    return try withUnsafePointer(to: value) { (value) throws(AnyError) in
      try untyped.update(value, &text, nil)
    }
  }

  /// The value that the bytes stand for.
  func decode(_ bytes: [UInt8]) throws(AnyError) -> Value {
    var value: Value?
    try untyped.decode(bytes) { value = $0.assumingMemoryBound(to: Value.self).pointee }
    return value!
  }
}

extension StorageCoding where Value: JSONValue {
  /// JSON in UTF-8; nil removes the item, and is `null` where the default is another value.
  public static var json: StorageCoding { StorageCoding(AnyStorageCoding(json: Value.self)) }
}

extension AnyStorageCoding {
  /// JSON in UTF-8.
  init<Value: JSONValue>(json: Value.Type) {
    self.init(
      of: Value.self, .json(version: 1), nothing: Self.null,
      update: { (value, text, changed) throws(AnyError) in
        do throws(JSONError) {
          try value.assumingMemoryBound(to: Value.self).pointee._encode(
            over: &text, changed: changed)
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
      deliverChanges: Value._deliver, memberWriter: Value._memberWriter)
  }

  static var null: [UInt8] { UTF8Text("null").bytes }
}
