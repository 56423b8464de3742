import RandomSteps
import WasiStorage

/// Any JSON value, unchanged.
indirect enum JSONDocument: JSONValue, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case natural(UInt64)
  case double(Double)
  case string(String)
  case array([JSONDocument])
  case object([String: JSONDocument])

  static func decode(from reader: inout JSONReader) throws(JSONError) -> JSONDocument {
    switch try reader.kind() {
    case .null:
      try reader.skipValue()
      return .null
    case .bool: return .bool(try Bool.decode(from: &reader))
    case .number: return try number(from: &reader)
    case .string: return .string(try String.decode(from: &reader))
    case .array: return .array(try [JSONDocument].decode(from: &reader))
    case .object: return .object(try [String: JSONDocument].decode(from: &reader))
    }
  }

  /// The first type that writes it in its form.
  private static func number(from reader: inout JSONReader) throws(JSONError) -> JSONDocument {
    let start = reader
    let double = try Double.decode(from: &reader)
    let text = UnsafeBufferPointer(start: start.next, count: reader.offset - start.offset)
    if text.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) {
      return .double(double)
    }
    let end = reader
    reader = start
    if let integer = try? Int64.decode(from: &reader) { return .integer(integer) }
    reader = start
    if let natural = try? UInt64.decode(from: &reader) { return .natural(natural) }
    reader = end
    return .double(double)
  }

  func encode(into writer: inout JSONWriter) throws(JSONError) {
    switch self {
    case .null: writer.null()
    case .bool(let value): value.encode(into: &writer)
    case .integer(let value): value.encode(into: &writer)
    case .natural(let value): value.encode(into: &writer)
    case .double(let value): try value.encode(into: &writer)
    case .string(let value): value.encode(into: &writer)
    case .array(let value): try value.encode(into: &writer)
    case .object(let value): try value.encode(into: &writer)
    }
  }
}

extension JSONDocument {
  /// Returns a document with a maximum depth.
  static func random(depth: Int, using random: inout SplitMix64) -> JSONDocument {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2:
      return .integer(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
    case 3: return .natural(UInt64.random(in: (1 << 63)...(.max), using: &random))
    case 4:
      let double = Double(bitPattern: random.next())
      return .double(double.isFinite ? double : 0.5)
    case 5, 6: return .string(Self.text(using: &random))
    case 7:
      return .array(
        (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          .random(depth: depth - 1, using: &random)
        })
    default:
      var members: [String: JSONDocument] = [:]
      for _ in 0..<Int.random(in: 0..<6, using: &random) {
        members[text(using: &random)] = .random(depth: depth - 1, using: &random)
      }
      return .object(members)
    }
  }

  private static func text(using random: inout SplitMix64) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0..<20, using: &random) {
      let limit: UInt32 = [0x23, 0x60, 0x80, 0x800, 0x11_0000].randomElement(using: &random)!
      if let scalar = UnicodeScalar(UInt32.random(in: 0..<limit, using: &random)) {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
