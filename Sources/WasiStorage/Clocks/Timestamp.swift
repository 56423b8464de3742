import SharingJSON

import CHost

/// A moment in Unix time, also for Embedded Swift, which has no `Date`.
///
/// ```swift
/// @Shared(.appStorage("lastVisit")) var lastVisit: Timestamp?
///
/// $lastVisit.withLock { $0 = .now }
/// ```
/// It is stored as a number of milliseconds, like that of JavaScript's `Date.now()`.
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds since 1970-01-01 00:00 UTC, without leap seconds; negative before that.
  public var millisecondsSince1970: Int64

  /// Creates a moment from its milliseconds since 1970-01-01 00:00 UTC.
  public init(millisecondsSince1970: Int64) {
    self.millisecondsSince1970 = millisecondsSince1970
  }

  /// The current time of the host's clock, which users can change.
  public static var now: Timestamp { Timestamp(millisecondsSince1970: sharing_time_now()) }
}

extension Timestamp: Comparable {
  /// Returns whether a moment is earlier than another one.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.millisecondsSince1970 < right.millisecondsSince1970
  }
}

extension Timestamp: JSONValue {
  /// None: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads the number of milliseconds.
  /// - Throws: ``SharingJSON/JSONError`` if the JSON is not an integer of 64 bits.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> Timestamp {
    Timestamp(millisecondsSince1970: try Int64.decode(from: &reader))
  }

  /// Writes the number of milliseconds.
  public func encode(into writer: inout JSONWriter) { millisecondsSince1970.encode(into: &writer) }
}
