// `Codable`, which Embedded Swift does not have.
#if !hasFeature(Embedded)
  import SharingCore

  extension LocalDate: Codable {
    /// Reads the text.
    /// - Throws: `DecodingError` for anything but the text of a day.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let date = LocalDate(UTF8Text(try container.decode(String.self))) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "The text of a day is as 2026-11-28.")
      }
      self = date
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
      try text.description.encode(to: encoder)
    }
  }
#endif
