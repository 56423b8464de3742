import SharingCore

/// The file name of a key. Every key has one, and no two keys have the same.
///
/// Lower-case letters, digits, `-`, `_` and inner dots stand for themselves. Other bytes become `%`
/// and two hexadecimal digits, upper-case letters too, since some file systems ignore case. The
/// suffix is `.json`: `count` is in `count.json`, `/../` in `%2F..%2F.json`. File systems refuse
/// names of more than 255 bytes.
struct FileName {
  private static let suffix: StaticString = ".json"

  /// The name without its suffix.
  let stem: UTF8Text

  init(_ key: KeyName) {
    var name: [UInt8] = []
    for byte in key.bytes {
      if Self.isPlain(byte) || (byte == UInt8(ascii: ".") && !name.isEmpty) {
        name.put(byte)
      } else {
        name.put(UInt8(ascii: "%"))
        name.put(HexDigit.of(byte >> 4))
        name.put(HexDigit.of(byte & 15))
      }
    }
    stem = UTF8Text(name)
  }

  var text: UTF8Text { "\(stem)\(Self.suffix)" }

  /// Returns the key of a file; nil if its name is not that of a key.
  static func key(of file: UTF8Text) -> KeyName? {
    let stem = Array(file.bytes.dropLast(suffix.utf8CodeUnitCount))
    let key = KeyName(bytes: HexDigit.percentDecoded(stem))
    return FileName(key).text == file ? key : nil
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
