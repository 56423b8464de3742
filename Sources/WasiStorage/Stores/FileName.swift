import SharingCore

/// How a key becomes a file name: any key makes one, no two keys make the same.
///
/// Small letters, digits, `-`, `_` and inner dots stand for themselves, other bytes (capitals too,
/// for file systems that do not tell them apart) as `%` and two hexadecimal digits, and `.json`
/// comes last: `count` is in `count.json`, `/../` in `%2F..%2F.json`. File systems take 255 bytes:
/// of a longer name the first 150 are kept, a `~` and 32 digits of a hash (FNV-1a, 128 bits) of the
/// whole key follow, and the key itself is noted in a file of the same name with `.key` behind it.
struct FileName {
  private static let limit = 200
  private static let kept = 150

  /// The name without what comes last.
  let stem: UTF8Text
  /// Whether the key has to be noted, since the name does not have all of it.
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
