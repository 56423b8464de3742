import Foundation
import SharingCore

/// The subjects of a bucket's keys: percent-encoded with `=` for `%`. This includes dots at an end
/// or next to another dot, which a subject does not allow.
enum NATSSubject {
  static func of(_ key: KeyName, in bucket: String) -> String {
    let token = token(of: key.bytes)
    return root(of: bucket) + (token.isEmpty ? "=" : token)
  }

  /// Returns the subject for all keys with a prefix; nil if the prefix does not end with a token.
  static func all(under prefix: KeyName, in bucket: String) -> String? {
    let start = token(of: prefix.bytes + [UInt8(ascii: "x")]).dropLast()
    guard start.isEmpty || start.hasSuffix(".") else { return nil }
    return "\(root(of: bucket))\(start)>"
  }

  /// Returns the key of a subject; nil if the subject is not a key's.
  static func key(of subject: String, in bucket: String) -> KeyName? {
    let root = root(of: bucket)
    guard subject.hasPrefix(root) else { return nil }
    let token = subject.dropFirst(root.count)
    if token == "=" { return KeyName(bytes: []) }
    let text = token.replacing("=", with: "%").removingPercentEncoding
    return text.map { KeyName(bytes: Array($0.utf8)) }
  }

  private static func root(of bucket: String) -> String { "$KV.\(bucket)." }

  private static func token(of bytes: [UInt8]) -> String {
    var token = ""
    for (index, byte) in bytes.enumerated() {
      let isEdge = index == 0 || index == bytes.count - 1 || bytes[index - 1] == UInt8(ascii: ".")
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        token.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: ".") where !isEdge: token += "."
      default: token += "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return token
  }
}
