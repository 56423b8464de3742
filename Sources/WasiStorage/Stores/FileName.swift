import SharingCore

/// The file name of a key. Every key has one, and no two keys have the same.
///
/// Lower-case letters, digits, `-`, `_` and inner dots stand for themselves. Other bytes become `%`
/// and two hexadecimal digits, upper-case letters too, since some file systems ignore case. The
/// suffix is `.json`: `count` is in `count.json`, `/../` in `%2F..%2F.json`. File systems allow 255
/// bytes: a longer name keeps its first 150, followed by `~` and 32 digits of a hash (FNV-1a, 128
/// bits) of the whole key. The key itself is then in a file of the same name with the suffix
/// `.key`.
struct FileName {
  private static let limit = 200
  private static let kept = 150

  /// The name without its suffix.
  let stem: UTF8Text
  /// Whether the name does not contain the whole key, which then has a file of its own.
  let isShortened: Bool

  init(_ key: KeyName) {
    var name: [UInt8] = []
    for byte in key.bytes {
      let isPlain = Self.isPlain(byte) || (byte == UInt8(ascii: ".") && !name.isEmpty)
      if isPlain {
        name.put(byte)
      } else {
        name.put(UInt8(ascii: "%"))
        Self.put(UInt64(byte), digits: 2, in: &name)
      }
    }
    isShortened = name.count > Self.limit
    if isShortened {
      name.removeLast(name.count - Self.kept)
      name.put(UInt8(ascii: "~"))
      let hash = Self.hash(key)
      Self.put(hash.high, digits: 16, in: &name)
      Self.put(hash.low, digits: 16, in: &name)
    }
    stem = UTF8Text(name)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func put(_ number: UInt64, digits: Int, in name: inout [UInt8]) {
    var shift = 4 * digits
    while shift > 0 {
      shift -= 4
      name.put(HexDigit.of(UInt8(truncatingIfNeeded: number >> shift) & 15))
    }
  }

  /// FNV-1a with 128 bits: the prime is 2^88 + 0x13B (draft-eastlake-fnv, section 5).
  private static func hash(_ key: KeyName) -> (high: UInt64, low: UInt64) {
    var high: UInt64 = 0x6c62_272e_07bb_0142
    var low: UInt64 = 0x62b8_2175_6295_c58d
    for byte in key.bytes {
      low ^= UInt64(byte)
      let product = low.multipliedFullWidth(by: 0x13B)
      high = high &* 0x13B &+ product.high &+ (low << 24)
      low = product.low
    }
    return (high, low)
  }
}
