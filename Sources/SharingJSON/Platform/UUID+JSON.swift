// The JSON of `UUID`, which is that of `Codable`; Embedded Swift has no Foundation.
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
#endif
