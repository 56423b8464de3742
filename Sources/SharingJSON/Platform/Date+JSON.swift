// The JSON of `Date`, which is that of `Codable`; Embedded Swift has no Foundation.
#if !hasFeature(Embedded)
  import Foundation

  extension Date: JSONValue {
    /// None: the JSON has no members.
    public static var _memberWriter: _UnknownMemberWriter? { nil }

    /// Reads the seconds since 2001-01-01 00:00 UTC.
    ///
    /// ```swift
    /// let due = try Date.decode(from: &reader)
    /// ```
    /// In WebAssembly, where there is no Foundation, use a `Double` for the same JSON. A
    /// ``WasiStorage/Timestamp`` is other JSON: the milliseconds since 1970.
    /// - Throws: ``JSONError`` if the JSON is not a number.
    public static func decode(from reader: inout JSONReader) throws(JSONError) -> Date {
      Date(timeIntervalSinceReferenceDate: try Double.decode(from: &reader))
    }

    /// Writes the seconds since 2001-01-01 00:00 UTC. A date stores the same number, so nothing is
    /// rounded.
    /// - Throws: ``JSONError`` for a date of NaN or infinitely many seconds.
    public func encode(into writer: inout JSONWriter) throws(JSONError) {
      try timeIntervalSinceReferenceDate.encode(into: &writer)
    }
  }
#endif
