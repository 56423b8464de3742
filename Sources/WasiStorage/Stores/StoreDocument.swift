import SharingCore

/// All items of a store as one JSON document: to be kept elsewhere, or moved to another store.
///
/// ```swift
/// let stores = SharingEnvironment.current.stores
/// let document = try StoreDocument.export(stores.local)  // {"count":"3","todos":"[{\"id\":1}]"}
/// try StoreDocument.import(document, to: stores.local)
/// ```
/// An object with a member for each item, in the order of the keys' bytes, whose value is the
/// stored text; of bytes that are not UTF-8, which only files and memory can hold, it is
/// `{"base64":"…"}`.
public enum StoreDocument {
  /// The items of a store as a document. What wrappers have not saved yet is not in it.
  /// - Parameters:
  ///   - store: The store; natively any ``ListableStore``, in Embedded Swift one of this module.
  ///   - prefix: Only items whose keys begin with this; the keys keep it.
  /// - Throws: ``StorageError`` when an item cannot be read, or the store cannot list its keys.
  public static func export(
    _ store: any KeyValueStore, prefix: String = ""
  ) throws(StorageError) -> [UInt8] {
    let prefix = KeyName(prefix).bytes
    return try export(keys(of: store).filter { $0.bytes.starts(with: prefix) }, of: store)
  }

  /// Some items of a store as a document, in the order of the keys given; what is not there is left out.
  ///
  /// ```swift
  /// let document = try StoreDocument.export([KeyName("count")], of: stores.local)
  /// ```
  /// - Throws: ``StorageError`` when an item cannot be read.
  public static func export(
    _ keys: [KeyName], of store: any KeyValueStore
  ) throws(StorageError) -> [UInt8] {
    var text = Text()
    for key in keys {
      if let bytes = try store.bytes(for: key) { text.append(bytes, for: key) }
    }
    return text.finish()
  }

  /// Stores every item of a document; other items stay. Wrappers of these items follow.
  /// - Throws: ``StorageError`` for a document that is damaged, and then nothing is stored; or when
  ///   an item cannot be stored, and then the items before it are as they were.
  public static func `import`(
    _ document: [UInt8], to store: any KeyValueStore
  ) throws(StorageError) {
    var old: [(key: KeyName, bytes: [UInt8]?)] = []
    do throws(StorageError) {
      for item in try items(of: document) {
        old.append((item.key, try store.bytes(for: item.key)))
        try store.set(item.bytes, for: item.key)
      }
    } catch {
      // What had room before has room again, so that this does not fail; if it does, the first
      // error is the one to tell.
      for (key, bytes) in old.reversed() {
        if let bytes { try? store.set(bytes, for: key) } else { try? store.remove(key) }
      }
      throw error
    }
  }
}

extension StoreDocument {
  /// A document that grows by one item after the other.
  private struct Text {
    private var writer = JSONWriter(capacity: 1024)

    init() {
      writer.put("{")
    }

    mutating func append(_ bytes: [UInt8], for key: KeyName) {
      writer.beginItem()
      key.bytes.withUnsafeBufferPointer { writer.put(string: $0) }
      writer.put(":")
      if StoreDocument.isUTF8(bytes) {
        bytes.withUnsafeBufferPointer { writer.put(string: $0) }
      } else {
        writer.put("{\"base64\":\"")
        for byte in Base64.encode(bytes) { writer.put(byte) }
        writer.put("\"}")
      }
    }

    mutating func finish() -> [UInt8] {
      writer.put("}")
      return writer.bytes
    }
  }

  /// Not by way of a `String`, which would be a fourth of a program that needs none.
  private static func isUTF8(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var reader = JSONReader(unowned: bytes)
      while let byte = reader.peek() {
        if byte < 0x80 {
          reader.next += 1
        } else if (try? reader.skipUTF8()) == nil {
          return false
        }
      }
      return true
    }
  }

  private struct Item {
    let key: KeyName
    let bytes: [UInt8]
  }

  /// The items of a document.
  /// - Throws: ``StorageError`` unless all of it is one.
  private static func items(of document: [UInt8]) throws(StorageError) -> [Item] {
    var items: [Item] = []
    var reader = JSONReader(document)
    do throws(JSONError) {
      var isItem = try reader.beginObject()
      while isItem {
        let key = KeyName(bytes: try reader.memberName().utf8)
        items.append(Item(key: key, bytes: try value(from: &reader)))
        isItem = try reader.nextMember()
      }
      try reader.finish()
    } catch {
      throw StorageError(corrupt: error)
    }
    return items
  }

  private static func value(from reader: inout JSONReader) throws(JSONError) -> [UInt8] {
    guard try reader.kind() == .object else {
      return try UTF8Text.decode(from: &reader).bytes
    }
    let start = reader.offset
    guard try reader.beginObject(), try reader.memberName().matches("base64") else {
      throw JSONError(.invalidValue, at: start)
    }
    let text = try UTF8Text.decode(from: &reader).bytes
    guard let bytes = try? Base64.decode(text), try !reader.nextMember() else {
      throw JSONError(.invalidValue, at: start)
    }
    return bytes
  }
}
