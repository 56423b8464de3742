/// A name under which a value is stored, compared byte by byte as stores do.
///
/// ```swift
/// let name = KeyName("count")
/// name.bytes  // [99, 111, 117, 110, 116]
/// ```
///
/// Not a `String`: comparing or hashing one folds canonically equivalent spellings, which a store
/// keeps apart, and links 25 kB (gzip) of Unicode tables into a wasm program.
public struct KeyName: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name in UTF-8.
  public let bytes: [UInt8]

  /// A name from text.
  public init(_ name: String) {
    bytes = utf8Bytes(of: name)
  }

  /// A name from its UTF-8 bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A name that is written in the program.
  public init(stringLiteral name: StaticString) {
    bytes = UTF8Text(stringLiteral: name).bytes
  }

  /// A name with a prefix, such as that of a part of the program.
  package init(prefix: String, _ name: String) {
    var bytes = utf8Bytes(of: name)
    // Most have none, and each wrapper makes a name.
    if !prefix.isEmpty {
      var whole = utf8Bytes(of: prefix)
      for byte in bytes { whole.put(byte) }
      bytes = whole
    }
    self.bytes = bytes
  }

  /// The name as text.
  public var description: String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// Whether two names have the same bytes.
  public static func == (left: KeyName, right: KeyName) -> Bool {
    left.bytes == right.bytes
  }

  /// Orders names by their bytes.
  public static func < (left: KeyName, right: KeyName) -> Bool {
    let shared = min(left.bytes.count, right.bytes.count)
    for index in 0..<shared where left.bytes[index] != right.bytes[index] {
      return left.bytes[index] < right.bytes[index]
    }
    return left.bytes.count < right.bytes.count
  }

  /// Hashes the bytes at once, which is many times faster than one by one.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// FNV-1a, which is as good for names that programs choose, and a tenth of Swift's own hash in
  /// wasm.
  public var hashValue: Int {
    var hash: UInt = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt(byte)) &* 0x0100_0193 }
    return Int(bitPattern: hash)
  }
}
