import SharingCore
import WasiStorage

/// The whole contents of a ``FolderRevisionStore`` at one moment.
///
/// The bytes are a sequence of records. A byte count precedes each name and value. A value's record
/// is `value REVISION COUNT`, a new line, the key, and then `COUNT`, a new line, the bytes; or
/// `none` and a new line instead, if they were removed. A client's record is `applied STEP COUNT`,
/// a new line, the client.
struct FolderState {
  /// The number of states before this one.
  let revision: Int64
  /// A name that no other state has.
  let name: UTF8Text
  var records: CommitRecords

  // MARK: Names of files

  static var firstFileName: UTF8Text { "state@0.0" }

  var fileName: UTF8Text { "state@\(revision.text).\(name)" }

  /// Whether a file's name is that of a state, perhaps a damaged one.
  static func isStateFile(_ file: UTF8Text) -> Bool {
    file.hasPrefix("state@") && name(ofFile: file) != nil
  }

  /// Returns the revision in the name of a state's file; nil for other and for damaged names.
  static func revision(ofFile file: UTF8Text) -> Int64? {
    guard file.hasPrefix("state@") else { return nil }
    var reader = RecordReader(Array(file.bytes.dropFirst(6)))
    return reader.number(endedBy: UInt8(ascii: "."))
  }

  /// Returns the state's name in the name of its file.
  static func name(ofFile file: UTF8Text) -> UTF8Text? {
    file.bytes.firstIndex(of: UInt8(ascii: ".")).map { UTF8Text(Array(file.bytes[($0 + 1)...])) }
  }

  // MARK: Bytes

  var bytes: [UInt8] {
    var text = UTF8Text()
    for value in records.values {
      text += "value \(value.revision.text) \(value.key.bytes.count)\n\(value.key)"
      if let bytes = value.bytes {
        text += "\(bytes.count)\n\(UTF8Text(bytes))"
      } else {
        text += "none\n"
      }
    }
    for known in records.clients.all {
      text += "applied \(known.step) \(known.client.bytes.count)\n\(known.client)"
    }
    return text.bytes
  }
}

extension FolderState {
  /// Reads a state; nil if the bytes are not those of a state.
  init?(revision: Int64, name: UTF8Text, _ bytes: [UInt8]) {
    self.init(revision: revision, name: name, records: CommitRecords())
    var reader = RecordReader(bytes)
    while !reader.isAtEnd {
      let isValue = reader.scan("value ")
      guard isValue || reader.scan("applied "),
        let number = reader.number(endedBy: UInt8(ascii: " ")), let name = reader.countedBytes()
      else { return nil }
      if !isValue {
        guard let step = Int(exactly: number) else { return nil }
        records.set(ClientStep(UTF8Text(name), step))
      } else if reader.scan("none\n") {
        records.set(StoredRevision(key: KeyName(bytes: name), revision: number))
      } else {
        guard let bytes = reader.countedBytes() else { return nil }
        records.set(StoredRevision(key: KeyName(bytes: name), revision: number, bytes: bytes))
      }
    }
  }
}

extension Int64 {
  /// The number in decimal digits.
  var text: UTF8Text { UTF8Text((try? JSON.encode(self)) ?? []) }
}

extension UTF8Text {
  func hasPrefix(_ prefix: StaticString) -> Bool {
    bytes.starts(with: UTF8Text(stringLiteral: prefix).bytes)
  }

  /// Whether this is the name of a file with a state's bytes.
  var isDataFile: Bool { hasPrefix("data.") }
}

/// Reads numbers and bytes, one after the other.
private struct RecordReader {
  private let all: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) {
    all = bytes
  }

  var isAtEnd: Bool { next == all.count }

  mutating func scan(_ text: StaticString) -> Bool {
    let expected = UTF8Text(stringLiteral: text).bytes
    guard all.count - next >= expected.count else { return false }
    for (index, byte) in expected.enumerated() where all[next + index] != byte { return false }
    next += expected.count
    return true
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= all.count - next else { return nil }
    defer { next += count }
    return Array(all[next..<next + count])
  }

  /// Reads a number that is not negative and can be increased.
  @inline(never)
  mutating func number(endedBy end: UInt8) -> Int64? {
    var stop = next
    while stop < all.count, all[stop] != end { stop += 1 }
    guard stop < all.count,
      let number = try? JSON.decode(Int64.self, from: Array(all[next..<stop])),
      number >= 0, number < .max
    else { return nil }
    next = stop + 1
    return number
  }

  /// Reads bytes that follow their count, which is a line of its own.
  mutating func countedBytes() -> [UInt8]? {
    // Int has 32 bits in WebAssembly.
    number(endedBy: UInt8(ascii: "\n")).flatMap { Int(exactly: $0) }.flatMap { bytes($0) }
  }
}
