import SharingCore
import SharingJSON

/// A value that was replaced in its store, and is kept under `<key>.replaced`. You list, take back
/// and drop such values as a `@Shared` array:
///
/// ```swift
/// @Shared(.localStorage("todos")) var todos: [Todo] = []
/// @Shared(.replacedValues(of: .localStorage("todos")))
/// var replaced: [ReplacedValue<[Todo]>] = []
///
/// func takeBack(_ former: ReplacedValue<[Todo]>) throws(StorageError) {
///   let value = try former.value
///   batch {
///     $todos.withLock { $0 = value }
///     $replaced.withLock { $0.removeAll { $0.id == former.id } }
///   }
/// }
/// ```
public struct ReplacedValue<Value: Sendable>: Identifiable, Equatable, Sendable {
  let record: ReplacedRecord
  private let coding: AnyStorageCoding

  init(_ record: ReplacedRecord, _ coding: AnyStorageCoding) {
    self.record = record
    self.coding = coding
  }

  /// A name that no other replaced value of the key has.
  ///
  /// ```swift
  /// $replaced.withLock { $0.removeAll { $0.id == former.id } }
  /// ```
  public var id: UTF8Text { record.id }

  /// When the value was replaced, by the clock of the program that kept it.
  ///
  /// ```swift
  /// let newest = replaced.max { $0.time < $1.time }
  /// ```
  public var time: Timestamp { record.time }

  /// The bytes that were stored, or would have been. They can be shown if ``value`` is an error.
  ///
  /// ```swift
  /// let text = UTF8Text(former.bytes)
  /// ```
  public var bytes: [UInt8] { record.bytes ?? record.text.bytes }

  /// The decoded value, after the migrations of the key.
  ///
  /// ```swift
  /// let todos = try former.value
  /// ```
  /// - Throws: The error that loading these bytes sets as `loadError`.
  public var value: Value {
    get throws(StorageError) {
      do throws(AnyError) {
        return try StorageCoding<Value>(coding).decode(bytes)
      } catch {
        throw coding.decodingError(error, of: bytes)
      }
    }
  }

  /// Returns whether two values have the same id, time and bytes.
  public static func == (left: ReplacedValue, right: ReplacedValue) -> Bool {
    left.id == right.id && left.time == right.time && left.bytes == right.bytes
  }
}

/// An entry of a ``ReplacedList``.
struct ReplacedRecord: JSONCodable, Sendable {
  var id = UTF8Text()
  var time = Timestamp(millisecondsSince1970: 0)
  var text = UTF8Text()
  /// The bytes if they are not UTF-8.
  var bytes: [UInt8]?

  mutating func fields(_ json: inout some JSONVisitor) throws(JSONError) {
    try json.field("id", &id)
    try json.field("time", &time)
    if bytes == nil { try json.field("text", &text) }
    try json.field("bytes", &bytes)
  }
}

extension StorageCoding {
  /// Returns the coding of a list of replaced values of another coding.
  package static func replacedValues<Replaced: Sendable>(
    of coding: StorageCoding<Replaced>
  ) -> StorageCoding where Value == [ReplacedValue<Replaced>] {
    StorageCoding(AnyStorageCoding(replacedValuesOf: coding))
  }
}

extension AnyStorageCoding {
  fileprivate init<Value: Sendable>(replacedValuesOf coding: StorageCoding<Value>) {
    let untyped = coding.untyped
    self.init(
      of: [ReplacedValue<Value>].self, nilBytes: nil,
      update: { (value, text, changes) throws(AnyError) in
        let values = value.assumingMemoryBound(to: [ReplacedValue<Value>].self).pointee
        do throws(JSONError) {
          try values.map { $0.record }._encode(over: &text, changes)
        } catch {
          throw StorageError(unencodable: error)
        }
        return text.bytes
      },
      read: { (bytes, text, body) throws(AnyError) in
        do throws(JSONError) {
          let records = try [ReplacedRecord]._decode(bytes, keeping: &text)
          var values = records.map { ReplacedValue<Value>($0, untyped) }
          withUnsafeMutablePointer(to: &values) { body($0) }
        } catch {
          throw StorageError(corrupt: error)
        }
      },
      memberWriter: [ReplacedRecord]._memberWriter)
  }
}

extension SharedReaderKey {
  /// The last 16 values that were replaced under a key, the oldest first. A value can be taken
  /// back and dropped: see ``ReplacedValue``.
  ///
  /// ```swift
  /// @Shared(.replacedValues(of: .localStorage("todos")))
  /// var replaced: [ReplacedValue<[Todo]>] = []
  /// ```
  /// - Parameter key: The key of the values, with its version and migrations.
  public static func replacedValues<Value>(of key: StoredKey<Value>) -> Self
  where Self == StoredKey<[ReplacedValue<Value>]> {
    StoredKey(key.item.replaced, .replacedValues(of: StorageCoding(key.coding)))
  }
}
