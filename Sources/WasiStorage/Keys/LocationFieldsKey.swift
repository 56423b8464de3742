import SharingCore
import SharingJSON

extension SharedReaderKey {
  /// The fields of a value after `#` in the page's address: `#month=2026-11&q=milk`; in memory if
  /// there is no page.
  ///
  /// ```swift
  /// @Stored struct Filter {
  ///   var month: UTF8Text = ""
  ///   var q: UTF8Text = ""
  ///   var page = 1
  /// }
  ///
  /// @Shared(.locationHash(of: Filter.self)) var filter = Filter()
  /// ```
  /// Fields that are as in `init()` are left out. A field that the address lacks, or whose text is
  /// no value of the field, is as in `init()`. Other names in the address are ignored, and go with
  /// the next change. Otherwise the key is as `.locationHash`.
  ///
  /// A search that is typed needs no entry for each letter:
  ///
  /// ```swift
  /// @Shared(.locationHash(of: Filter.self, history: .replace)) var filter = Filter()
  /// ```
  ///
  /// The form is `application/x-www-form-urlencoded` of the URL standard, which `URLSearchParams`
  /// reads: a text stands as it is, another value as its JSON.
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - history: The effect of a change on the tab's history. All keys of the address share one
  ///     value, and the first one decides.
  public static func locationHash<Value: JSONCodable>(
    of type: Value.Type, history: LocationHistory = .push
  ) -> Self where Self == StoredKey<Value> {
    StoredKey(
      .address(history),
      StorageCoding(
        encode: { (value) throws(AnyError) in
          do throws(JSONError) {
            let text = try LocationFields.text(of: JSON.encode(value), JSON.encode(Value()))
            return text.isEmpty ? nil : text
          } catch {
            throw StorageError(unencodable: error)
          }
        },
        decode: { (bytes) throws(AnyError) in
          var value = Value()
          for (name, text) in LocationFields.fields(of: bytes) {
            _ = value.set(name, to: text)
          }
          return value
        }))
  }
}

/// The effect of a change of the page's address on the tab's history, through which the back button
/// goes.
///
/// ```swift
/// @Shared(.locationHash(of: Filter.self, history: .replace)) var filter = Filter()
/// ```
/// The names are those of `history` in the HTML standard's navigation.
public enum LocationHistory: Sendable {
  /// Adds an entry: the back button goes to the address before the change.
  case push
  /// Replaces the present entry.
  case replace
}

/// The form of fields in an address.
private enum LocationFields {
  /// Returns the text of an object's members that differ from those of another one.
  static func text(of json: [UInt8], _ other: [UInt8]) throws(JSONError) -> [UInt8] {
    let defaults = try members(of: other)
    var text: [UInt8] = []
    for (index, member) in try members(of: json).enumerated()
    where index >= defaults.count || defaults[index].value != member.value {
      if !text.isEmpty { text.put(UInt8(ascii: "&")) }
      text += encoded(member.name)
      text.put(UInt8(ascii: "="))
      text += encoded((try? JSON.decode(UTF8Text.self, from: member.value))?.bytes ?? member.value)
    }
    return text
  }

  private static func members(
    of json: [UInt8]
  ) throws(JSONError) -> [(name: [UInt8], value: [UInt8])] {
    var members: [(name: [UInt8], value: [UInt8])] = []
    var reader = JSONReader(json)
    var isMember = try reader.beginObject()
    while isMember {
      let name = try reader.memberName().utf8
      let start = reader.offset
      try reader.skipValue()
      members.append((name, Array(json[start..<reader.offset])))
      isMember = try reader.nextMember()
    }
    return members
  }

  /// Returns the names and texts of the fields in an address.
  static func fields(of bytes: [UInt8]) -> [(name: UTF8Text, text: UTF8Text)] {
    bytes.split(separator: UInt8(ascii: "&")).map { field in
      let end = field.firstIndex(of: UInt8(ascii: "=")) ?? field.endIndex
      return (decoded(field[..<end]), decoded(field[end...].dropFirst()))
    }
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> UTF8Text {
    let space = text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
    return UTF8Text(HexDigit.percentDecoded(space))
  }

  /// Percent-encodes all bytes but letters, digits and `-_.*`.
  private static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "*"):
        text.put(byte)
      default:
        text.put(UInt8(ascii: "%"))
        text.put(HexDigit.of(byte >> 4))
        text.put(HexDigit.of(byte & 15))
      }
    }
    return text
  }
}
