import CHost
import SharingCore
import SharingJSON

/// A day of people's calendar, without a time and a time zone.
///
/// ```swift
/// @Shared(.localStorage("birthday")) var birthday: LocalDate?
///
/// $birthday.withLock { $0 = .today }
/// ```
/// Its text, which is also its JSON and that of `<input type="date">`, is `2026-11-28`. The
/// calendar is the Gregorian one, from the year 1 to the year 9999.
public struct LocalDate: Hashable, Sendable {
  /// The year, from 1 to 9999.
  public let year: Int
  /// The month, from 1 to 12.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// Creates a day; nil if the calendar does not have it, as the 30th of February.
  public init?(year: Int, month: Int, day: Int) {
    guard 1...9999 ~= year, 1...12 ~= month, 1...Self.dayCount(of: month, in: year) ~= day else {
      return nil
    }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Reads a text such as `2026-11-28`; nil for any other text.
  public init?(_ text: UTF8Text) {
    let bytes = text.bytes
    let dash = UInt8(ascii: "-")
    guard bytes.count == 10, bytes[4] == dash, bytes[7] == dash,
      let year = Self.number(bytes[..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8...])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The current day by the host's clock and time zone: in a page, those of the visitor; under a
  /// WASI runtime, which has no zone, the day in UTC.
  public static var today: LocalDate {
    let number = Int(sharing_day_today())
    return LocalDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
      ?? LocalDate(year: 1970, month: 1, day: 1)!
  }

  /// The text, as `2026-11-28`. Later days have greater texts.
  public var text: UTF8Text {
    var digits = year * 10_000 + month * 100 + day
    var bytes = [UInt8](repeating: UInt8(ascii: "-"), count: 10)
    for index in [9, 8, 6, 5, 3, 2, 1, 0] {
      bytes[index] = UInt8(ascii: "0") + UInt8(digits % 10)
      digits /= 10
    }
    return UTF8Text(bytes)
  }

  private static func dayCount(of month: Int, in year: Int) -> Int {
    let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    if month == 2 { return isLeapYear ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the number of decimal digits; nil if one of them is something else.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var number = 0
    for byte in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      number = 10 * number + Int(byte - UInt8(ascii: "0"))
    }
    return number
  }
}

extension LocalDate: Comparable {
  /// Returns whether a day is earlier than another one.
  public static func < (left: LocalDate, right: LocalDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

extension LocalDate: JSONValue {
  /// None: the JSON has no members.
  public static var _memberWriter: _UnknownMemberWriter? { nil }

  /// Reads the text.
  /// - Throws: ``SharingJSON/JSONError`` for anything but the text of a day.
  public static func decode(from reader: inout JSONReader) throws(JSONError) -> LocalDate {
    let start = reader.offset
    guard let date = LocalDate(try UTF8Text.decode(from: &reader)) else {
      throw JSONError(invalidValueAt: start)
    }
    return date
  }

  /// Writes the text.
  public func encode(into writer: inout JSONWriter) { text.encode(into: &writer) }
}
