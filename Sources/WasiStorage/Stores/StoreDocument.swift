import SharingCore
import SharingJSON

/// All items of a store as one JSON document, for a backup or for another store.
///
/// ```swift
/// let store = FileStore(folder: ".sharing")
/// let document = try StoreDocument.export(["count", "todos"], of: store)
/// // {"count":"3","todos":"[{\"id\":1}]"}
/// try StoreDocument.import(document, to: SharingEnvironment.current.stores.local)
/// ```
/// The document is an object with a member for each item, in the order of the given keys. The
/// member's value is the stored text.
public enum StoreDocument {
  /// Exports items of a store as a document, in the order of the given keys. Missing items and
  /// unsaved changes are left out.
  ///
  /// ```swift
  /// let document = try StoreDocument.export([KeyName("count")], of: stores.local)
  /// ```
  /// - Throws: ``SharingCore/StorageError`` if an item cannot be read; with the reason
  ///   `unencodable` if an item or its key is not UTF-8, which only files and memory can hold. Its
  ///   `key` is that key.
  public static func export(
    _ keys: [KeyName], of store: any KeyValueStore
  ) throws(StorageError) -> [UInt8] {
    var writer = JSONWriter(capacity: 1024)
    writer.put("{")
    for key in keys {
      guard let bytes = try store.bytes(for: key) else { continue }
      guard JSON.isUTF8(key.bytes), JSON.isUTF8(bytes) else { throw notText(key) }
      writer.beginItem()
      UTF8Text(key.bytes).encode(into: &writer)
      writer.put(":")
      UTF8Text(bytes).encode(into: &writer)
    }
    writer.put("}")
    return writer.bytes
  }

  /// Stores every item of a document. Other items stay. Wrappers of the stored items follow, and
  /// observers run once, when all items are stored.
  /// - Throws: ``SharingCore/StorageError`` if the document is damaged, and then nothing is stored;
  ///   or if an item cannot be stored, and then the items before it are restored.
  public static func `import`(
    _ document: [UInt8], to store: any KeyValueStore
  ) throws(StorageError) {
    var items = try items(of: document)
    try batch { () throws(StorageError) in
      for index in items.indices {
        do throws(StorageError) {
          try items[index].exchange(in: store)
        } catch {
          // The old bytes fit before, so this does not fail. If it does, the first error is
          // reported.
          for stored in (0..<index).reversed() { try? items[stored].exchange(in: store) }
          throw error
        }
      }
    }
  }
}

extension StoreDocument {
  private static func notText(_ key: KeyName) -> StorageError {
    StorageError(
      .unencodable, key: key,
      """
      The items cannot be exported: the item "\(FileName(key).stem)", written here as a file name, \
      or its key is not UTF-8, so no JSON document can hold it. Export the other keys, and copy \
      this item with bytes(for:) of its store, or remove it.
      """)
  }

  /// An item to store, or, after an exchange, the one that was stored before it.
  private struct Item {
    let key: KeyName
    var bytes: [UInt8]?

    /// Stores these bytes and keeps the old ones. A second call undoes the first.
    mutating func exchange(in store: any KeyValueStore) throws(StorageError) {
      let slot = store.slot(for: key)
      let stored = try slot.read().bytes
      _ = try slot.replace(by: bytes)
      bytes = stored
    }
  }

  /// The items of a document.
  /// - Throws: ``SharingCore/StorageError`` unless all bytes are one document.
  private static func items(of document: [UInt8]) throws(StorageError) -> [Item] {
    var items: [Item] = []
    var reader = JSONReader(document)
    do throws(JSONError) {
      var isItem = try reader.beginObject()
      while isItem {
        let key = KeyName(bytes: try reader.memberName().utf8)
        items.append(Item(key: key, bytes: try UTF8Text.decode(from: &reader).bytes))
        isItem = try reader.nextMember()
      }
      try reader.finish()
    } catch {
      throw StorageError(corrupt: error)
    }
    return items
  }
}
