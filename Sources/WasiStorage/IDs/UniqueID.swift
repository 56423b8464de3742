import SharingCore

/// An id that no other tab, program or device makes: a ULID.
///
/// ```swift
/// @Stored struct Todo: Identifiable {
///   var id = UniqueID()
///   var title: UTF8Text = ""
/// }
/// ```
/// It has the milliseconds of its making, and 80 random bits. Its text, which is also its JSON, has
/// 26 characters: `01K9W2V3NC8Q0YJ6ZP5M4T7RHX`. Ids are sorted by their time. Those that one
/// program makes in one millisecond are sorted in the order of their making.
///
/// The format is that of <https://github.com/ulid/spec>.
public struct UniqueID: Hashable, Sendable {
  /// The 48 bits of the time, and 16 random bits.
  let high: UInt64
  /// 64 random bits.
  let low: UInt64

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Makes a new id.
  ///
  /// ```swift
  /// $todos.append(Todo(id: UniqueID(), title: "Buy milk"))
  /// ```
  /// Make it before an `update`, since its closure may run again.
  public init() {
    self = .made()
  }

  /// Creates the id of a time and 80 bits, such as an id of a test.
  ///
  /// ```swift
  /// let id = UniqueID(time: Timestamp(millisecondsSince1970: 0), randomBits: 7)
  /// ```
  /// - Parameters:
  ///   - time: The time, at the earliest 1970 and at the latest in the year 10889.
  ///   - randomBits: The last 64 of the random bits.
  ///   - firstRandomBits: The first 16 of them.
  public init(time: Timestamp, randomBits: UInt64, firstRandomBits: UInt16 = 0) {
    let milliseconds = max(0, min(time.millisecondsSince1970, Self.latest))
    high = UInt64(milliseconds) << 16 | UInt64(firstRandomBits)
    low = randomBits
  }

  /// The time of its making, by the clock of the program that has made it.
  public var time: Timestamp { Timestamp(millisecondsSince1970: Int64(high >> 16)) }

  private static var latest: Int64 { (1 << 48) - 1 }
}

extension UniqueID {
  /// Hashes the last random bits.
  public func hash(into hasher: inout Hasher) { hasher.combine(low) }

  /// The hash for sets and dictionaries. It is not inlined: each of their functions would have a
  /// copy of 200 bytes in wasm.
  @inline(never)
  public func _rawHashValue(seed: Int) -> Int { low._rawHashValue(seed: seed) }
}

extension UniqueID: Comparable {
  /// Returns whether an id is earlier than another one; of the same time, whether its other bits
  /// are a smaller number.
  public static func < (left: UniqueID, right: UniqueID) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

// MARK: Making

extension UniqueID {
  /// The id before the first one: no clock has its time, so the first one is random.
  static var none: UniqueID { UniqueID(high: .max, low: .max) }

  /// Returns the id that follows this one: the next number in the same millisecond, and a random
  /// one at another time.
  func next(at time: Timestamp, using random: inout some RandomNumberGenerator) -> UniqueID {
    if time == self.time { return UniqueID(high: low == .max ? high &+ 1 : high, low: low &+ 1) }
    return UniqueID(
      time: time, randomBits: random.next(),
      firstRandomBits: UInt16(truncatingIfNeeded: random.next()))
  }
}
