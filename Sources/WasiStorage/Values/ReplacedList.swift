import SharingCore
import SharingJSON

/// The list of the last texts that were replaced under a key, in the item `<key>.replaced`:
///
/// ```
/// [{"id":"81-3.7","time":1732796000000,"text":"[\"Milk\"]"}]
/// ```
/// Entries are found by their beginning, which no text contains unescaped, and added as text. So a
/// counter links no codec of lists and texts, which is 3 kB (gzip).
package enum ReplacedList {
  /// The number of texts that are kept.
  private static var limit: Int { 16 }

  /// Returns a list with one more text. It replaces an entry with its id or its text, or the oldest
  /// entry if the list is full. If the bytes are not a list, they become the first entry.
  /// - Parameter id: The unique name of the loss, without characters to escape; by default, the
  ///   time and the length of the list.
  package static func adding(
    _ text: [UInt8], _ id: UTF8Text? = nil, to list: [UInt8]
  ) -> [UInt8] {
    if list.isEmpty { return adding(text, id, to: UTF8Text(stringLiteral: "[]").bytes) }
    guard list.first == UInt8(ascii: "["), JSON.hasOutline(list) else {
      return adding(text, id, to: adding(list, "former", to: []))
    }
    let starts = starts(in: list)
    let count = starts.count - 1
    var writer = JSONWriter()
    Timestamp.now.encode(into: &writer)
    let time = UTF8Text(writer.bytes)
    let start: UTF8Text = "\(entryStart)\(id ?? "\(time)-\(list.count)")\",\"time\":"
    let end = end(text)
    var kept: [Int] = []
    for index in 0..<count where !list.has(start.bytes, at: starts[index]) {
      if !list.has(end, at: starts[index + 1] - 1 - end.count) { kept.append(index) }
    }
    var result: [UInt8] = []
    result.put(list, 0, count > 0 ? starts[0] : list.count - 1)
    if count == 0, result.count > 1 { result.put(UInt8(ascii: ",")) }  // behind something else
    for index in max(0, kept.count - limit + 1)..<kept.count {
      result.put(list, starts[kept[index]], starts[kept[index] + 1] - 1)
      result.put(UInt8(ascii: ","))
    }
    let all: UTF8Text = "\(UTF8Text(result))\(start)\(time),\(UTF8Text(end))]"
    return all.bytes
  }

  /// Whether a list has an entry that the former list lacks, and whose id does not begin with the
  /// name of a client, or of one of its further clients, as `name~1`.
  package static func hasNew(
    _ list: [UInt8], since former: [UInt8], notOf client: UTF8Text
  ) -> Bool {
    let own: UTF8Text = "\(entryStart)\(client)"
    let (starts, known) = (starts(in: list), starts(in: former))
    for index in 0..<starts.count - 1 {
      if list.has(own.bytes, at: starts[index]) {
        let next = list[starts[index] + own.bytes.count]
        if next == UInt8(ascii: ".") || next == UInt8(ascii: "~") { continue }
      }
      var entry: [UInt8] = []
      entry.put(list, starts[index], starts[index + 1] - 1)
      if !known.contains(where: { former.has(entry, at: $0) }) { return true }
    }
    return false
  }

  /// Returns the offsets at which the entries begin, and the end of the list.
  private static func starts(in list: [UInt8]) -> [Int] {
    let start = entryStart.bytes
    var starts: [Int] = []
    for offset in list.indices where list.has(start, at: offset) { starts.append(offset) }
    starts.append(list.count)
    return starts
  }

  private static var entryStart: UTF8Text { "{\"id\":\"" }

  /// Returns the end of an entry: its text or, if that is not UTF-8, its bytes as numbers.
  private static func end(_ text: [UInt8]) -> [UInt8] {
    var end = UTF8Text(stringLiteral: "\"text\":\"").bytes
    guard JSON.isUTF8(text) else { return bytes(text) }
    for byte in text {
      if byte < 0x20 {
        end += UTF8Text(stringLiteral: "\\u00").bytes
        end.put(HexDigit.of(byte >> 4))
        end.put(HexDigit.of(byte & 0xF))
      } else {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { end.put(UInt8(ascii: "\\")) }
        end.put(byte)
      }
    }
    return end + UTF8Text(stringLiteral: "\"}").bytes
  }

  private static func bytes(_ text: [UInt8]) -> [UInt8] {
    var end: UTF8Text = "\"bytes\":"
    var separator: UTF8Text = "["
    for byte in text {
      end += "\(separator)\(Int(byte))"
      separator = ","
    }
    end += "]}"
    return end.bytes
  }
}

extension [UInt8] {
  @inline(never)
  fileprivate mutating func put(_ bytes: [UInt8], _ start: Int, _ end: Int) {
    for index in start..<end { put(bytes[index]) }
  }

  /// Whether some bytes are at an offset.
  @inline(never)
  package func has(_ part: [UInt8], at offset: Int) -> Bool {
    if offset < 0 || offset + part.count > count { return false }
    for index in 0..<part.count where self[offset + index] != part[index] { return false }
    return true
  }
}

extension KeyName {
  /// The name of a copy, such as `<key>.replaced`.
  package func copy(_ suffix: StaticString) -> KeyName {
    let name: UTF8Text = "\(self).\(suffix)"
    return KeyName(bytes: name.bytes)
  }
}
