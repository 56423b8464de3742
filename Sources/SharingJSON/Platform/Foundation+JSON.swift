// The JSON of Foundation's types, which is that of `Codable`, and the text of errors for
// Foundation. Embedded Swift has no Foundation.
#if !hasFeature(Embedded)
  import Foundation

  extension UUID: JSONValue {
    /// None: the JSON has no members.
    public static var _memberWriter: _UnknownMemberWriter? { nil }

    /// Reads a text such as `"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"`, in either case of letters.
    ///
    /// ```swift
    /// let id = try UUID.decode(from: &reader)
    /// ```
    /// In WebAssembly, where there is no Foundation, use a `UTF8Text` for the same JSON.
    /// - Throws: ``JSONError`` for another text.
    public static func decode(from reader: inout JSONReader) throws(JSONError) -> UUID {
      reader.skipWhiteSpace()
      let start = reader.offset
      guard let id = UUID(uuidString: try String.decode(from: &reader)) else {
        throw JSONError(.invalidValue, at: start)
      }
      return id
    }

    /// Writes the text, in capitals.
    public func encode(into writer: inout JSONWriter) { uuidString.encode(into: &writer) }
  }

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

  extension JSONError: LocalizedError {
    /// The description, which is `localizedDescription`.
    public var errorDescription: String? { description }
  }
#endif
