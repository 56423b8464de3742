import SharingCore

/// How a value is written as bytes, and read from them again.
///
/// ```swift
/// let lines = StorageCoding<[UInt8]>(encode: { $0 }, decode: { $0 })
/// @Shared(.localStorage("log", coding: lines)) var log: [UInt8] = []
/// ```
/// A page's storage takes text only: bytes that are not UTF-8 cannot be saved there.
public struct StorageCoding<Value>: Sendable {
  /// The value's bytes; nil where nothing shall be stored. It is given what it has written last, and
  /// which elements of an array have changed since.
  let update: @Sendable (Value, inout EncodedJSON, [Int]?) throws(AnyError) -> [UInt8]?
  /// The value that the bytes stand for.
  let decode: @Sendable ([UInt8]) throws(AnyError) -> Value

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
    self.init(
      update: { (value, _, _) throws(AnyError) in try encode(value) }, decode: decode)
  }

  init(
    update: @escaping @Sendable (Value, inout EncodedJSON, [Int]?) throws(AnyError) -> [UInt8]?,
    decode: @escaping @Sendable ([UInt8]) throws(AnyError) -> Value
  ) {
    self.update = update
    self.decode = decode
  }

  /// The value's bytes; nil where nothing shall be stored.
  func encode(_ value: Value) throws(AnyError) -> [UInt8]? {
    var text = EncodedJSON()
    return try update(value, &text, nil)
  }
}

extension StorageCoding where Value: JSONValue {
  /// JSON in UTF-8; nil is nothing.
  public static var json: StorageCoding {
    StorageCoding(
      update: { (value, text, changed) throws(AnyError) in
        do throws(JSONError) {
          try text.update(to: value, changed: changed)
          return isNull(text.bytes) ? nil : text.bytes
        } catch {
          throw StorageError(unencodable: error)
        }
      },
      decode: { (bytes) throws(AnyError) in
        do throws(JSONError) {
          return try JSON.decode(Value.self, from: bytes)
        } catch {
          throw StorageError(corrupt: error)
        }
      })
  }
}

private func isNull(_ bytes: [UInt8]) -> Bool {
  bytes == UTF8Text("null").bytes
}

extension StorageError {
  @inline(never)
  convenience init(unencodable error: JSONError) {
    self.init(.unencodable, key: nil, "The value cannot be stored: \(error.text)")
  }

  @inline(never)
  convenience init(corrupt error: JSONError) {
    self.init(.corrupt(offset: error.offset), key: nil, error.text)
  }
}
