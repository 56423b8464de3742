/// The name of a stored value, compared byte by byte as stores do.
///
/// ```swift
/// let name = KeyName("count")
/// name.bytes  // [99, 111, 117, 110, 116]
/// ```
///
/// It is not a `String`: comparing or hashing strings treats canonically equivalent spellings as
/// equal, which a store distinguishes. It also links 25 kB (gzip) of Unicode tables into a wasm
/// program.
public struct KeyName: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name in UTF-8.
  public let bytes: [UInt8]

  /// Creates a name from text.
  public init(_ name: String) {
    bytes = utf8Bytes(of: name)
  }

  /// Creates a name from its UTF-8 bytes.
  public init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a name from a literal.
  public init(stringLiteral name: StaticString) {
    bytes = UTF8Text(stringLiteral: name).bytes
  }

  /// Creates a name with a prefix, such as the name of a part of the program.
  package init(prefix: String, _ name: String) {
    var bytes = utf8Bytes(of: name)
    // The common case has no prefix; this runs for each wrapper.
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

  /// Whether its bytes come before those of another name.
  package func precedes(_ other: KeyName) -> Bool {
    let shared = min(bytes.count, other.bytes.count)
    for index in 0..<shared where bytes[index] != other.bytes[index] {
      return bytes[index] < other.bytes[index]
    }
    return bytes.count < other.bytes.count
  }

  /// Hashes all bytes in one call, many times faster than one by one.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// The FNV-1a hash. It is as good for names that programs choose, and takes a tenth of the time
  /// of Swift's own hash in wasm.
  public var hashValue: Int {
    var hash: UInt = 0x811C_9DC5
    for byte in bytes { hash = (hash ^ UInt(byte)) &* 0x0100_0193 }
    return Int(bitPattern: hash)
  }
}
